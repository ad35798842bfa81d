//! Any bytes as a machine's costs: an error, or a value whose figures can be asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgas_machine::{Distance, Group, Machine, Question};

fuzz_target!(|bytes: &[u8]| {
    let Ok(machine) = Machine::from_json(bytes) else {
        return;
    };
    for measured in &machine.operations {
        for distance in [Distance::Own, Distance::Near, Distance::Far] {
            let (model, role) = (&measured.model, measured.role);
            let near = |bytes| machine.transfer_near(model, role, distance, bytes);
            let lines = [0.0, 1e3, 1e30].map(near);
            let all = machine.transfer(model, role, distance);
            for line in lines.into_iter().chain([all]).flatten() {
                assert!(line.latency >= 0.0 && line.per_byte >= 0.0, "{line:?}");
            }
        }
        for point in &measured.points {
            let question = Question {
                model: &measured.model,
                operation: &measured.operation,
                arguments: Default::default(),
                bytes: point.bytes.map(|bytes| bytes / 2 + 1),
            };
            let group = Group {
                threads: point.threads,
                nodes: point.nodes,
            };
            if let Some(expected) = machine.expected(&question, group) {
                assert!(expected.seconds >= 0.0, "{expected:?}");
            }
        }
    }
});
