//! Waiting within one compound event: the patterns of the analysis applied to it, with the spans of
//! time that each of them claims, not only their sums.

use pgas_analyze::attribution::{Attribution, Charge};
use pgas_analyze::patterns::{Formula, PATTERNS};
use pgas_earl::operation::is_collective_allocation;
use pgas_earl::{BarrierInstance, BarrierRecord, CollectiveInstance, LockHandover, Span};
use pgas_trace::model::{Operation, ThreadId};

/// Time that one thread lost to one pattern in one compound event.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// The pattern, by its place in [`PATTERNS`].
    pub pattern: usize,
    /// What was charged; the call path is the cube's.
    pub charge: Charge,
    /// The parts of time that it is made of, in order.
    pub parts: Vec<Span>,
}

/// What is in the way of a claim: regions inside of the operation, and what was claimed before.
struct Member<'r> {
    thread: ThreadId,
    nested: &'r [Span],
    claimed: Vec<Span>,
}

/// Applies the patterns to the members that `claims` has.
fn apply(
    claims: &mut Attribution,
    members: &mut [Member],
    judge: impl Fn(Formula, &mut Attribution),
) -> Vec<Wait> {
    let mut waits = Vec::new();
    for (number, pattern) in PATTERNS.iter().enumerate() {
        claims.next_pattern();
        match pattern.formula {
            Formula::Any(judge) => judge(claims),
            formula => judge(formula, claims),
        }
        for charge in claims.charges() {
            let member = members.iter_mut().find(|m| m.thread == charge.thread);
            let Some(member) = member else { continue };
            let taken = member.nested.iter().chain(&member.claimed).copied();
            let parts = free_parts(Span::new(charge.begin, charge.end), taken.collect());
            member.claimed.push(Span::new(charge.begin, charge.end));
            waits.push(Wait {
                pattern: number,
                charge: *charge,
                parts,
            });
        }
    }
    waits
}

/// What is left of a span without others.
fn free_parts(span: Span, mut taken: Vec<Span>) -> Vec<Span> {
    taken.sort_unstable_by_key(|taken| taken.begin);
    let mut parts = Vec::new();
    let mut reached = span.begin;
    for taken in taken {
        if taken.begin > reached {
            parts.push(Span::new(reached, taken.begin.min(span.end)));
        }
        reached = reached.max(taken.end);
        if reached >= span.end {
            return parts;
        }
    }
    if reached < span.end {
        parts.push(Span::new(reached, span.end));
    }
    parts
}

/// The waits in a barrier.
pub fn in_barrier(barrier: &BarrierInstance) -> Vec<Wait> {
    let mut claims = Attribution::default();
    claims.clear();
    let mut members = Vec::with_capacity(barrier.members.len());
    for (thread, member) in barrier.members.iter().enumerate() {
        let thread = thread as ThreadId;
        claims.member(
            thread,
            member.path,
            member.span,
            &member.nested,
            &member.no_core,
        );
        members.push(Member {
            thread,
            nested: &member.nested,
            claimed: Vec::new(),
        });
    }
    apply(&mut claims, &mut members, |formula, claims| {
        if let Formula::Barrier(judge) = formula {
            judge(barrier, claims);
        }
    })
}

/// The waits in a collective operation or allocation, or at the end of the program.
pub fn in_collective(instance: &CollectiveInstance) -> Vec<Wait> {
    if instance.operation == Operation::CollectiveExit {
        if instance
            .members
            .iter()
            .any(|member| member.contains_barrier)
        {
            return Vec::new();
        }
        let members = instance.members.iter().map(|member| BarrierRecord {
            path: member.path,
            span: member.span,
            notify: None,
            value: None,
            nested: member.nested.clone(),
            no_core: member.no_core.clone(),
        });
        return in_barrier(&BarrierInstance {
            number: instance.number,
            members: members.collect(),
        });
    }
    let mut claims = Attribution::default();
    claims.clear();
    let mut members = Vec::with_capacity(instance.members.len());
    for (thread, member) in instance.members.iter().enumerate() {
        let thread = thread as ThreadId;
        claims.member(
            thread,
            member.path,
            member.span,
            &member.nested,
            &member.no_core,
        );
        members.push(Member {
            thread,
            nested: &member.nested,
            claimed: Vec::new(),
        });
    }
    let allocation = is_collective_allocation(instance.operation);
    apply(&mut claims, &mut members, |formula, claims| match formula {
        Formula::Collective(judge) if !allocation => judge(instance, claims),
        Formula::Allocation(judge) if allocation => judge(instance, claims),
        _ => {}
    })
}

/// The wait for a lock.
pub fn for_lock(handover: &LockHandover) -> Vec<Wait> {
    let acquisition = &handover.acquisition;
    if acquisition.attempt {
        return Vec::new();
    }
    let mut claims = Attribution::default();
    claims.clear();
    let (path, span) = (acquisition.path, acquisition.span);
    claims.member(
        handover.thread,
        path,
        span,
        &acquisition.nested,
        &acquisition.no_core,
    );
    let mut member = [Member {
        thread: handover.thread,
        nested: &acquisition.nested,
        claimed: Vec::new(),
    }];
    apply(&mut claims, &mut member, |formula, claims| {
        if let Formula::Lock(judge) = formula {
            judge(handover, claims);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_what_nobody_took() {
        let spans = |spans: &[(u64, u64)]| -> Vec<Span> {
            spans.iter().map(|&(a, b)| Span::new(a, b)).collect()
        };
        for (taken, parts) in [
            (spans(&[]), spans(&[(10, 30)])),
            (spans(&[(15, 20), (0, 12)]), spans(&[(12, 15), (20, 30)])),
            (spans(&[(5, 40)]), spans(&[])),
            (
                spans(&[(12, 18), (14, 16), (29, 50)]),
                spans(&[(10, 12), (18, 29)]),
            ),
            (spans(&[(30, 40), (1, 10)]), spans(&[(10, 30)])),
        ] {
            assert_eq!(free_parts(Span::new(10, 30), taken), parts);
        }
    }
}
