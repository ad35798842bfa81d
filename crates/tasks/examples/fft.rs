//! Fourier transform by a butterfly: a task for each point, which exchanges its value with another
//! one in each step.
//!
//!     cargo run --release -p pgas-tasks --example fft -- 10
//!
//! transforms two to the power of 10 points, and checks some of the result by the definition.

use std::env;
use std::f64::consts::TAU;

use pgas_tasks::{Closed, Input, Output, channel, create, run};

/// Real and imaginary part.
type Complex = (f64, f64);

/// Ports to the partner of each step, and from it.
type Partners = Vec<(Output<Complex>, Input<Complex>)>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steps: u32 = env::args().nth(1).map_or(Ok(10), |steps| steps.parse())?;
    if steps > 20 {
        return Err(format!("2 to the power of {steps} tasks are too many: at most 20").into());
    }
    let transform = run(transform, (steps,))?;
    let checked = [0, 1, transform.len() / 3];
    let error = checked.map(|k| distance(transform[k], by_definition(k, transform.len())));
    println!(
        "{} points, errors {:?}",
        transform.len(),
        error.map(|error| error < 1e-9)
    );
    Ok(())
}

async fn transform(steps: u32) -> Vec<Complex> {
    let points = 1 << steps;
    let (done, mut results) = channel();
    let mut partners: Vec<Partners> = (0..points).map(|_| Vec::new()).collect();
    for bit in (0..steps).rev().map(|step| 1 << step) {
        (0..points)
            .filter(|index| index & bit == 0)
            .for_each(|low| {
                connect(&mut partners, low, low | bit);
            });
    }
    for (index, partners) in partners.into_iter().enumerate() {
        create(point, (index, steps, partners, done.clone()));
    }
    drop(done);
    let mut transform = vec![(0.0, 0.0); points];
    while let Some((index, value)) = results.receive().await {
        transform[index] = value;
    }
    transform
}

fn connect(partners: &mut [Partners], low: usize, high: usize) {
    let (to_high, from_low) = channel();
    let (to_low, from_high) = channel();
    partners[low].push((to_high, from_high));
    partners[high].push((to_low, from_low));
}

/// Decimation in frequency: steps with partners that are half of the points away, then a quarter.
async fn point(
    index: usize,
    steps: u32,
    partners: Partners,
    done: Output<(usize, Complex)>,
) -> Result<(), Closed> {
    let mut value = sample(index);
    for (step, (output, mut input)) in (0..steps).rev().zip(partners) {
        output.send(value).await?;
        let Some(other) = input.receive().await else {
            return Err(Closed);
        };
        value = butterfly(value, other, index, 1 << step);
    }
    done.send((reversed(index, steps), value)).await
}

fn butterfly(own: Complex, other: Complex, index: usize, half: usize) -> Complex {
    if index & half == 0 {
        return (own.0 + other.0, own.1 + other.1);
    }
    let angle = -TAU * (index % half) as f64 / (2 * half) as f64;
    product(
        (other.0 - own.0, other.1 - own.1),
        (angle.cos(), angle.sin()),
    )
}

fn product(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn reversed(index: usize, bits: u32) -> usize {
    if bits == 0 {
        0
    } else {
        index.reverse_bits() >> (usize::BITS - bits)
    }
}

fn sample(index: usize) -> Complex {
    ((index as f64 * 0.7).sin(), (index as f64 * 0.3).cos())
}

fn by_definition(k: usize, points: usize) -> Complex {
    let term = |index: usize| {
        let angle = -TAU * ((k * index) % points) as f64 / points as f64;
        product(sample(index), (angle.cos(), angle.sin()))
    };
    (0..points)
        .map(term)
        .fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
}

fn distance(a: Complex, b: Complex) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}
