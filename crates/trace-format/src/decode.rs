//! Reads the payload of an events block, one record at a time, trusting nothing.

use crate::addresses::{self, Tracks};
use crate::model::{
    Address, Attributes, Event, EventKind, GroupFlow, SiteId, SyncMode, TaskReason, ThreadId,
};
use crate::tags::{AttributesTag, RecordTag};
use crate::{MAX_DEPTH, Problem, varint};

/// A record is shorter: eight integers at most.
const MAX_RECORD: usize = 8 * varint::MAX_LENGTH + 1;

/// Decoder of one events block. Iterate with [`BlockDecoder::next_event`].
#[derive(Debug)]
pub struct BlockDecoder {
    /// The part of the payload that the decoder has.
    payload: Vec<u8>,
    /// The payload goes on after that part.
    is_part: bool,
    /// Bytes of the block's payload before the first one that is in `payload`.
    before: usize,
    /// Place in `payload` of the next record.
    at: usize,
    time: u64,
    left: u32,
    /// Last time that the header announced.
    last_time: u64,
    stack: Vec<SiteId>,
    /// Attributes of each site's last Enter and Exit in this block.
    enters: Vec<Attributes>,
    exits: Vec<Attributes>,
    /// Where each site's Enters lead; empty as long as there are no addresses.
    tracks: Vec<Tracks>,
    /// Of the format that the block is written in.
    version: u16,
}

impl BlockDecoder {
    /// Begins to decode a payload of `events` events at times from `first_time` to `last_time`, of
    /// a thread of which `sites` sites are known, in a file of `version`.
    ///
    /// # Errors
    /// A [`Problem`] if the stack of open regions is wrong.
    pub fn new(
        payload: Vec<u8>,
        events: u32,
        first_time: u64,
        last_time: u64,
        sites: usize,
        version: u16,
    ) -> Result<Self, Problem> {
        let mut decoder = BlockDecoder {
            payload,
            is_part: false,
            before: 0,
            at: 0,
            time: first_time,
            left: events,
            last_time,
            stack: Vec::new(),
            enters: vec![Attributes::None; sites],
            exits: vec![Attributes::None; sites],
            tracks: Vec::new(),
            version,
        };
        let depth = decoder.integer("the number of open regions")?;
        if depth > MAX_DEPTH as u64 {
            return Err(Problem::new(
                0,
                format!("{depth} open regions"),
                format!("at most {MAX_DEPTH}"),
            ));
        }
        for _ in 0..depth {
            let site = decoder.site()?;
            decoder.stack.push(site);
        }
        Ok(decoder)
    }

    /// Sites of the regions that are open at this point, outermost first. Before the first event:
    /// at the beginning of the block.
    pub fn stack(&self) -> &[SiteId] {
        &self.stack
    }

    /// Offset of the next record in the payload.
    pub fn position(&self) -> usize {
        self.before + self.at
    }

    /// Bytes of the payload that the decoder does not hold any more; [`Problem`]s count from there.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Bytes that the decoder keeps in memory.
    pub fn held(&self) -> usize {
        self.payload.capacity()
    }

    /// Keeps no more than the next `bytes` bytes of the payload, and returns the buffer that held
    /// it.
    pub fn keep(&mut self, bytes: usize) -> Vec<u8> {
        let left = self.payload.get(self.at..).unwrap_or_default();
        let kept = left[..bytes.min(left.len())].to_vec();
        self.is_part |= kept.len() < left.len();
        self.before += self.at;
        self.at = 0;
        std::mem::replace(&mut self.payload, kept)
    }

    /// Whether the next record may lie behind what was kept: the whole payload must be given back
    /// then before the next event is asked for.
    #[inline]
    pub fn needs_whole(&self) -> bool {
        self.is_part && self.payload.len() - self.at < MAX_RECORD
    }

    /// Goes on with the whole payload of the block, and returns what was kept of it.
    pub fn resume(&mut self, payload: Vec<u8>) -> Vec<u8> {
        self.at += self.before;
        self.before = 0;
        self.is_part = false;
        std::mem::replace(&mut self.payload, payload)
    }

    /// Events that are still to come.
    pub fn remaining(&self) -> usize {
        self.left as usize
    }

