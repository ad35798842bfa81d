//! Single accesses to shared data that a runtime takes as local and does not report.

use pgas_earl::PathId;
use pgas_trace::Stream;
use pgas_trace::metadata::Metadata;
use pgas_trace::model::Operation;
use pgas_trace::properties::RUNTIME;
use pgas_trace::samples::{ARRAYS, SharedArray};

use crate::pipeline::search::Found;

const BERKELEY: &str = "berkeley";

/// For programs of Berkeley UPC that have data on several threads and of which no single access was
/// seen.
pub fn remark(found: &Found, metadata: &Metadata, streams: &[Stream]) -> Option<String> {
    let is_berkeleys = |stream: &Stream| stream.property(RUNTIME) == Some(BERKELEY);
    // A filter may have left them out, and says so.
    let may_lack = found.threads.len() > 1 && metadata.filters.is_empty();
    if !may_lack || !streams.iter().any(is_berkeleys) || sees_single_accesses(found) {
        return None;
    }
    (has_distributed_arrays(streams) || has_transfers(found)).then(|| {
        "no single access to shared data (as a[i] = 1) was seen, though threads have data of each \
         other's: Berkeley UPC takes accesses on one node as local and does not report them; if \
         the program has any, compile it with --inst-local, or run it with \
         GASNET_SUPERNODE_MAXSIZE=1 in the environment"
            .to_owned()
    })
}

fn sees_single_accesses(found: &Found) -> bool {
    let paths = found.matcher.paths();
    (0..paths.len() as u32).map(PathId).any(|path| {
        matches!(
            paths.operation(path),
            Some(Operation::Get | Operation::Put | Operation::RemoteGet | Operation::RemotePut)
        )
    })
}

fn has_distributed_arrays(streams: &[Stream]) -> bool {
    let arrays = streams.iter().filter_map(|stream| stream.property(ARRAYS));
    arrays
        .flat_map(SharedArray::all)
        .any(|array| array.block > 0 && array.elements > array.block)
}

/// Whether threads copied data of other threads.
fn has_transfers(found: &Found) -> bool {
    let mut threads = (0..).zip(&found.threads);
    threads.any(|(thread, profile)| {
        let mut paths = profile.accesses.paths.values();
        paths.any(|at| at.remote(thread).accesses > 0)
    })
}
