//! Attributes of events as the recorder keeps and compares them: three words, so that the hot path
//! has them in registers and finds out with three comparisons whether a record may leave them out.

use pgas_trace_format::encode;
use pgas_trace_format::model::{Address, Attributes, GroupFlow, SyncMode, TaskReason};

/// Attributes of operations below this number do not exist: functions and user regions.
pub(crate) const FIRST_WITH_ATTRIBUTES: u8 = 8;

/// An [`Attributes`] in three words; equal if and only if those are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Kind of the attributes in the low byte; above it a field of at most 32 bits.
    kind: u64,
    first: u64,
    /// If it has a number of bytes, that; of a collective operation, those received.
    second: u64,
}

const BARRIER: u64 = 1;
const NAMED_BARRIER: u64 = 2;
const TRANSFER: u64 = 3;
const COPY: u64 = 4;
const ALLOCATION: u64 = 5;
const LOCK: u64 = 6;
const ATTEMPT: u64 = 7;
const COLLECTIVE: u64 = 8;
const EXIT: u64 = 9;
const SKIPPED: u64 = 10;
const TRANSFER_AT: u64 = 11;
const COPY_AT: u64 = 12;
/// No attributes, but says that the last ones had addresses.
const ADDRESSED: u64 = 13;
const OBJECT: u64 = 14;
const GROUP: u64 = 15;
const MESSAGE: u64 = 16;
const TASK: u64 = 17;
const TASK_LEFT: u64 = 18;
const TASK_CREATE: u64 = 19;
const CHANNEL_CREATE: u64 = 20;
const CHANNEL_MESSAGE: u64 = 21;
const CHANNEL: u64 = 22;
const SELECT_WAIT: u64 = 23;
/// A message of a channel whose numbers have no room.
const BIG_MESSAGE: u64 = 24;

/// Bits for each thread of a copy with addresses, and for each of its addresses. Where that does
/// not do, it is one without: processors have no more bits for addresses of a process, unless it
/// asks for that.
const COPY_THREAD: u32 = 20;
const COPY_ADDRESS: u32 = 48;

/// Bits for the parts of a message of a channel. Processes have 20, and each 2^32 channels; a
/// channel takes 2^52 messages, at 10 ns each in 500 days.
const CHANNEL_BITS: u32 = 52;
const MESSAGE_BITS: u32 = 52;
const BYTES_BITS: u32 = 40;
const QUEUED_BITS: u32 = 40;

impl Packed {
    pub(crate) const NONE: Packed = Packed {
        kind: 0,
        first: 0,
        second: 0,
    };

    /// Stands for attributes with addresses where those of a site's last Enter are kept. It is
    /// equal to none that an Enter can have.
    pub(crate) const ADDRESSED: Packed = Packed {
        kind: ADDRESSED,
        first: 0,
        second: 0,
    };

    #[inline(always)]
    fn new(kind: u64, more: u32, first: u64, second: u64) -> Self {
        Packed {
            kind: kind | u64::from(more) << 8,
            first,
            second,
        }
    }

