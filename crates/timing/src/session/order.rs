//! Thread 0's orders to all threads.

use crate::collectives;
use crate::processes::Processes;

/// What all threads do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Compare the clocks.
    Compare,
    /// Start launches, the first one numbered `launch`, at `start` in global ticks, with `interval`
    /// in between.
    Stage {
        start: u64,
        interval: u64,
        launches: u32,
        launch: u64,
    },
    /// No more launches.
    End,
}

impl Order {
    fn to_words(self) -> [u64; 5] {
        match self {
            Order::Compare => [0; 5],
            Order::Stage {
                start,
                interval,
                launches,
                launch,
            } => [1, start, interval, u64::from(launches), launch],
            Order::End => [2; 5],
        }
    }

    fn from_words(words: [u64; 5]) -> Self {
        match words[0] {
            0 => Order::Compare,
            1 => Order::Stage {
                start: words[1],
                interval: words[2],
                launches: words[3] as u32,
                launch: words[4],
            },
            _ => Order::End,
        }
    }

    /// From thread 0, which passes the order, to the others, whose argument does not matter.
    pub(super) fn pass<P: Processes + ?Sized>(self, processes: &P) -> Self {
        let mut words = self.to_words();
        collectives::broadcast(processes, &mut words);
        Order::from_words(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_arrive_as_they_were_sent() {
        let stage = Order::Stage {
            start: 1,
            interval: 2,
            launches: 3,
            launch: 4,
        };
        for order in [Order::Compare, stage, Order::End] {
            assert_eq!(Order::from_words(order.to_words()), order);
        }
    }
}
