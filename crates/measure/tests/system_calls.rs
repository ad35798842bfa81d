//! System calls of recording on the file system that holds the experiment, counted by strace: on a
//! file system that all nodes share, every such call of every thread comes to one server. Run by
//! scripts/test, which installs strace.

mod support;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use support::{Numbering, compile};

const THREADS: u32 = 4;

/// The calls of all processes on anything below the experiment directory, by name, with their
/// results.
type Calls = BTreeMap<String, Vec<i64>>;

/// Records a program of one process for each thread.
fn record(files: &str, buffer: &str, calls: &str) -> (Calls, usize) {
    let program = compile("calls.c", Numbering::Berkeley);
    let experiment = program.experiment().display().to_string();
    let common = program.command(THREADS);
    let processes = (0..THREADS).map(|thread| {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-y", "-e", "trace=%file,%desc", "-o"])
            .arg(program.directory.path().join(format!("strace-{thread}")))
            .arg(&program.executable)
            .arg(calls)
            .envs(
                common
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .env("TEST_THREAD", thread.to_string())
            .env("PGAS_FILES", files)
            .env("PGAS_BUFFER", buffer)
            .stdout(Stdio::null());
        command.spawn().expect("strace, which this test needs")
    });
    for mut process in processes.collect::<Vec<_>>() {
        assert!(process.wait().unwrap().success());
    }
    let mut found = Calls::new();
    for thread in 0..THREADS {
        let log = program.directory.path().join(format!("strace-{thread}"));
        let text = std::fs::read(log).unwrap();
        let text = String::from_utf8_lossy(&text);
        // Where two threads of a process call at a time, the rest of the line, with the result,
        // comes later.
        for line in text.lines().filter(|line| line.contains(&experiment)) {
            let call = line.split_once(' ').unwrap().1.trim_start();
            let (name, arguments) = call.split_once('(').unwrap();
            let result = line.rsplit_once(" = ").map_or("", |(_, result)| result);
            let number = result.split([' ', '<']).next().unwrap_or_default();
            let name = match name {
                "openat" | "open" if arguments.contains("O_CREAT") => "create",
                // The kernel knows that by itself.
                "statx" if arguments.contains("AT_STATX_DONT_SYNC") => "identity",
                name => name,
            };
            let results = found.entry(name.to_owned()).or_default();
            results.push(number.parse().unwrap_or(-1));
        }
    }
    let streams = program.experiment().join("streams");
    (found, std::fs::read_dir(streams).unwrap().count())
}

#[test]
#[ignore = "needs strace; scripts/test runs it"]
fn no_thread_asks_a_file_server_for_more_than_it_must() {
    println!("calls of {THREADS} threads, and bytes of a write");
    // A short run, which fits into a buffer, and one of many buffers.
    for (buffer, calls) in [("4M", "500000"), ("64K", "2000000")] {
        for (files, expected) in [("thread", THREADS as usize), ("node", 1)] {
            let (found, there) = record(files, buffer, calls);
            let write = match files {
                "thread" => "pwrite64",
                _ => "writev",
            };
            let mut sizes = found[write].clone();
            let summary: Vec<String> = found
                .iter()
                .map(|(name, results)| format!("{name} {}", results.len()))
                .collect();
            println!(
                "--files {files}, buffers of {buffer}: {there} files, {}; {} bytes a write",
                summary.join(", "),
                sizes.iter().sum::<i64>() / sizes.len() as i64
            );
            assert_eq!(there, expected);
            // One opening each, and nothing that asks a server about files or makes it write.
            let allowed = ["create", "close", "fcntl", "identity", write];
            for name in found.keys() {
                assert!(allowed.contains(&name.as_str()), "{files}: {name}");
            }
            assert_eq!(found["create"].len(), THREADS as usize);
            // A thread writes its description at the beginning, then buffers, then the rest.
            sizes.retain(|&size| size >= 0);
            sizes.sort_unstable();
            let few = 2 * THREADS as usize;
            match buffer {
                "4M" => assert_eq!(sizes.len(), few),
                _ => assert!(sizes.len() > 2 * few),
            }
        }
    }
}