    /// The next event; `None` after the last.
    ///
    /// # Errors
    /// A [`Problem`] with the offset in the payload. The decoder must not be used any further then.
    #[inline]
    pub fn next_event(&mut self) -> Result<Option<Event>, Problem> {
        if self.left == 0 {
            self.expect_end()?;
            return Ok(None);
        }
        self.decode_one().map(Some)
    }

    /// Appends the next events to `events`, at most `at_most`; none after the last, or while
    /// [`BlockDecoder::needs_whole`]. Many at a time cost less than one by one.
    ///
    /// # Errors
    /// As for [`BlockDecoder::next_event`]; the events before the problem were appended.
    pub fn fill(&mut self, events: &mut Vec<Event>, at_most: usize) -> Result<(), Problem> {
        if self.left == 0 {
            return self.expect_end();
        }
        let count = at_most.min(self.left as usize);
        events.reserve(count);
        for _ in 0..count {
            if self.needs_whole() {
                break;
            }
            events.push(self.decode_one()?);
        }
        Ok(())
    }

    /// The next event of those that are left.
    #[inline(always)]
    fn decode_one(&mut self) -> Result<Event, Problem> {
        let begin = self.at;
        let (tag, difference) = RecordTag::of_head(self.integer("a record")?);
        self.time = match self.time.checked_add(difference) {
            Some(time) if time <= self.last_time => time,
            _ => return Err(self.too_late(begin, difference)),
        };
        let kind = match tag {
            RecordTag::Enter => {
                let site = self.enter()?;
                if !self.tracks.is_empty() {
                    let index = site.0 as usize;
                    addresses::follow(&mut self.tracks[index], &mut self.enters[index]);
                }
                EventKind::Enter {
                    site,
                    attributes: self.enters[site.0 as usize],
                }
            }
            RecordTag::Exit => {
                let site = self.exit(begin)?;
                EventKind::Exit {
                    site,
                    attributes: self.exits[site.0 as usize],
                }
            }
            RecordTag::EnterWith => {
                let site = self.enter()?;
                let attributes = self.attributes(Some(site))?;
                self.enters[site.0 as usize] = attributes;
                EventKind::Enter { site, attributes }
            }
            RecordTag::ExitWith => {
                let site = self.exit(begin)?;
                let attributes = self.attributes(None)?;
                self.exits[site.0 as usize] = attributes;
                EventKind::Exit { site, attributes }
            }
        };
        self.left -= 1;
        Ok(Event {
            time: self.time,
            kind,
        })
    }

