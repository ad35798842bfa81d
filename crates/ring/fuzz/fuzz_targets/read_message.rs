//! Any bytes as the body of a message of the ring, signed or not: refused, or answers of nodes that
//! become pictures.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pgas_monitor::{Assembler, Look};
use pgas_ring::{Message, Refused, Secret};

static SECRET: LazyLock<Secret> = LazyLock::new(|| Secret::new().expect("random numbers"));

/// The first byte chooses; most inputs are answers of nodes.
const PATHS: [&str; 8] = [
    "/round",
    "/round",
    "/round",
    "/register",
    "/metrics",
    "/end",
    "/",
    "/round",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, body)) = bytes.split_first() else {
        return;
    };
    let path = PATHS[usize::from(first % 8)];
    let wrong = String::from_utf8_lossy(body);
    for signature in [None, Some(&*wrong)] {
        let refused = Message::read(&SECRET, path, signature, body);
        assert_eq!(refused.err(), Some(Refused::Unsigned));
    }
    let signature = SECRET.sign(path, body);
    let Ok(message) = Message::read(&SECRET, path, Some(&signature), body) else {
        return;
    };
    let parts = message.into_parts();
    let number: usize = parts.iter().map(|part| part.seen.len()).sum();
    if let Look::Going(picture) = Assembler::new(Path::new("run")).look(parts) {
        assert_eq!(picture.seen as usize, number);
    }
});
