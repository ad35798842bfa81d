//! Notices that no process of a program has anything left to do: Mattern's four counters.
//!
//! Processes report when they are idle, with the frames that they have sent and accepted. If all
//! were idle and the sums agree, process 0 asks all once more. If they are idle still and their
//! counts are the same, then nothing was under way between the two rounds, and never will be.

use crate::remote::frame::Counts;

/// What process 0 knows of all.
pub(crate) struct Detector {
    reports: Vec<Option<Counts>>,
    confirmed: Vec<bool>,
    round: u64,
    asking: bool,
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Nothing,
    /// Ask all processes.
    Ask(u64),
    /// All are idle for ever.
    Quiet,
}

impl Detector {
    pub fn new(processes: usize) -> Self {
        Self {
            reports: vec![None; processes],
            confirmed: vec![false; processes],
            round: 0,
            asking: false,
        }
    }

    /// A process is idle.
    pub fn report(&mut self, process: usize, counts: Counts) -> Next {
        if self.reports[process] == Some(counts) {
            return self.ask();
        }
        self.reports[process] = Some(counts);
        self.asking = false;
        self.ask()
    }

    /// A process answers; `None` if it is not idle.
    pub fn reply(&mut self, process: usize, round: u64, counts: Option<Counts>) -> Next {
        if round != self.round || !self.asking {
            return Next::Nothing;
        }
        if counts.is_none() || counts != self.reports[process] {
            self.reports[process] = counts;
            self.asking = false;
            return self.ask();
        }
        self.confirmed[process] = true;
        if self.confirmed.iter().all(|confirmed| *confirmed) {
            Next::Quiet
        } else {
            Next::Nothing
        }
    }

    fn ask(&mut self) -> Next {
        let sums = self
            .reports
            .iter()
            .try_fold((0, 0), |(sent, accepted), counts| {
                counts.map(|counts| (sent + counts.sent, accepted + counts.accepted))
            });
        match sums {
            Some((sent, accepted)) if sent == accepted && !self.asking => {
                self.asking = true;
                self.round += 1;
                self.confirmed.fill(false);
                Next::Ask(self.round)
            }
            _ => Next::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(sent: u64, accepted: u64) -> Counts {
        Counts { sent, accepted }
    }

    #[test]
    fn frames_under_way_are_waited_for() {
        let mut detector = Detector::new(2);
        assert_eq!(detector.report(0, counts(1, 0)), Next::Nothing);
        assert_eq!(detector.report(1, counts(0, 0)), Next::Nothing);
        assert_eq!(detector.report(1, counts(0, 1)), Next::Ask(1));
        assert_eq!(detector.reply(0, 1, Some(counts(1, 0))), Next::Nothing);
        assert_eq!(detector.reply(1, 1, Some(counts(0, 1))), Next::Quiet);
    }

    #[test]
    fn a_process_that_ran_between_the_rounds_is_asked_again() {
        let mut detector = Detector::new(2);
        assert_eq!(detector.report(0, counts(1, 1)), Next::Nothing);
        assert_eq!(detector.report(1, counts(1, 1)), Next::Ask(1));
        assert_eq!(detector.reply(0, 1, Some(counts(2, 1))), Next::Nothing);
        assert_eq!(detector.reply(1, 1, Some(counts(1, 1))), Next::Nothing);
        assert_eq!(detector.report(1, counts(1, 2)), Next::Ask(2));
        assert_eq!(detector.reply(0, 2, None), Next::Nothing);
        assert_eq!(detector.report(0, counts(2, 1)), Next::Ask(3));
        assert_eq!(detector.reply(0, 3, Some(counts(2, 1))), Next::Nothing);
        assert_eq!(detector.reply(1, 3, Some(counts(1, 2))), Next::Quiet);
    }
}
