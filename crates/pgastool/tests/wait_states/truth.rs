//! The truth that a program prints about itself: for every pattern the loss that it was written
//! for, and the loss of each of its threads by the program's own clock.

use std::collections::BTreeMap;

/// Of one pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Metric id.
    pub pattern: String,
    /// Loss that the program injects, in seconds summed over threads; 0 where it injects nothing.
    pub planned: f64,
    /// By thread, in seconds.
    pub truth: Vec<f64>,
}

#[derive(Debug, Default)]
pub struct Truth {
    pub losses: Vec<Loss>,
    /// By (call path like `main/outer/inner`, metric id): seconds by thread.
    pub call_paths: BTreeMap<(String, String), Vec<f64>>,
}

/// Reads the lines `TRUTH pattern planned seconds...` and `TRUTH_AT path pattern seconds...`.
/// Panics if there are none, or if they have values for another number of threads.
pub fn truth(printed: &str, threads: u32) -> Truth {
    let seconds = |words: &[&str]| -> Vec<f64> {
        let values: Vec<f64> = words
            .iter()
            .map(|word| {
                word.parse()
                    .unwrap_or_else(|_| panic!("'{word}' is no number of seconds"))
            })
            .collect();
        assert_eq!(values.len(), threads as usize, "{printed}");
        values
    };
    let mut truth = Truth::default();
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["TRUTH", pattern, planned, ref values @ ..] => truth.losses.push(Loss {
                pattern: pattern.into(),
                planned: planned.parse().expect("seconds"),
                truth: seconds(values),
            }),
            ["TRUTH_AT", path, pattern, ref values @ ..] => {
                let key = (path.into(), pattern.into());
                truth.call_paths.insert(key, seconds(values));
            }
            _ => {}
        }
    }
    assert!(
        !truth.losses.is_empty(),
        "the program printed no truth:\n{printed}"
    );
    truth
}
