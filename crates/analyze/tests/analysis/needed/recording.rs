//! Records a program as the recorder would under some conditions: what is left out, what becomes
//! sums, where the trace ends; and what the recorder says about it.

use std::path::Path;

use pgas_filter::Unseen;
use pgas_trace::ExperimentBuilder;
use pgas_trace::builder::{Sums, ThreadBuilder};
use pgas_trace::metadata::{FilterInEffect, FilterStage};
use pgas_trace::model::{Attributes, Operation, ProfileScope, Site};

use super::program::{Access, How, Item, Program, SIZE};
use crate::common::numbers::Numbers;
use crate::common::{FILE, collective};

/// How a program is compiled and recorded.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    pub inst_local: bool,
    pub addresses: bool,
    /// Operations that a filter excludes.
    pub excluded: Vec<&'static str>,
    pub filter_when_compiling: bool,
    /// Accesses of each kind after which those of a thread are only counted.
    pub throttle: Option<u64>,
    /// A thread, and the items between which it does not record.
    pub pause: Option<(u32, usize, usize)>,
    /// The item from which on there are sums alone.
    pub limit: Option<usize>,
    /// A thread, and the item from which on its events are lost.
    pub lost: Option<(u32, usize)>,
    /// Casts and uninstrumented code are there, and the program does not say so; for the test of
    /// the test.
    pub silent: bool,
}

impl Conditions {
    pub fn random(numbers: &mut Numbers, program: &Program) -> Self {
        let items = program.items.len();
        let mut conditions = Conditions {
            inst_local: !numbers.chance(3),
            addresses: !numbers.chance(3),
            ..Conditions::default()
        };
        if numbers.chance(2) {
            return conditions;
        }
        if numbers.chance(3) {
            conditions.excluded = numbers
                .of(&[
                    &["upc_get", "upc_put"][..],
                    &["upc_get"],
                    &["upc_put"],
                    &["upc_memget", "upc_memput"],
                    &["upc_get", "upc_put", "upc_memget", "upc_memput"],
                    &["upc_all_reduce"],
                    &["upc_forall"],
                ])
                .to_vec();
            conditions.filter_when_compiling = numbers.chance(2);
        }
        if numbers.chance(4) {
            conditions.throttle = Some(1 + numbers.below(4));
        }
        let thread = |numbers: &mut Numbers| numbers.below(u64::from(program.threads)) as u32;
        if numbers.chance(4) {
            let begin = numbers.index(items);
            let end = begin + 1 + numbers.index(items - begin);
            conditions.pause = Some((thread(numbers), begin, end));
        }
        if numbers.chance(5) {
            conditions.limit = Some(numbers.index(items + 1));
        }
        if numbers.chance(5) {
            conditions.lost = Some((thread(numbers), numbers.index(items + 1)));
        }
        conditions
    }

    fn unseen(&self, program: &Program) -> Unseen {
        let place = |is: bool| is.then(|| format!("{FILE}:90"));
        let has = |how: How| program.accesses().any(|access| access.how == how);
        let mut unseen = Unseen {
            units: 2,
            own: place(has(How::Shared) && !self.inst_local),
            filtered: self
                .excluded
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            ..Unseen::default()
        };
        if !self.silent {
            unseen.cast = place(has(How::Cast));
            unseen.uninstrumented = place(has(How::Uninstrumented));
        }
        unseen
    }

    fn keeps(&self, thread: u32, access: &Access) -> bool {
        let visible = match access.how {
            How::Shared => self.inst_local || access.owner != thread,
            How::Block => true,
            How::Cast | How::Uninstrumented => false,
        };
        visible && !self.excluded.contains(&operation(access).name())
    }
}

fn operation(access: &Access) -> Operation {
    match (access.how, access.is_write) {
        (How::Block, true) => Operation::Memput,
        (How::Block, false) => Operation::Memget,
        (_, true) => Operation::Put,
        (_, false) => Operation::Get,
    }
}

fn site(access: &Access) -> Site {
    Site::operation(operation(access), FILE, 90)
}

/// Writes the experiment.
pub fn write(program: &Program, conditions: &Conditions, path: &Path) {
    let mut builder = ExperimentBuilder::new("prog", program.threads);
    if !conditions.excluded.is_empty() && !conditions.silent {
        let stage = match conditions.filter_when_compiling {
            true => FilterStage::Compile,
            false => FilterStage::Run,
        };
        let rules = format!(
            "SCOREP_REGION_NAMES_BEGIN EXCLUDE {} SCOREP_REGION_NAMES_END",
            conditions.excluded.join(" ")
        );
        builder.metadata_mut().filters.push(FilterInEffect {
            stage,
            file: "x.filter".into(),
            rules,
        });
    }
    for thread in 0..program.threads {
        let mut unseen = conditions.unseen(program);
        if conditions.silent {
            unseen = Unseen {
                units: 2,
                ..Unseen::default()
            };
        }
        let stream = builder.thread(thread);
        stream.property("unseen", &unseen.to_string());
        Recorder {
            thread,
            conditions,
            stream,
            now: 0,
            throttled: Vec::new(),
            counts: [0; 4],
        }
        .record(program);
    }
    builder.write(path).expect("an experiment");
}