    #[cold]
    fn too_late(&self, begin: usize, difference: u64) -> Problem {
        Problem::new(
            begin,
            format!("an event {difference} ticks after time {}", self.time),
            format!(
                "no event after {}, the last time of the block",
                self.last_time
            ),
        )
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<SiteId, Problem> {
        let site = self.site()?;
        if self.stack.len() >= MAX_DEPTH {
            return Err(Problem::new(
                self.at,
                "one more open region",
                format!("at most {MAX_DEPTH}"),
            ));
        }
        self.stack.push(site);
        Ok(site)
    }

    #[inline(always)]
    fn exit(&mut self, begin: usize) -> Result<SiteId, Problem> {
        self.stack
            .pop()
            .ok_or_else(|| Problem::new(begin, "an Exit while no region is open", "an Enter"))
    }

    #[inline(always)]
    fn site(&mut self) -> Result<SiteId, Problem> {
        let begin = self.at;
        let number = self.integer("the number of a site")?;
        if number < self.enters.len() as u64 {
            Ok(SiteId(number as u32))
        } else {
            Err(Problem::new(
                begin,
                format!("site {number}"),
                format!("one of the {} sites defined before", self.enters.len()),
            ))
        }
    }

    #[inline(always)]
    fn integer(&mut self, what: &'static str) -> Result<u64, Problem> {
        match varint::get(&self.payload, self.at) {
            Some((value, after)) => {
                self.at = after;
                Ok(value)
            }
            None => Err(Problem::new(self.at, "the end of the payload", what)),
        }
    }

    fn thread(&mut self) -> Result<u32, Problem> {
        let begin = self.at;
        let number = self.integer("the number of a thread")?;
        u32::try_from(number)
            .map_err(|_| Problem::new(begin, format!("thread {number}"), "a thread number"))
    }

    fn signed(&mut self) -> Result<i32, Problem> {
        let begin = self.at;
        let value = varint::unzigzag(self.integer("a value")?);
        i32::try_from(value)
            .map_err(|_| Problem::new(begin, format!("value {value}"), "a value of 32 bits"))
    }

    /// Attributes of an Enter of `entered`, or of an Exit.
    fn attributes(&mut self, entered: Option<SiteId>) -> Result<Attributes, Problem> {
        let begin = self.at;
        let number = self.integer("attributes")?;
        let wrong = |found: String, expected| Err(Problem::new(begin, found, expected));
        let Some(tag) = AttributesTag::from_number(number) else {
            let last = AttributesTag::ALL.len() - 1;
            let found = format!("attributes of kind {number}");
            return wrong(found, format!("kind 0 to {last}"));
        };
        if tag.since() > self.version {
            let version = self.version;
            let found = format!("attributes of kind {number} in a file of version {version}");
            return wrong(found, format!("version {} of the format", tag.since()));
        }
        Ok(match tag {
            AttributesTag::None => Attributes::None,
            AttributesTag::Barrier => Attributes::Barrier { value: None },
            AttributesTag::BarrierValue => Attributes::Barrier {
                value: Some(self.signed()?),
            },
            AttributesTag::Transfer => Attributes::Transfer {
                partner: self.thread()?,
                bytes: self.integer("a number of bytes")?,
                address: None,
            },
            AttributesTag::Copy => Attributes::Copy {
                source: self.thread()?,
                destination: self.thread()?,
                bytes: self.integer("a number of bytes")?,
                source_address: None,
                destination_address: None,
            },
            AttributesTag::Allocation => Attributes::Allocation {
                bytes: self.integer("a number of bytes")?,
            },
            AttributesTag::Lock => Attributes::Lock {
                lock: self.integer("a lock")?,
            },
            AttributesTag::AttemptFailed => Attributes::LockAttempt { acquired: false },
            AttributesTag::AttemptAcquired => Attributes::LockAttempt { acquired: true },
            AttributesTag::Collective => self.collective()?,
            AttributesTag::Exit => Attributes::Exit {
                status: self.signed()?,
            },
            AttributesTag::Skipped => Attributes::Skipped {
                barriers: self.integer("a number of barriers")?,
                collectives: self.integer("a number of collective operations")?,
            },
            AttributesTag::Object => Attributes::Object {
                object: self.integer("an object")?,
                units: self.integer("a number of announcements")?,
            },
            AttributesTag::Group => self.group()?,
            AttributesTag::Message => Attributes::Message {
                partner: self.thread()?,
                bytes: self.integer("a number of bytes")?,
                group: self.integer("a group")?,
            },
            AttributesTag::Task
            | AttributesTag::TaskLeft
            | AttributesTag::TaskCreate
            | AttributesTag::ChannelCreate
            | AttributesTag::ChannelMessage
            | AttributesTag::Channel
            | AttributesTag::SelectWait => self.of_tasks(tag)?,
            AttributesTag::TransferAt => Attributes::Transfer {
                partner: self.thread()?,
                bytes: self.integer("a number of bytes")?,
                address: self.address(entered, 0)?,
            },
            AttributesTag::CopyAt => Attributes::Copy {
                source: self.thread()?,
                destination: self.thread()?,
                bytes: self.integer("a number of bytes")?,
                source_address: self.address(entered, 0)?,
                destination_address: self.address(entered, 1)?,
            },
        })
    }

    /// The address of one side; at an Exit there was none before it.
    #[inline]
    fn address(
        &mut self,
        entered: Option<SiteId>,
        side: usize,
    ) -> Result<Option<Address>, Problem> {
        let difference = varint::unzigzag(self.integer("an address")?);
        let Some(site) = entered else {
            return Ok(Address::new(difference as u64));
        };
        if self.tracks.is_empty() {
            self.tracks.resize(self.enters.len(), Tracks::default());
        }
        Ok(Address::new(
            self.tracks[site.0 as usize][side].move_by(difference),
        ))
    }

    /// Attributes of tasks and channels.
    fn of_tasks(&mut self, tag: AttributesTag) -> Result<Attributes, Problem> {
        Ok(match tag {
            AttributesTag::TaskLeft => Attributes::TaskLeft {
                reason: self.reason()?,
            },
            AttributesTag::SelectWait => Attributes::SelectWait {
                inputs: self.number_of_32_bits("a number of channels")?,
            },
            AttributesTag::Task => Attributes::Task {
                task: self.number_in_run("a task")?,
            },
            AttributesTag::TaskCreate => Attributes::TaskCreate {
                task: self.number_in_run("a task")?,
                processor: self.thread()?,
            },
            AttributesTag::ChannelCreate => Attributes::ChannelCreate {
                channel: self.number_in_run("a channel")?,
                capacity: self.integer("a capacity")?.checked_sub(1),
            },
            AttributesTag::ChannelMessage => Attributes::ChannelMessage {
                channel: self.number_in_run("a channel")?,
                message: self.integer("the number of a message")?,
                bytes: self.integer("a number of bytes")?,
                queued: self.integer("a number of messages")?,
            },
            _ => Attributes::Channel {
                channel: self.number_in_run("a channel")?,
            },
        })
    }

    /// The number of a task or a channel: that in its process, and the process.
    fn number_in_run(&mut self, what: &'static str) -> Result<u64, Problem> {
        let number = self.number_of_32_bits(what)?;
        let process = self.number_of_32_bits("a process")?;
        Ok(u64::from(number) | u64::from(process) << 32)
    }

    fn number_of_32_bits(&mut self, what: &'static str) -> Result<u32, Problem> {
        let begin = self.at;
        let number = self.integer(what)?;
        u32::try_from(number)
            .map_err(|_| Problem::new(begin, format!("{what} of number {number}"), "below 2^32"))
    }

    fn reason(&mut self) -> Result<TaskReason, Problem> {
        let begin = self.at;
        let number = self.integer("why a task is left")?;
        let last = TaskReason::ALL.len() - 1;
        TaskReason::from_number(number).ok_or_else(|| {
            let found = format!("reason {number} to leave a task");
            Problem::new(begin, found, format!("0 to {last}"))
        })
    }

    fn group(&mut self) -> Result<Attributes, Problem> {
        let group = self.integer("a group")?;
        let begin = self.at;
        let members = self.integer("a number of members")?;
        let members = u32::try_from(members)
            .map_err(|_| Problem::new(begin, format!("{members} members"), "at most 2^32 - 1"))?;
        let begin = self.at;
        let flow = self.integer("who waits for whom")?;
        let flow = GroupFlow::from_number(flow)
            .ok_or_else(|| Problem::new(begin, format!("flow {flow} of a group"), "0 to 3"))?;
        Ok(Attributes::Group {
            group,
            members,
            flow,
            root: self.root()?,
        })
    }

    fn root(&mut self) -> Result<Option<ThreadId>, Problem> {
        let begin = self.at;
        Ok(match self.integer("a root")? {
            0 => None,
            number => Some(u32::try_from(number - 1).map_err(|_| {
                Problem::new(begin, format!("root {}", number - 1), "a thread number")
            })?),
        })
    }

    fn collective(&mut self) -> Result<Attributes, Problem> {
        let begin = self.at;
        let modes = self.integer("synchronisation modes")?;
        let (Some(sync_in), Some(sync_out)) = (
            SyncMode::from_number(modes & 3),
            SyncMode::from_number(modes >> 2),
        ) else {
            return Err(Problem::new(
                begin,
                format!("synchronisation modes {modes}"),
                "0 to 2 for entry, plus 4 times 0 to 2 for exit",
            ));
        };
        Ok(Attributes::Collective {
            root: self.root()?,
            sent: self.integer("a number of bytes")?,
            received: self.integer("a number of bytes")?,
            sync_in,
            sync_out,
        })
    }

    fn expect_end(&self) -> Result<(), Problem> {
        if self.at == self.payload.len() && self.time == self.last_time {
            return Ok(());
        }
        Err(Problem::new(
            self.at,
            format!(
                "{} more bytes after the last event, at time {}",
                self.payload.len() - self.at,
                self.time
            ),
            format!("the end of the payload at time {}", self.last_time),
        ))
    }
}
