//! Any bytes as an answer of the manager of a run, and as its stream of events: an error or a value,
//! and matrices in which each object can be looked up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_watch_client::{Announcement, Change, Matrices, Messages, Picture, Point, Series};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else {
        return;
    };
    match first % 6 {
        0 => drop(serde_json::from_slice::<Announcement>(bytes)),
        1 => drop(serde_json::from_slice::<Picture>(bytes)),
        2 => drop(serde_json::from_slice::<Vec<Point>>(bytes)),
        3 => drop(serde_json::from_slice::<Vec<Series>>(bytes)),
        4 => look_up(bytes),
        _ => follow(bytes),
    }
});

fn look_up(bytes: &[u8]) {
    let Ok(matrices) = serde_json::from_slice::<Matrices>(bytes) else {
        return;
    };
    for matrix in &matrices.matrices {
        assert!(matrices.level(&matrix.level).is_some());
        for object in &matrix.objects {
            for metric in &matrix.metrics {
                let _ = matrix.value(object, &metric.name);
            }
        }
    }
}

fn follow(bytes: &[u8]) {
    for message in Messages::new(bytes) {
        let message = message.expect("a stream in memory");
        let data = message.data.as_bytes();
        assert!(data.len() <= bytes.len() * 3);
        let _ = serde_json::from_slice::<Picture>(data);
        let _ = serde_json::from_slice::<Change>(data);
    }
}
