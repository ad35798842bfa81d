//! Prints how exact the method of timing is on simulated clusters, how large the mistakes are that
//! it avoids, and how well its results repeat.
//!
//! Arguments: the number of measurements for each kind of cluster, and of repetitions for each
//! method.

use pgas_timing::job::{Method, Order};
use pgas_timing::simulation::Model;
use pgas_timing::simulation::experiments::{
    Network, coverage, loop_factor, mistakes, reproducibility,
};
use pgas_timing::simulation::operations::Algorithm;

fn main() -> Result<(), String> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let (Some(Ok(measurements)), Some(Ok(repetitions))) = (numbers.next(), numbers.next()) else {
        return Err("numbers of measurements and of repetitions are needed".to_owned());
    };
    print_coverage(measurements);
    print_mistakes();
    print_loop();
    print_reproducibility(repetitions);
    Ok(())
}

fn print_coverage(measurements: u64) {
    println!("Truth in the stated interval, at least 95 % of the times; medians, times in us");
    println!(
        "network        order   threads  failed  inside   error  stated  of it Student  \
         stated/error  with bound: inside  /error"
    );
    for network in [
        Network::Symmetric,
        Network::Asymmetric,
        Network::SlowReceivers,
    ] {
        for order in [Order::Linear, Order::Ring] {
            for threads in [4, 8, 16] {
                let found = coverage(network, order, threads, 0..measurements);
                println!(
                    "{:14} {:6} {threads:8} {:7} {:6.1}% {:7.3} {:7.3} {:14.3} {:13.1} {:18.1}% {:7.1}",
                    format!("{network:?}"),
                    format!("{order:?}").to_lowercase(),
                    found.failed(),
                    100.0 * found.inside(),
                    1e6 * found.error(),
                    1e6 * found.stated(),
                    1e6 * found.student(),
                    found.ratio(),
                    100.0 * found.within_bound(),
                    found.bound_ratio(),
                );
            }
        }
    }
}

fn print_mistakes() {
    println!("\nMistakes on 16 threads, times in us");
    println!(
        "{:34} {:>9} {:>9} {:>7}",
        "mistake", "wrong", "right", "factor"
    );
    for mistake in mistakes(16, 1).expect("launches are correct") {
        println!(
            "{:34} {:9.2} {:9.2} {:7.2}",
            mistake.name,
            1e6 * mistake.wrong,
            1e6 * mistake.right,
            mistake.factor()
        );
    }
}

fn print_loop() {
    println!("\nLoop of 8 linear broadcasts on 16 threads, by the clock of one receiver");
    println!("latency us  thread  formula  simulated");
    for far in [0.0, 1.5e-6, 20e-6] {
        for thread in [1, 8, 15] {
            let model = Model {
                far,
                ..Model::quiet(16)
            };
            let (formula, simulated) = loop_factor(&model, 8, thread);
            println!(
                "{:10.1} {thread:7} {formula:8.4} {simulated:10.4}",
                1e6 * far
            );
        }
    }
}

fn print_reproducibility(repetitions: u64) {
    println!("\nRelative standard error of {repetitions} repetitions on 16 threads, and bias");
    println!("noise/s  operation                  window            barrier               loop");
    for noise_rate in [100.0, 2000.0] {
        for algorithm in [
            Algorithm::Barrier,
            Algorithm::LinearBroadcast,
            Algorithm::BinomialBroadcast,
            Algorithm::AllToAll,
        ] {
            let cluster = Model {
                noise_rate,
                ..Model::cluster(16, 1)
            };
            let of = |method| {
                let found = reproducibility(method, algorithm, &cluster, repetitions);
                found.map_or("none correct".to_owned(), |found| {
                    let [error, bias] = [found.relative_error, found.bias].map(|x| 100.0 * x);
                    format!("{error:.3}% {bias:+.1}%")
                })
            };
            let [window, barrier, in_a_loop] =
                [Method::Window, Method::Barrier, Method::Loop].map(of);
            let name = format!("{algorithm:?}");
            println!("{noise_rate:7} {name:18} {window:>18} {barrier:>18} {in_a_loop:>18}");
        }
    }
}
