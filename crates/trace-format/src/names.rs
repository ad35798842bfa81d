//! Names of the files of an experiment.

use crate::checksum;

/// Name of the description in an experiment directory.
pub const METADATA_FILE: &str = "experiment.json";
/// Name of the directory of streams in an experiment directory.
pub const STREAMS: &str = "streams";
/// File name extension of a file with the stream of one thread.
pub const THREAD_EXTENSION: &str = "pgt";
/// File name extension of a file with the streams of all threads of a node.
pub const NODE_EXTENSION: &str = "pgn";

/// Longest part of a host's name in the name of a file, in bytes.
const LONGEST_HOST: usize = 64;

/// Name of the file for the stream of a thread.
pub fn of_thread(thread: u32) -> String {
    format!("thread-{thread:04}.{THREAD_EXTENSION}")
}

/// Name of the file for the threads of a node. `node` tells it from all others, even of the same
/// name.
pub fn of_node(host: &str, node: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let host: String = host.chars().filter(is_plain).take(LONGEST_HOST).collect();
    let sum = checksum(node.as_bytes()) as u32;
    format!("node-{host}-{sum:08x}.{NODE_EXTENSION}")
}

#[cfg(test)]
mod tests {
    use super::of_node;

    #[test]
    fn names_tell_nodes_apart_and_are_plain() {
        assert_ne!(of_node("a", "1"), of_node("a", "2"));
        let odd = of_node("../ä b\n", "1");
        assert!(
            odd.starts_with("node-..b-") && odd.ends_with(".pgn"),
            "{odd}"
        );
        assert!(of_node(&"x".repeat(1000), "1").len() < 128);
    }
}
