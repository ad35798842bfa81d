//! Balanced, large, wide and hostile results.

use pgas_cube::model::Thread;
use pgas_result::AnalysisResult;
use pgas_result::summary::{Finding, FindingKind};

use super::measuring::throttled;
use super::run::{Run, metric_id};

/// All threads equally busy.
pub fn balanced(threads: usize) -> AnalysisResult {
    let mut run = Run::new(threads);
    let root = run.call_path(None, "jacobi", "", 0);
    let main = run.call_path(Some(root), "main", "jacobi.upc", 88);
    let relax = run.call_path(Some(main), "relax", "jacobi.upc", 41);
    let barrier = run.call_path(Some(main), "upc_barrier", "jacobi.upc", 131);
    run.add("computation", main, &vec![0.01; threads]);
    run.add("computation", relax, &vec![7.5; threads]);
    run.add("barrier", barrier, &vec![0.004; threads]);
    run.add("visits", relax, &vec![200.0; threads]);
    run.result("./jacobi", &[], 7.52)
}

/// 1,024 threads, of which 700 has more to do, and a few less.
pub fn many() -> AnalysisResult {
    let threads = 1024;
    let mut run = Run::new(threads);
    run.cube.nodes = (0..16).map(|n| format!("node-{n}")).collect();
    for (number, thread) in run.cube.threads.iter_mut().enumerate() {
        thread.node = number / 64;
    }
    let root = run.call_path(None, "stencil", "", 0);
    let main = run.call_path(Some(root), "main", "stencil.upc", 10);
    let barrier = run.call_path(Some(main), "upc_barrier", "stencil.upc", 30);
    let put = run.call_path(Some(main), "upc_put", "stencil.upc", 25);
    let mut load: Vec<f64> = (0..threads)
        .map(|t| 1800.0 + 400.0 * (t as f64 / 1023.0))
        .collect();
    load[700] = 3900.0;
    load[3] = 900.0;
    let wait: Vec<f64> = load.iter().map(|l| 3900.0 - l).collect();
    run.add("computation", main, &load);
    run.add("wait_at_barrier", barrier, &wait);
    run.add("barrier", barrier, &vec![1.0; threads]);
    run.add("one_sided", put, &vec![99.0; threads]);
    run.add("bytes_put_remote", put, &vec![8e9; threads]);
    run.findings = vec![Finding {
        kind: FindingKind::Wait,
        saves_seconds: None,
        overlaps: Vec::new(),
        metric: "wait_at_barrier".into(),
        seconds: wait.iter().sum(),
        percent: 47.4,
        region: "upc_barrier".into(),
        function: "main".into(),
        file: "stencil.upc".into(),
        line: 30,
        call_path: barrier,
        culprit_thread: Some(700),
        cause: "Thread 700 came last at all barriers: it computed in main (stencil.upc:10).".into(),
        advice: "Look at what thread 700 does differently.".into(),
        worst: None,
    }];
    run.result("stencil", &["8192", "8192", "100"], 4000.0)
}

/// Names that want to break the report, or the terminal.
pub fn hostile() -> AnalysisResult {
    let mut run = Run::new(2);
    let long = "solve_system_of_equations_with_preconditioner<std::complex<long double>, \
                std::allocator<std::complex<long double>>>";
    let file = "/home/somebody with \
                spaces/projects/application-2026/src/très/long/chemin/数値計算/multigrid \
                solver/relaxation.upc";
    let root = run.call_path(None, "\x1b]0;owned\x07\x1b[2J", "", 0);
    let mut parent = root;
    for depth in 0..12 {
        parent = run.call_path(Some(parent), &format!("{long}_{depth}"), file, 1000 + depth);
    }
    let rtl = run.call_path(
        Some(parent),
        "evil\u{202e}cnuf\u{200b}\r\n<b>&\"'",
        "<script>.c",
        7,
    );
    let emoji = run.call_path(Some(parent), "計算👩‍👩‍👧‍👦e\u{301}", "größe.c", u32::MAX);
    run.add("computation", parent, &[1.0, 0.5]);
    run.add("computation", rtl, &[1e-7, 2e-8]);
    run.add("computation", emoji, &[0.25, 0.0]);
    run.add("wait_at_barrier", rtl, &[0.0, 0.75]);
    run.cube.metrics[8].display_name = format!("Wait\x1b[5m {long}");
    run.cube.nodes = vec![format!("node\n{long}")];
    run.cube
        .attributes
        .insert("started".into(), format!("yesterday\t{long}"));
    run.findings = vec![Finding {
        kind: FindingKind::Wait,
        saves_seconds: None,
        overlaps: Vec::new(),
        metric: "wait_at_barrier".into(),
        seconds: 0.75,
        percent: 30.0,
        region: long.into(),
        function: long.into(),
        file: file.into(),
        line: 1011,
        call_path: rtl,
        culprit_thread: Some(0),
        cause: format!("Thread 0 was in {long}{long} at {file}:1011\x1b[31m."),
        advice: "数値計算の関数名がとても長い場合の例".repeat(5),
        worst: None,
    }];
    run.remarks = vec![format!("lost\x07 {}", "x".repeat(300))];
    run.recording.throttled = vec![
        throttled(long, file, u64::MAX, 1e9),
        throttled("", "", 0, 0.0),
    ];
    run.counter("\x1b[2Jcycles", &[(rtl, &[1e30, 0.0])]);
    run.result(
        "/a/very/long/path/to/the/program/that/was/measured/with a space/in.it",
        &["--key=\"value\"", "\x1b[31mred", "it's", ""],
        1.3,
    )
}

/// A run of `leaves` functions that a hundred phases call, with a different time on each thread.
pub fn wide(leaves: usize, threads: usize) -> AnalysisResult {
    let mut run = Run::new(threads);
    let root = run.call_path(None, "wide", "", 0);
    let main = run.call_path(Some(root), "main", "wide.upc", 10);
    run.add("computation", main, &vec![0.25; threads]);
    let phases: Vec<usize> = (0..leaves.min(100))
        .map(|phase| run.call_path(Some(main), &format!("phase_{phase}"), "wide.upc", 20))
        .collect();
    for leaf in 0..leaves {
        let name = format!("leaf_{leaf}");
        let phase = phases[leaf % phases.len()];
        let path = run.call_path(Some(phase), &name, "wide.upc", 100 + leaf as u32);
        let scale = 1.0 / (1 + leaf) as f64;
        let values: Vec<f64> = (0..threads)
            .map(|thread| scale * (1.0 + thread as f64 / threads as f64))
            .collect();
        run.add("computation", path, &values);
        run.add("visits", path, &vec![100.0; threads]);
        if leaf % 4 == 0 {
            let barrier = run.call_path(Some(path), "upc_barrier", "wide.upc", 101);
            let waits: Vec<f64> = values.iter().map(|value| 2.0 * scale - value).collect();
            run.add("wait_at_barrier", barrier, &waits);
        }
    }
    let wall = run
        .cube
        .per_thread(metric_id("time"))
        .into_iter()
        .fold(0.0, f64::max);
    run.result("wide", &[], wall)
}
