//! More synchronisation, and more single accesses, than is needed.

use pgas_cube::model::CallPath;
use pgas_result::AnalysisResult;
use pgas_result::accesses::{
    Accesses, ArrayLayout, BlockTransfer, CostSource, DistributionPlace, FineGrained,
    LayoutMismatch, LayoutUse, Misplaced, OwnAffinity, ThreadOwn, ThreadRuns, ThreadShare,
    WrongSide,
};
use pgas_result::communication::{Communication, Flow, Pair};
use pgas_result::summary::{Finding, FindingKind};
use pgas_result::synchronization::{AdviceKind, Synchronization, SynchronizationAdvice};

use super::run::Run;
use super::shapes::balanced;

/// A sum over all threads in a loop, with more synchronisation than it needs.
pub fn too_much_synchronization() -> AnalysisResult {
    let mut result = balanced(4);
    let path = |region: &str| {
        let paths = &result.cube.call_paths;
        let of_region =
            |path: &pgas_cube::model::CallPath| result.cube.regions[path.region.0].name == region;
        paths.iter().position(of_region).expect("a call path")
    };
    let barrier = path("upc_barrier");
    let advice = |kind, saves_seconds| SynchronizationAdvice {
        kind,
        call_path: barrier,
        instances: 100,
        flag: None,
        enough: None,
        barrier: None,
        seconds: 3.0 * saves_seconds,
        saves_seconds,
    };
    result.summary.synchronization = Some(Synchronization {
        advice: vec![
            advice(AdviceKind::OwnDataBarrier, 0.25),
            SynchronizationAdvice {
                flag: Some("UPC_IN_ALLSYNC".into()),
                enough: Some("UPC_IN_NOSYNC".into()),
                barrier: Some(barrier),
                ..advice(AdviceKind::WeakerEntry, 0.0125)
            },
            advice(AdviceKind::RepeatedBarrier, 0.01),
            advice(AdviceKind::UnrelatedBarrier, 0.01),
            advice(AdviceKind::WeakerExit, 0.01),
            advice(AdviceKind::Other, 0.01),
            advice(AdviceKind::Other, 0.001),
        ],
        note: Some("a filter was in effect: accesses that it leaves out are not considered".into()),
    });
    result.summary.findings = vec![Finding {
        kind: FindingKind::RemovableBarrier,
        saves_seconds: Some(0.25),
        overlaps: Vec::new(),
        metric: "wait_at_barrier".into(),
        seconds: 0.75,
        percent: 2.5,
        region: "upc_barrier".into(),
        function: "main".into(),
        file: "jacobi.upc".into(),
        line: 31,
        call_path: barrier,
        culprit_thread: None,
        cause: "In all 100 instances each thread touched only its own shared data.".into(),
        advice: "Try to leave it out.".into(),
        worst: None,
    }];
    result
}

/// Threads that read each other's data one element at a time, most of all the next one's.
pub fn neighbours(threads: u32) -> AnalysisResult {
    let mut run = Run::new(threads as usize);
    let main = run.call_path(None, "main", "ring.upc", 5);
    let get = run.call_path(Some(main), "upc_get", "ring.upc", 12);
    let mut pairs = Vec::new();
    let mut sums = vec![Flow::default(); threads as usize];
    for thread in 0..threads {
        for step in 0..threads {
            let operations = u64::from(4000 / (step * step + 1));
            let flow = Flow {
                operations,
                gets: operations,
                get_bytes: 8 * operations,
                seconds: operations as f64 * 1e-4 * f64::from(thread + 4),
                ..Flow::default()
            };
            pairs.push(Pair {
                thread,
                owner: (thread + step) % threads,
                flow,
            });
            let sum = &mut sums[thread as usize];
            sum.operations += operations;
            sum.gets += operations;
            sum.get_bytes += flow.get_bytes;
            sum.seconds += flow.seconds;
        }
    }
    let spent: Vec<f64> = sums.iter().map(|sum| sum.seconds).collect();
    run.add("computation", main, &vec![1.0; threads as usize]);
    run.add("one_sided", get, &spent);
    run.findings.push(Finding {
        kind: FindingKind::FineGrained,
        saves_seconds: Some(3.25),
        overlaps: Vec::new(),
        metric: "one_sided".into(),
        seconds: spent.iter().sum(),
        percent: 40.0,
        region: "upc_get".into(),
        function: "main".into(),
        file: "ring.upc".into(),
        line: 12,
        call_path: get,
        culprit_thread: Some(threads - 1),
        cause: "4000 reads of 8 bytes each form 4 runs through data of one thread that lies side \
                by side (1000 in a run on average, 1000 at most), and take 400 µs each."
            .into(),
        advice: "Fetch each run with one upc_memget into private memory before the loop around \
                 line 12 in main."
            .into(),
        worst: None,
    });
    let mut result = run.result("ring", &[], 9.5);
    result.summary.communication = Some(Communication {
        complete: true,
        pairs,
        by_owner: sums.clone(),
        by_thread: sums,
        unknown: None,
        locality: None,
    });
    result.summary.accesses = Accesses {
        fine_grained: vec![FineGrained {
            call_path: get,
            threads: vec![ThreadRuns {
                thread: 0,
                runs: 4,
                accesses: 4000,
                bytes: 32_000,
                seconds: 1.6,
                saves_seconds: 1.5,
            }],
            longest: 1000,
            assumed: false,
            stride: None,
            block: BlockTransfer {
                latency_seconds: 2e-6,
                bytes_per_second: Some(4e9),
                source: CostSource::Fitted,
            },
        }],
        own_affinity: vec![OwnAffinity {
            call_path: get,
            threads: vec![ThreadOwn {
                thread: 0,
                accesses: 4000,
                bytes: 32_000,
                seconds: 1.6,
                saves_seconds: 1.5,
            }],
        }],
        wrong_side: vec![WrongSide {
            call_path: get,
            data: vec![Misplaced {
                owner: 1 % threads,
                thread: 0,
                percent: 66.0,
                accesses: 2000,
                bytes: 16_000,
                seconds: 0.8,
            }],
            shift: Some(1),
            own_recorded: true,
        }],
        layout: vec![LayoutMismatch {
            call_path: get,
            used: LayoutUse::InPieces,
            threads: vec![ThreadShare {
                thread: 0,
                accesses: 4000,
                seconds: 1.6,
            }],
        }],
        distributions: vec![ArrayLayout {
            name: "a".into(),
            file: "a.upc".into(),
            line: 3,
            elements: 1024,
            element_bytes: 8,
            block: 1,
            better_block: 256,
            one_block_each: true,
            samples: 500,
            local_percent: 99.5,
            low_percent: 98.25,
            high_percent: 99.75,
            own_recorded: false,
            loops_follow: false,
            places: vec![DistributionPlace {
                call_path: get,
                percent: 87.5,
                seconds: 0.125,
                threads: vec![ThreadShare {
                    thread: 0,
                    accesses: 60,
                    seconds: 0.125,
                }],
            }],
        }],
        placement: Vec::new(),
    };
    result
}
