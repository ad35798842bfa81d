//! Any bytes as a file of definitions: an error in one of its lines, or definitions whose conditions
//! can be evaluated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_metrics::{DefinitionError, Definitions, MOST_REGIONS, Values, lines, parse_file};

/// A thread whose regions and metrics have this value.
struct All(u64);

impl Values for All {
    fn inside(&self) -> u64 {
        self.0
    }

    fn metric(&self, _: &str) -> u64 {
        self.0
    }

    fn thread(&self) -> u64 {
        self.0
    }

    fn threads(&self) -> u64 {
        self.0
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut definitions = Definitions::default();
    let is_valid = match parse_file(&text, "metrics", &mut definitions) {
        Ok(()) => true,
        Err(problem) => {
            check(&problem, &text);
            false
        }
    };
    assert!(definitions.regions.len() <= MOST_REGIONS);
    let mut again = Definitions::default();
    for (_, definition) in lines(&text) {
        // As the recorder takes them: each by itself.
        let known = again.clone();
        let added = again.add(definition);
        assert!(added.is_ok() || (again == known && !is_valid));
    }
    assert!(!is_valid || again == definitions);
    for definition in &again.all {
        let conditions = definition.condition.iter();
        conditions.for_each(|condition| evaluate(condition));
    }
});

/// The error points into its line, or at its end.
fn check(problem: &DefinitionError, text: &str) {
    assert!(problem.column <= problem.text.chars().count());
    assert!(text.contains(&problem.text));
    let shown = problem.to_string();
    assert!(shown.starts_with("metrics:") && shown.ends_with('^'));
}

fn evaluate(condition: &pgas_metrics::Condition) {
    for value in [0, 1, u64::MAX] {
        let _ = condition.holds(&All(value));
    }
    let _ = condition.depends_on_metrics();
}
