//! Measures the cost of reading a stretch of time in relation to a plain decode of the same blocks,
//! and the cost of reading it with its full history, which depends on the events before it.
//!
//!     cargo run --release -p pgas-earl --example window_cost -- DIR [ROUNDS]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use pgas_earl::access::{EventTrace, History};
use pgas_trace::Experiment;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: window_cost DIR [ROUNDS]")?;
    let rounds: u32 = arguments
        .next()
        .map_or(Ok(9), |rounds| rounds.parse())
        .map_err(|_| "the number of rounds is a number")?;
    let experiment = Experiment::open(Path::new(&directory))?;
    let trace = EventTrace::new(&experiment)?;
    let (first, last) = trace.time_range().ok_or("there are no events")?;
    let all = vec![true; trace.threads()];
    // A hundredth of the run, towards its end.
    let length = (last - first) / 100;
    let (from, to) = (last - 20 * length, last - 19 * length);

    let (mut window, mut plain) = (Vec::new(), Vec::new());
    let mut events = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        // Nothing is known from the round before.
        let trace = EventTrace::new(&experiment)?;
        let replay = trace.replay(from, to, &all, History::Skip)?;
        events = replay
            .map(|event| event.map(|_| 1))
            .sum::<Result<u64, _>>()?;
        window.push(start.elapsed());
        let start = Instant::now();
        decode(&experiment, from, to)?;
        plain.push(start.elapsed());
    }
    let (window, plain) = (median(&mut window), median(&mut plain));
    println!(
        "stretch of {events} events: {window:.1?}; plain decode of its blocks: {plain:.1?}; ratio \
         {:.2}",
        window.as_secs_f64() / plain.as_secs_f64()
    );

    let start = Instant::now();
    let first = EventTrace::new(&experiment)?;
    drop(first.replay(from, to, &all, History::Read)?);
    let read = start.elapsed();
    let kept = std::env::temp_dir().join(format!("window_cost-{}", std::process::id()));
    first.keep_summaries(&kept)?;
    let start = Instant::now();
    let trace = EventTrace::new(&experiment)?;
    assert!(trace.recall_summaries(&kept));
    drop(trace.replay(from, to, &all, History::Read)?);
    let recalled = start.elapsed();
    let bytes = std::fs::metadata(&kept)?.len();
    std::fs::remove_file(&kept)?;
    println!(
        "all that lies before, {} of {} events: {read:.2?}; from what was kept ({bytes} bytes): \
         {recalled:.2?}",
        trace.events_before_at_least(from),
        trace.events(),
    );
    Ok(())
}

/// Decodes every block that may hold an event of the stretch, without looking at the events.
fn decode(experiment: &Experiment, from: u64, to: u64) -> Result<u64, Box<dyn Error>> {
    let mut sum = 0u64;
    for stream in experiment.streams() {
        let blocks = stream.blocks().iter().enumerate();
        let concerned = blocks.filter(|(_, b)| b.last_time >= from && b.first_time < to);
        for (number, _) in concerned {
            for event in stream.block_events(number)? {
                sum = sum.wrapping_add(event?.time);
            }
        }
    }
    Ok(sum)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