    /// Bytes that a call moves or allocates.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> u64 {
        match self.kind & 0xff {
            TRANSFER | TRANSFER_AT | COPY | ALLOCATION | MESSAGE => self.second,
            COPY_AT => self.copy_at().4,
            COLLECTIVE => self.first.wrapping_add(self.second),
            CHANNEL_MESSAGE => self.kind >> 8 & ((1 << BYTES_BITS) - 1),
            _ => 0,
        }
    }

    /// Thread and bytes of a transfer, which nearly all operations that move data are.
    #[inline(always)]
    pub(crate) fn transfer(&self) -> Option<(u32, u64)> {
        const _: () = assert!(TRANSFER | 8 == TRANSFER_AT);
        let is_transfer = (self.kind | 8) & 0xff == TRANSFER_AT;
        is_transfer.then_some(((self.kind >> 8) as u32, self.second))
    }

    /// Kind of the attributes and, of a transfer, its partner: equal for transfers that differ in
    /// their bytes or addresses at most.
    #[inline(always)]
    pub(crate) fn kind(&self) -> u64 {
        self.kind
    }

    /// Bytes of a transfer; of other attributes, meaningless.
    #[inline(always)]
    pub(crate) fn transferred(&self) -> u64 {
        self.second
    }

    /// Whether data is moved, so that there may be a partner and bytes.
    #[inline(always)]
    pub(crate) fn moves_data(&self) -> bool {
        const MOVING: u64 = 1 << TRANSFER
            | 1 << TRANSFER_AT
            | 1 << COPY
            | 1 << COPY_AT
            | 1 << MESSAGE
            | 1 << COLLECTIVE;
        MOVING >> (self.kind & 0x3f) & 1 != 0
    }

    /// The lock that an operation is about.
    pub(crate) fn lock(&self) -> Option<u64> {
        (self.kind & 0xff == LOCK).then_some(self.first)
    }

    /// Whether an attempt to take a lock was successful.
    pub(crate) fn has_acquired(&self) -> bool {
        self.kind == ATTEMPT | 1 << 8
    }

    /// Key that splits the sums of transfers by partner: the other thread plus 1, or 0 for none.
    /// The partner of a copy is the side that is not `thread` itself.
    #[inline(always)]
    pub(crate) fn partner(&self, thread: u32, threads: u32) -> u32 {
        let partner = match self.kind & 0xff {
            TRANSFER | TRANSFER_AT | MESSAGE => (self.kind >> 8) as u32,
            COPY_AT => {
                let (source, _, destination, ..) = self.copy_at();
                if source == thread {
                    destination
                } else {
                    source
                }
            }
            COPY if (self.kind >> 8) as u32 == thread => self.first as u32,
            COPY => (self.kind >> 8) as u32,
            _ => return 0,
        };
        // Thread numbers from the program's runtime are not to be trusted.
        if partner < threads { partner + 1 } else { 0 }
    }

    /// Attributes that the format has in at most eight bytes, and how many: those of nearly all
    /// transfers.
    #[inline(always)]
    pub(crate) fn word(&self) -> Option<(u64, usize)> {
        if self.kind & 0xff != TRANSFER {
            return None;
        }
        encode::transfer_word((self.kind >> 8) as u32, self.second)
    }

    /// Whether there are addresses.
    #[inline(always)]
    pub(crate) fn has_addresses(&self) -> bool {
        matches!(self.kind & 0xff, TRANSFER_AT | COPY_AT)
    }

    /// The address of a transfer.
    #[inline(always)]
    pub(crate) fn address(&self) -> Option<u64> {
        (self.kind & 0xff == TRANSFER_AT).then_some(self.first)
    }

    /// Whether two transfers differ in their addresses at most.
    #[inline(always)]
    pub(crate) fn is_alike(&self, other: &Packed) -> bool {
        (self.kind, self.second) == (other.kind, other.second)
    }

    /// Attributes of a transfer whose address is so far from the one before it, as
    /// [`Packed::word`].
    #[inline(always)]
    pub(crate) fn word_at(&self, distance: i64) -> Option<(u64, usize)> {
        encode::transfer_at_word((self.kind >> 8) as u32, self.second, distance)
    }

    /// A copy with addresses: source and destination, each a thread and an address, and bytes. The
    /// upper bits of the three words are the bytes.
    fn with_addresses(
        source: (u32, Option<Address>),
        destination: (u32, Option<Address>),
        bytes: u64,
    ) -> Self {
        let number = |address: Option<Address>| address.map_or(0, Address::number);
        let (from, to) = (number(source.1), number(destination.1));
        let fits = (source.0 | destination.0) >> COPY_THREAD == 0
            && (from | to | bytes) >> COPY_ADDRESS == 0;
        if !fits || from | to == 0 {
            return Packed::new(COPY, source.0, u64::from(destination.0), bytes);
        }
        let threads = u64::from(source.0) | u64::from(destination.0) << COPY_THREAD;
        Packed {
            kind: COPY_AT | threads << 8 | bytes >> 32 << COPY_ADDRESS,
            first: from | bytes >> 16 << COPY_ADDRESS,
            second: to | bytes << COPY_ADDRESS,
        }
    }

    /// The reverse of [`Packed::with_addresses`]: thread and address of the source, of the
    /// destination, and bytes.
    fn copy_at(&self) -> (u32, u64, u32, u64, u64) {
        let thread = |shift: u32| (self.kind >> shift) as u32 & ((1 << COPY_THREAD) - 1);
        let address = |word: u64| word & ((1 << COPY_ADDRESS) - 1);
        let upper = |word: u64| word >> COPY_ADDRESS;
        (
            thread(8),
            address(self.first),
            thread(8 + COPY_THREAD),
            address(self.second),
            upper(self.kind) << 32 | upper(self.first) << 16 | upper(self.second),
        )
    }

    /// A message of a channel. One that has no room (a size of a tebibyte) stands there without its
    /// numbers, as a message of which nothing is known.
    #[inline(always)]
    fn of_message(channel: u64, message: u64, bytes: u64, queued: u64) -> Self {
        let fits = channel >> CHANNEL_BITS | message >> MESSAGE_BITS == 0
            && bytes >> BYTES_BITS | queued >> QUEUED_BITS == 0;
        if !fits {
            return Packed::new(BIG_MESSAGE, 0, 0, 0);
        }
        Packed {
            kind: CHANNEL_MESSAGE | bytes << 8 | queued >> 24 << 48,
            first: channel | queued >> 12 << CHANNEL_BITS,
            second: message | queued << MESSAGE_BITS,
        }
    }

    /// The reverse of [`Packed::of_message`].
    fn message(&self) -> Attributes {
        let low = |word: u64, bits: u32| word & ((1 << bits) - 1);
        Attributes::ChannelMessage {
            channel: low(self.first, CHANNEL_BITS),
            message: low(self.second, MESSAGE_BITS),
            bytes: low(self.kind >> 8, BYTES_BITS),
            queued: self.kind >> 48 << 24
                | self.first >> CHANNEL_BITS << 12
                | self.second >> MESSAGE_BITS,
        }
    }

    /// Of a collective operation.
    fn root(&self) -> Option<u32> {
        let root = (self.kind >> ROOT_SHIFT).checked_sub(1)?;
        Some(root as u32)
    }

    /// The same attributes with this root.
    #[inline(always)]
    fn with_root(mut self, root: Option<u32>) -> Self {
        self.kind |= root.map_or(0, |root| u64::from(root) + 1) << ROOT_SHIFT;
        self
    }

    /// As the format has them.
    pub(crate) fn unpacked(&self) -> Attributes {
        let more = (self.kind >> 8) as u32;
        match self.kind & 0xff {
            BARRIER => Attributes::Barrier { value: None },
            NAMED_BARRIER => Attributes::Barrier {
                value: Some(more as i32),
            },
            TRANSFER => Attributes::transfer(more, self.second),
            COPY => Attributes::copy(more, self.first as u32, self.second),
            TRANSFER_AT => Attributes::transfer_at(more, self.second, self.first),
            COPY_AT => {
                let (source, from, destination, to, bytes) = self.copy_at();
                Attributes::copy_at((source, from), (destination, to), bytes)
            }
            ALLOCATION => Attributes::Allocation { bytes: self.second },
            LOCK => Attributes::Lock { lock: self.first },
            OBJECT => Attributes::Object {
                object: self.first,
                units: self.second,
            },
            GROUP => Attributes::Group {
                group: self.first,
                members: self.second as u32,
                flow: GroupFlow::from_number(more & 3).unwrap_or(GroupFlow::Unknown),
                root: self.root(),
            },
            MESSAGE => Attributes::Message {
                partner: more,
                bytes: self.second,
                group: self.first,
            },
            ATTEMPT => Attributes::LockAttempt {
                acquired: more != 0,
            },
            COLLECTIVE => Attributes::Collective {
                root: self.root(),
                sent: self.first,
                received: self.second,
                sync_in: mode_of(more >> 2),
                sync_out: mode_of(more),
            },
            EXIT => Attributes::Exit {
                status: more as i32,
            },
            SKIPPED => Attributes::Skipped {
                barriers: self.first,
                collectives: self.second,
            },
            TASK => Attributes::Task { task: self.first },
            TASK_LEFT => Attributes::TaskLeft {
                reason: TaskReason::from_number(more).unwrap_or(TaskReason::Yielded),
            },
            TASK_CREATE => Attributes::TaskCreate {
                task: self.first,
                processor: more,
            },
            CHANNEL_CREATE => Attributes::ChannelCreate {
                channel: self.first,
                capacity: (more != 0).then_some(self.second),
            },
            CHANNEL_MESSAGE => self.message(),
            CHANNEL => Attributes::Channel {
                channel: self.first,
            },
            SELECT_WAIT => Attributes::SelectWait { inputs: more },
            _ => Attributes::None,
        }
    }
}

