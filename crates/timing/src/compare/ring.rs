//! Comparison along a ring: each clock with the one before it.
//!
//! A thread that asks cannot answer at the same time without delaying its answers, so there are two
//! rounds: in the first each clock with an odd number asks the one before it, in the second the
//! others do. Two rounds for a thousand clocks as for three.

use super::link::{self, Link};
use super::{GlobalClock, Sharing};
use crate::job::Settings;
use crate::processes::Processes;

pub(super) fn exchange<P: Processes + ?Sized>(
    processes: &P,
    settings: &Settings,
    sharing: &Sharing,
    clock: &GlobalClock,
) -> Link {
    let thread = processes.thread();
    let Some(number) = sharing.clocks.iter().position(|&first| first == thread) else {
        return Link::default();
    };
    let mut found = Link::default();
    let own = |time| clock.own(time);
    for round in [1, 0] {
        if number % 2 == round && number > 0 {
            let before = sharing.clocks[number - 1];
            found = link::ask(processes, &own, before, settings.exchanges);
        } else if number % 2 != round && number + 1 < sharing.clocks.len() {
            link::answer(processes, &own, sharing.clocks[number + 1]);
        }
    }
    found
}
