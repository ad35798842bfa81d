//! Tables of the numbers that stand for things in files: one for writers and readers. The kinds of
//! records and of attributes are here; what has a meaning of its own beside the format is defined
//! with it, by the same macro.

/// Defines an enum from the table of its numbers, and of its names if it has some, with the
/// conversion of numbers in both directions.
macro_rules! table {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident: $number:ident {
            $($(#[$doc:meta])* $variant:ident = $value:literal => $text:literal),+ $(,)?
        }

        $(#[$name_attribute:meta])*
        pub fn name;
    ) => {
        $crate::tags::table! {
            $(#[$attribute])*
            pub enum $name: $number {
                $($(#[$doc])* $variant = $value),+
            }
        }

        impl $name {
            $(#[$name_attribute])*
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }
    };
    (
        $(#[$attribute:meta])*
        pub enum $name:ident: $number:ident {
            $($(#[$doc:meta])* $variant:ident = $value:literal),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[repr($number)]
        pub enum $name {
            $($(#[$doc])* $variant = $value),+
        }

        impl $name {
            /// All of them, in ascending order of numbers.
            pub const ALL: [Self; [$($value),+].len()] = [$(Self::$variant),+];

            /// The number that stands for it in files.
            #[inline(always)]
            pub const fn number(self) -> $number {
                self as $number
            }

            /// The meaning of that number; `None` if it has none.
            #[inline(always)]
            pub fn from_number(number: impl Into<u64>) -> Option<Self> {
                match number.into() {
                    $($value => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use table;

table! {
    /// The two low bits of a record's first integer; the others are the time since the record
    /// before.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RecordTag: u64 {
        /// With the attributes of the site's previous Enter.
        Enter = 0,
        /// With the attributes of the site's previous Exit.
        Exit = 1,
        /// With attributes of its own.
        EnterWith = 2,
        /// With attributes of its own.
        ExitWith = 3,
    }
}

impl RecordTag {
    /// Bits of a record's first integer that are its tag.
    const BITS: u32 = 2;
    /// Largest difference of time that a record can hold; a larger one needs a new block.
    pub const MAX_DIFFERENCE: u64 = u64::MAX >> Self::BITS;

    /// The first integer of a record, `difference` ticks after the one before.
    #[inline(always)]
    pub const fn head(self, difference: u64) -> u64 {
        difference << Self::BITS | self.number()
    }

    /// The tag and the difference of time in a record's first integer.
    #[inline(always)]
    pub fn of_head(head: u64) -> (Self, u64) {
        let tag = Self::from_number(head & ((1 << Self::BITS) - 1));
        // All numbers of two bits are in the table.
        (tag.unwrap_or(RecordTag::ExitWith), head >> Self::BITS)
    }
}

table! {
    /// The first integer of an event's attributes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AttributesTag: u64 {
        /// No attributes.
        None = 0,
        /// A barrier without a value.
        Barrier = 1,
        /// A barrier with its value.
        BarrierValue = 2,
        /// A transfer without an address.
        Transfer = 3,
        /// A copy without addresses.
        Copy = 4,
        /// An allocation.
        Allocation = 5,
        /// An operation on a lock, except for the end of an attempt.
        Lock = 6,
        /// An attempt that did not take the lock.
        AttemptFailed = 7,
        /// An attempt that took the lock.
        AttemptAcquired = 8,
        /// A collective operation, with its root, bytes and synchronisation modes.
        Collective = 9,
        /// An exit of the program, with its status.
        Exit = 10,
        /// Numbers of operations that were not recorded.
        Skipped = 11,
        /// A transfer with its address.
        TransferAt = 12,
        /// A copy with both addresses.
        CopyAt = 13,
        /// A semaphore, an event, or a pair of threads, with a number of announcements.
        Object = 14,
        /// A collective operation of a group of threads.
        Group = 15,
        /// A message between two threads.
        Message = 16,
        /// A task.
        Task = 17,
        /// Why a task is left.
        TaskLeft = 18,
        /// A task that is created, and its processor.
        TaskCreate = 19,
        /// A channel that is created, and its capacity.
        ChannelCreate = 20,
        /// A message of a channel.
        ChannelMessage = 21,
        /// A channel.
        Channel = 22,
        /// A wait for several channels.
        SelectWait = 23,
    }
}

impl AttributesTag {
    /// The first version of the format that has it.
    #[inline]
    pub const fn since(self) -> u16 {
        match self {
            AttributesTag::TransferAt | AttributesTag::CopyAt => 3,
            AttributesTag::Object => 6,
            AttributesTag::Group | AttributesTag::Message => 7,
            tag if tag.number() >= AttributesTag::Task.number() => 8,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_from_their_first_integer() {
        for tag in RecordTag::ALL {
            for difference in [0, 1, RecordTag::MAX_DIFFERENCE] {
                assert_eq!(RecordTag::of_head(tag.head(difference)), (tag, difference));
            }
        }
    }

    #[test]
    fn attributes_have_numbers_without_gaps() {
        for (number, tag) in (0_u64..).zip(AttributesTag::ALL) {
            assert_eq!(tag.number(), number);
            assert_eq!(AttributesTag::from_number(number), Some(tag));
        }
    }
}