/// Of a collective operation: the root plus 1 lies above the modes, or the flow.
const ROOT_SHIFT: u32 = 16;

impl From<Attributes> for Packed {
    #[inline(always)]
    fn from(attributes: Attributes) -> Self {
        match attributes {
            Attributes::None => Packed::NONE,
            Attributes::Barrier { value: None } => Packed::new(BARRIER, 0, 0, 0),
            Attributes::Barrier { value: Some(value) } => {
                Packed::new(NAMED_BARRIER, value as u32, 0, 0)
            }
            Attributes::Transfer {
                partner,
                bytes,
                address: None,
            } => Packed::new(TRANSFER, partner, 0, bytes),
            Attributes::Transfer {
                partner,
                bytes,
                address: Some(address),
            } => Packed::new(TRANSFER_AT, partner, address.number(), bytes),
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address: None,
                destination_address: None,
            } => Packed::new(COPY, source, u64::from(destination), bytes),
            Attributes::Copy {
                source,
                destination,
                bytes,
                source_address,
                destination_address,
            } => Packed::with_addresses(
                (source, source_address),
                (destination, destination_address),
                bytes,
            ),
            Attributes::Allocation { bytes } => Packed::new(ALLOCATION, 0, 0, bytes),
            Attributes::Lock { lock } => Packed::new(LOCK, 0, lock, 0),
            Attributes::Object { object, units } => Packed::new(OBJECT, 0, object, units),
            Attributes::LockAttempt { acquired } => Packed::new(ATTEMPT, u32::from(acquired), 0, 0),
            Attributes::Collective {
                root,
                sent,
                received,
                sync_in,
                sync_out,
            } => {
                let modes = number_of(sync_in) << 2 | number_of(sync_out);
                Packed::new(COLLECTIVE, modes, sent, received).with_root(root)
            }
            Attributes::Group {
                group,
                members,
                flow,
                root,
            } => {
                let flow = u32::from(flow.number());
                Packed::new(GROUP, flow, group, u64::from(members)).with_root(root)
            }
            Attributes::Message {
                partner,
                bytes,
                group,
            } => Packed::new(MESSAGE, partner, group, bytes),
            Attributes::Exit { status } => Packed::new(EXIT, status as u32, 0, 0),
            Attributes::Skipped {
                barriers,
                collectives,
            } => Packed::new(SKIPPED, 0, barriers, collectives),
            Attributes::Task { task } => Packed::new(TASK, 0, task, 0),
            Attributes::TaskLeft { reason } => {
                Packed::new(TASK_LEFT, u32::from(reason.number()), 0, 0)
            }
            Attributes::TaskCreate { task, processor } => {
                Packed::new(TASK_CREATE, processor, task, 0)
            }
            Attributes::ChannelCreate { channel, capacity } => Packed::new(
                CHANNEL_CREATE,
                u32::from(capacity.is_some()),
                channel,
                capacity.unwrap_or(0),
            ),
            Attributes::ChannelMessage {
                channel,
                message,
                bytes,
                queued,
            } => Packed::of_message(channel, message, bytes, queued),
            Attributes::Channel { channel } => Packed::new(CHANNEL, 0, channel, 0),
            Attributes::SelectWait { inputs } => Packed::new(SELECT_WAIT, inputs, 0, 0),
        }
    }
}

