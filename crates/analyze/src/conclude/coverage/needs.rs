//! Which blind spots are in the way of which kind of advice: the table, in one place.

use pgas_result::withheld::{AdviceKind, BlindSpotKind};

use AdviceKind::*;
use BlindSpotKind::*;

/// All kinds of advice that need something.
pub const KINDS: [AdviceKind; 10] = [
    OwnDataBarrier,
    RepeatedBarrier,
    UnrelatedBarrier,
    WeakerMode,
    ModeBesideBarrier,
    Layout,
    WrongSide,
    OwnAffinity,
    FineGrained,
    Placement,
];

/// Data of others, and any other way in which threads may depend on each other, must have been seen
/// everywhere and to the end: an instance of a barrier that was not recorded goes with those that
/// were.
const OTHERS_DATA: &[BlindSpotKind] = &[
    Filtered,
    SwitchedOff,
    NotInstrumented,
    UnknownCompiler,
    UnreportedCall,
    Elsewhere,
    Cast,
    Throttled,
    Counted,
    Paused,
    ProfileOnly,
    TraceLimit,
    Lost,
    Unmatched,
];

/// Everything, of a thread's own part too.
const ALL_DATA: &[BlindSpotKind] = &[
    Filtered,
    SwitchedOff,
    NotInstrumented,
    UnknownCompiler,
    UnreportedCall,
    Elsewhere,
    Cast,
    OwnAccesses,
    Throttled,
    Counted,
    Paused,
    ProfileOnly,
    TraceLimit,
    Lost,
    Unmatched,
];

/// Numbers of accesses by accessing thread and owner: throttled calls, and those after the limit of
/// a trace, are counted by owner.
const USERS: &[BlindSpotKind] = &[
    Filtered,
    SwitchedOff,
    NotInstrumented,
    UnknownCompiler,
    UnreportedCall,
    Elsewhere,
    Cast,
    Paused,
    Lost,
];

/// Whose data one line accesses.
const ONE_LINE: &[BlindSpotKind] = &[Filtered, SwitchedOff, Paused, Lost];

/// Most of what threads exchange. What a compiler's code does through pointers to private does not go
/// between nodes.
const TRAFFIC: &[BlindSpotKind] = &[
    Filtered,
    SwitchedOff,
    NotInstrumented,
    UnreportedCall,
    Elsewhere,
    Paused,
    Lost,
];

/// Activity of one thread between two accesses of a line.
const ONE_THREAD: &[BlindSpotKind] = &[Filtered, SwitchedOff];

/// Whether a blind spot is in the way of advice.
pub fn is_in_the_way(advice: AdviceKind, spot: BlindSpotKind) -> bool {
    let needs = match advice {
        OwnDataBarrier | WeakerMode => OTHERS_DATA,
        RepeatedBarrier | UnrelatedBarrier | ModeBesideBarrier => ALL_DATA,
        Layout | WrongSide => USERS,
        OwnAffinity => ONE_LINE,
        FineGrained => ONE_THREAD,
        Placement => TRAFFIC,
        // Nobody knows what it needs.
        AdviceKind::Other => return true,
    };
    needs.contains(&spot) || spot == BlindSpotKind::Other
}

/// Whether advice is about synchronisation.
pub fn is_of_synchronization(advice: AdviceKind) -> bool {
    matches!(
        advice,
        OwnDataBarrier | RepeatedBarrier | UnrelatedBarrier | WeakerMode | ModeBesideBarrier
    )
}

/// Whether a blind spot is one that readers must know of even if there was nothing to withhold: it
/// may have hidden that, and somebody chose it for this run. A cast, or own accesses that are not
/// recorded, are what programs mostly are like.
pub fn is_evident(advice: AdviceKind, spot: BlindSpotKind) -> bool {
    match advice {
        OwnDataBarrier | WeakerMode => !matches!(spot, Cast | UnknownCompiler | UnreportedCall),
        Layout | WrongSide | OwnAffinity | FineGrained => matches!(spot, Filtered | SwitchedOff),
        _ => false,
    }
}