struct Recorder<'a> {
    thread: u32,
    conditions: &'a Conditions,
    stream: &'a mut ThreadBuilder,
    now: u64,
    throttled: Vec<Access>,
    counts: [u64; 4],
}

impl Recorder<'_> {
    fn record(mut self, program: &Program) {
        let main = Site::function("main", FILE, 1);
        self.stream.enter(0, &main, Attributes::None);
        let (mut barriers, mut collectives, mut others) = (0, 0, false);
        for (number, gap) in program.gaps.iter().enumerate() {
            if self.conditions.limit == Some(number) {
                return self.beyond(program, number);
            }
            if self.conditions.lost == Some((self.thread, number)) {
                self.stream.killed();
                return;
            }
            let paused = self.conditions.pause.is_some_and(|(thread, begin, end)| {
                thread == self.thread && (begin..end).contains(&number)
            });
            if !paused && (barriers, collectives, others) != (0, 0, false) {
                let stall = Site::operation(Operation::MeasurementStall, "", 0);
                let skipped = Attributes::Skipped {
                    barriers: std::mem::take(&mut barriers),
                    collectives: std::mem::take(&mut collectives),
                };
                others = false;
                self.stream.enter(self.now, &stall, Attributes::None);
                self.stream.exit(self.now, skipped);
            }
            for access in &gap[self.thread as usize] {
                if !self.conditions.keeps(self.thread, access) {
                    continue;
                }
                match paused {
                    true => others = true,
                    false => self.access(access),
                }
            }
            let Some(item) = program.items.get(number) else {
                continue;
            };
            self.now += 10;
            match (item, paused) {
                (Item::Barrier { .. }, true) => barriers += 1,
                (Item::Collective { .. }, true) => collectives += 1,
                (_, false) => self.item(item),
            }
        }
        self.stream.exit(self.now + 1, Attributes::None);
        if program.ends {
            let end = Site::operation(Operation::CollectiveExit, FILE, 2);
            self.now += 1;
            self.stream.enter(self.now, &end, Attributes::None);
            self.stream.exit(self.now, Attributes::None);
        }
        if !self.throttled.is_empty() {
            let mut sums = vec![Sums::new(None, &main, 0, 0)];
            sums.extend(self.throttled.iter().map(|access| Sums {
                partner: Some(access.owner),
                bytes: SIZE,
                ..Sums::new(Some(0), &site(access), 1, 0)
            }));
            // Entries of one call path and partner are one.
            sums.dedup_by_key(|sums| (sums.site.clone(), sums.partner));
            self.stream
                .sums(ProfileScope::Within, (0, self.now + 1), &sums);
        }
    }

    fn access(&mut self, access: &Access) {
        let count = &mut self.counts
            [usize::from(access.is_write) + 2 * usize::from(access.how == How::Block)];
        *count += 1;
        if self.conditions.throttle.is_some_and(|most| *count > most) {
            return self.throttled.push(*access);
        }
        let attributes = match self.conditions.addresses {
            true => Attributes::transfer_at(access.owner, SIZE, SIZE * (1 + access.place)),
            false => Attributes::transfer(access.owner, SIZE),
        };
        self.stream.enter(self.now, &site(access), attributes);
        self.stream.exit(self.now, Attributes::None);
    }

    fn item(&mut self, item: &Item) {
        let begin = self.now - 10;
        match *item {
            Item::Barrier { line, function } => {
                let outer = function.map(|f| Site::function(["f", "g"][f as usize], FILE, 60 + f));
                if let Some(outer) = &outer {
                    self.stream.enter(begin, outer, Attributes::None);
                }
                let site = Site::operation(Operation::Barrier, FILE, line);
                self.stream
                    .enter(begin, &site, Attributes::Barrier { value: None });
                self.stream.exit(self.now, Attributes::None);
                if outer.is_some() {
                    self.stream.exit(self.now, Attributes::None);
                }
            }
            Item::Collective { line, entry, exit } => {
                if self.conditions.excluded.contains(&Operation::Reduce.name()) {
                    return;
                }
                let site = Site::operation(Operation::Reduce, FILE, line);
                self.stream.enter(begin, &site, Attributes::None);
                self.stream.exit(self.now, collective(None, entry, exit));
            }
        }
    }

    /// The trace ends; what comes from item `first` on is summed.
    fn beyond(self, program: &Program, first: usize) {
        let end = self.now + 10 * (program.items.len() - first) as u64 + 1;
        let main = Site::function("main", FILE, 1);
        self.stream.reach_limit();
        let sums = [Sums::new(None, &main, 1, end - self.now)];
        self.stream
            .sums(ProfileScope::Beyond, (self.now, end), &sums);
    }
}
