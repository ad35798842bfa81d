//! Files that are not what they should be, and a disk that is full: errors name file and place, and
//! the measured program never suffers.

use crate::bench::{Bench, cache, clean, contains, last_line};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A few thousand events a thread.
const BUSY: &str = r#"#include <upc.h>
#include <stdio.h>

shared int cell[THREADS];

int main(void) {
    int round, sum = 0;
    for (round = 0; round < 3000; round++) {
        sum += cell[(MYTHREAD + 1) % THREADS];
        upc_barrier;
    }
    if (MYTHREAD == 0) puts("finished");
    return 5 + sum;
}
"#;

/// An experiment of [`BUSY`] in small blocks, and the streams in it.
fn recorded() -> (Bench, PathBuf, Vec<PathBuf>) {
    let bench = Bench::new();
    bench.compile(BUSY, &[]);
    let mut command = bench.command(&["run", "-n", "2", "-o", "experiment", "./prog"]);
    command.env("PGAS_BUFFER", "4096").assert().code(5);
    let experiment = bench.path("experiment");
    let mut streams: Vec<PathBuf> = fs::read_dir(experiment.join("streams"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    streams.sort();
    assert!(!streams.is_empty());
    (bench, experiment, streams)
}

fn visits(bench: &Bench) -> f64 {
    bench.json()["metrics"]["visits"]["total"].as_f64().unwrap()
}

#[test]
fn a_stream_that_was_cut_short_is_read_as_far_as_it_goes() {
    let (bench, _, streams) = recorded();
    bench.ok(&["analyze"]);
    let whole = visits(&bench);
    let bytes = fs::read(&streams[0]).unwrap();
    fs::write(&streams[0], &bytes[..bytes.len() * 6 / 10]).unwrap();
    let told = bench.told(&["analyze"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    contains(&told.err, &["warning: "]);
    assert!(visits(&bench) < whole);
    let remarks = bench.json()["remarks"].to_string();
    assert!(remarks.len() > 10, "{remarks}");
}

#[test]
fn a_damaged_stream_is_an_error_with_file_and_offset() {
    let (bench, experiment, streams) = recorded();
    let mut bytes = fs::read(&streams[0]).unwrap();
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 16] {
        *byte ^= 0x5a;
    }
    fs::write(&streams[0], bytes).unwrap();
    let err = bench.refused(&["analyze"]);
    let name = streams[0].file_name().unwrap().to_str().unwrap();
    contains(&err, &[name, "offset", "expected"]);
    assert!(!experiment.join("analysis/summary.json").exists());
}

#[test]
fn a_foreign_stream_is_an_error_with_its_name() {
    let (bench, _, streams) = recorded();
    let name = streams[0]
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_string();
    for content in [
        &b"#!/bin/sh\necho this is no trace at all, but long enough to hold a header\n"[..],
        b"",
        b"PG",
    ] {
        fs::write(&streams[0], content).unwrap();
        let told = bench.told(&["analyze"]);
        // An empty stream may stem from a run that was killed at once; then it is remarked upon.
        assert!(
            told.status == Some(2) || (content.len() < 8 && told.status == Some(0)),
            "{told:?}"
        );
        contains(&told.err, &[&name]);
        assert!(!told.err.contains("panicked"), "{}", told.err);
    }
}

#[test]
fn a_damaged_description_is_an_error_with_file_and_line() {
    let (bench, experiment, _) = recorded();
    fs::write(
        experiment.join("experiment.json"),
        "{\n  \"schema\": 1,\n  \"program\":",
    )
    .unwrap();
    contains(
        &bench.refused(&["analyze", "experiment"]),
        &["experiment.json", "line 3"],
    );
}

#[test]
fn a_damaged_result_is_an_error_with_its_place() {
    let (bench, experiment, _) = recorded();
    bench.ok(&["analyze"]);
    let profile = experiment.join("analysis/profile.cube");
    let whole = fs::read(&profile).unwrap();
    fs::write(&profile, &whole[..whole.len() / 2]).unwrap();
    contains(&bench.refused(&["report"]), &["profile.cube:", "byte "]);
    fs::write(&profile, "not XML at all").unwrap();
    contains(&bench.refused(&["report"]), &["profile.cube:"]);
    fs::write(&profile, whole).unwrap();
    fs::write(experiment.join("analysis/summary.json"), "[1, 2").unwrap();
    contains(&bench.refused(&["report"]), &["summary.json"]);
    bench.ok(&["analyze"]);
    bench.ok(&["report"]);
}

#[test]
fn a_full_disk_does_not_touch_the_program() {
    let bench = Bench::new();
    bench.compile(&BUSY.replace("3000", "60000"), &[]);
    let output = run_on_full_disk(&bench);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{out}{err}");
    contains(&out, &["finished"]);
    contains(&err, &["No space left"]);
    assert!(last_line(&out).ends_with("experiment"), "{out}");
}

/// Runs `prog` with its experiment on a disk of a few blocks: a small file system in a mount
/// namespace of its own where the system allows that, else a library that answers writes to streams
/// as a full disk does.
fn run_on_full_disk(bench: &Bench) -> Output {
    fs::create_dir(bench.path("disk")).unwrap();
    let run = format!(
        "exec '{}' run -n 2 -o disk/experiment ./prog",
        env!("CARGO_BIN_EXE_pgastool")
    );
    let mount = "mount -t tmpfs -o size=64k none disk";
    let namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", script]);
        prepare(&mut command, &bench.path(""));
        command.output()
    };
    if namespace(mount).is_ok_and(|output| output.status.success()) {
        return namespace(&format!("{mount} && {run}")).unwrap();
    }
    bench.write(
        "full.c",
        r#"#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_full(int fd, size_t count) {
    static long left = 32768;
    char link[40], path[4096];
    ssize_t length;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    if (!strstr(path, "/streams/") || (left -= (long)count) >= 0) return 0;
    errno = ENOSPC;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
    return is_full(fd, count) ? -1 : REAL(write)(fd, bytes, count);
}
ssize_t writev(int fd, const struct iovec *parts, int number) {
    size_t count = 0;
    for (int i = 0; i < number; i++) count += parts[i].iov_len;
    return is_full(fd, count) ? -1 : REAL(writev)(fd, parts, number);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    return is_full(fd, count) ? -1 : REAL(pwrite)(fd, bytes, count, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    return is_full(fd, count) ? -1 : REAL(pwrite64)(fd, bytes, count, offset);
}
"#,
    );
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o", "full.so", "full.c", "-ldl"])
        .current_dir(bench.path(""))
        .status()
        .unwrap();
    assert!(built.success());
    let mut command = Command::new("sh");
    command
        .args(["-c", &run])
        .env("LD_PRELOAD", bench.path("full.so"));
    prepare(&mut command, &bench.path(""));
    command.output().unwrap()
}

fn prepare(command: &mut Command, directory: &Path) {
    clean(|name| {
        command.env_remove(name);
    });
    command
        .env("PGAS_CACHE_DIR", cache())
        .env("PGAS_BUFFER", "4096")
        .env("PGAS_COMPRESS", "none")
        .current_dir(directory);
}