#[inline(always)]
fn number_of(mode: SyncMode) -> u32 {
    match mode {
        SyncMode::None => 0,
        SyncMode::Mine => 1,
        SyncMode::All => 2,
    }
}

fn mode_of(number: u32) -> SyncMode {
    match number & 3 {
        0 => SyncMode::None,
        1 => SyncMode::Mine,
        _ => SyncMode::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_in_packing() {
        const MODES: [SyncMode; 3] = [SyncMode::None, SyncMode::Mine, SyncMode::All];
        let numbers = [0, 1, 255, 256, 1 << 31, u32::MAX];
        let mut all = vec![
            Attributes::None,
            Attributes::Barrier { value: None },
            Attributes::LockAttempt { acquired: false },
            Attributes::LockAttempt { acquired: true },
        ];
        all.extend(TaskReason::ALL.map(|reason| Attributes::TaskLeft { reason }));
        for a in numbers {
            let value = a as i32;
            all.push(Attributes::SelectWait { inputs: a });
            all.push(Attributes::Barrier { value: Some(value) });
            all.push(Attributes::Exit { status: value });
            for b in numbers.map(|b| u64::from(b) << 32 | u64::from(a)) {
                all.push(Attributes::Allocation { bytes: b });
                all.push(Attributes::Lock { lock: b });
                all.push(Attributes::Task { task: b });
                all.push(Attributes::Channel { channel: b });
                all.push(Attributes::TaskCreate {
                    task: b,
                    processor: a,
                });
                for capacity in [None, Some(0), Some(b)] {
                    all.push(Attributes::ChannelCreate {
                        channel: b,
                        capacity,
                    });
                }
                all.push(Attributes::Skipped {
                    barriers: b,
                    collectives: u64::from(a),
                });
                all.push(Attributes::transfer(a, b));
                all.push(Attributes::transfer_at(a, b, 1));
                all.push(Attributes::transfer_at(a, u64::from(a), b.max(1)));
                for (i, c) in numbers.into_iter().enumerate() {
                    all.push(Attributes::copy(a, c, b));
                    let (from, to) = (a % (1 << COPY_THREAD), c % (1 << COPY_THREAD));
                    let within = b % (1 << COPY_ADDRESS);
                    let others = u64::from(c) << 16;
                    all.push(Attributes::copy_at((from, within), (to, others), 7));
                    all.push(Attributes::copy_at((to, others), (from, 16), within));
                    all.push(Attributes::copy_at((to, 0), (from, within), others));
                    all.push(Attributes::ChannelMessage {
                        channel: b >> (64 - CHANNEL_BITS),
                        message: b % (1 << MESSAGE_BITS),
                        bytes: u64::from(c) << 8 | (u64::from(a) % 256),
                        queued: u64::from(a) << 8 | (u64::from(c) % 256),
                    });
                    all.push(Attributes::Message {
                        partner: a,
                        bytes: within,
                        group: b,
                    });
                    all.push(Attributes::Group {
                        group: b,
                        members: a,
                        flow: GroupFlow::ALL[i % 4],
                        root: (i > 0).then_some(c),
                    });
                    all.push(Attributes::Collective {
                        root: (i > 0).then_some(c),
                        sent: b,
                        received: u64::from(a),
                        sync_in: MODES[i % 3],
                        sync_out: MODES[i / 2],
                    });
                }
            }
        }
        // Numbers that only repeat each other.
        all.sort_by_key(|attributes| format!("{attributes:?}"));
        all.dedup();
        for a in &all {
            assert_eq!(Packed::from(*a).unpacked(), *a);
        }
        for pair in all.windows(2) {
            assert_ne!(Packed::from(pair[0]), Packed::from(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn what_finds_no_room_is_a_copy_without_addresses() {
        let most = (1 << COPY_ADDRESS) - 1;
        for (source, destination, bytes) in [
            ((1 << COPY_THREAD, 1), (0, 1), 8),
            ((0, 1), (u32::MAX, 1), 8),
            ((0, most + 1), (1, 1), 8),
            ((0, 1), (1, u64::MAX), 8),
            ((0, most), (1, most), most + 1),
        ] {
            let copy = Attributes::copy_at(source, destination, bytes);
            let expected = Attributes::copy(source.0, destination.0, bytes);
            assert_eq!(Packed::from(copy).unpacked(), expected);
        }
    }

    #[test]
    fn a_message_that_finds_no_room_is_one_without_numbers() {
        let message = |channel, message, bytes, queued| Attributes::ChannelMessage {
            channel,
            message,
            bytes,
            queued,
        };
        for too_big in [
            message(1 << CHANNEL_BITS, 0, 0, 0),
            message(0, 1 << MESSAGE_BITS, 0, 0),
            message(0, 0, 1 << BYTES_BITS, 0),
            message(0, 0, 0, 1 << QUEUED_BITS),
        ] {
            let packed = Packed::from(too_big);
            assert_eq!(packed.unpacked(), Attributes::None);
            // A reader must not take those of the message before it.
            assert_ne!(packed, Packed::from(message(0, 0, 0, 0)));
        }
    }

    #[test]
    fn partners_are_threads_of_the_program() {
        let partner = |attributes: Attributes, thread| Packed::from(attributes).partner(thread, 4);
        let transfer = |partner| Attributes::transfer(partner, 3);
        assert_eq!(partner(transfer(3), 0), 4);
        assert_eq!(partner(transfer(4), 0), 0);
        assert_eq!(partner(transfer(u32::MAX), 0), 0);
        let copy = |source, destination| Attributes::copy(source, destination, 3);
        assert_eq!(partner(copy(1, 2), 1), 3);
        assert_eq!(partner(copy(2, 1), 1), 3);
        assert_eq!(partner(copy(1, 1), 1), 2);
        assert_eq!(partner(Attributes::Allocation { bytes: 3 }, 1), 0);
        assert_eq!(Packed::from(copy(1, 1)).bytes(), 3);
        let transfer = Attributes::transfer_at(2, 1 << 40, 64);
        assert_eq!(partner(transfer, 1), 3);
        assert_eq!(Packed::from(transfer).bytes(), 1 << 40);
        let copy = Attributes::copy_at((1, 64), (2, 128), 1 << 40);
        assert_eq!((partner(copy, 1), partner(copy, 0)), (3, 2));
        assert_eq!(Packed::from(copy).bytes(), 1 << 40);
        assert_eq!(Packed::from(Attributes::Lock { lock: 3 }).bytes(), 0);
    }
}
