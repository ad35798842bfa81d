//! Critical path and root causes of a simulated program, found in another way than by the analysis:
//! backwards, on all ticks of all threads at once.

use std::collections::BTreeMap;

use pgas_earl::operation::name;
use pgas_trace::model::{Event, EventKind, Operation, Site};

use super::simulator::{Held, Simulation, Waited, WaitedAt};

/// Call path as in [`super::path_name`], and thread.
pub type Place = (String, usize);
pub type Ticks = BTreeMap<Place, f64>;

/// Every tick of one thread.
struct Timeline {
    start: u64,
    /// By tick since the start: the call path.
    paths: Vec<String>,
    /// By tick: the number of the wait that it belongs to.
    waits: Vec<Option<usize>>,
    /// Moments between which the thread depends on nobody, in order.
    cuts: Vec<u64>,
}

pub struct Truth<'a> {
    simulation: &'a Simulation,
    timelines: Vec<Timeline>,
    /// By number of the wait: its root causes, of what the late thread did and of what was passed
    /// on.
    roots: BTreeMap<usize, [Ticks; 2]>,
}

impl<'a> Truth<'a> {
    pub fn of(simulation: &'a Simulation) -> Self {
        let timelines = simulation
            .streams
            .iter()
            .enumerate()
            .map(|(thread, stream)| {
                let mut timeline = timeline(stream.sites(), stream.events());
                for (number, wait) in simulation.waits.iter().enumerate() {
                    if wait.thread == thread {
                        for tick in &wait.ticks {
                            timeline.waits[(tick - timeline.start) as usize] = Some(number);
                        }
                    }
                }
                timeline.cuts = simulation.cuts[thread].clone();
                timeline.cuts.extend([timeline.start, timeline.end()]);
                timeline.cuts.sort_unstable();
                timeline.cuts.dedup();
                timeline
            })
            .collect();
        Truth {
            simulation,
            timelines,
            roots: BTreeMap::new(),
        }
    }

    /// Ticks on the critical path, and how often it changes thread.
    pub fn critical_path(&self) -> (Ticks, u64) {
        let ends = self.timelines.iter().map(Timeline::end);
        let (mut thread, mut time) = ends
            .enumerate()
            .max_by_key(|&(thread, end)| (end, std::cmp::Reverse(thread)))
            .unwrap();
        let (mut ticks, mut changes) = (Ticks::new(), 0);
        loop {
            let waits = self.simulation.waits.iter();
            let before = waits.filter(|wait| wait.thread == thread && wait.leave <= time);
            let last = before.max_by_key(|wait| wait.end);
            let timeline = &self.timelines[thread];
            let since = last.map_or(timeline.start, |wait| wait.end);
            for tick in since..time {
                let path = timeline.paths[(tick - timeline.start) as usize].clone();
                *ticks.entry((path, thread)).or_insert(0.0) += 1.0;
            }
            let Some(wait) = last else {
                return (ticks, changes);
            };
            (thread, time) = (wait.late, wait.end);
            changes += 1;
        }
    }

    /// Ticks of waiting by root cause: short-term and long-term.
    pub fn delays(&mut self) -> [Ticks; 2] {
        let mut sums = [Ticks::new(), Ticks::new()];
        for number in 0..self.simulation.waits.len() {
            for (sum, roots) in sums.iter_mut().zip(self.roots_of(number)) {
                for (place, ticks) in roots {
                    *sum.entry(place).or_insert(0.0) += ticks;
                }
            }
        }
        sums
    }

    fn roots_of(&mut self, number: usize) -> [Ticks; 2] {
        if let Some(known) = self.roots.get(&number) {
            return known.clone();
        }
        let wait = &self.simulation.waits[number];
        let roots = match wait.at {
            WaitedAt::Lock(lock) => self.roots_at_lock(wait, lock),
            WaitedAt::Instance(_) => self.roots_at_instance(wait),
        };
        self.roots.insert(number, roots.clone());
        roots
    }

    fn roots_at_instance(&mut self, wait: &Waited) -> [Ticks; 2] {
        let since = self.together(wait);
        let (late, late_waits) = self.activity(wait.late, since, wait.end);
        let (own, own_waits) = self.activity(wait.thread, since, wait.begin);
        let mut delays: BTreeMap<String, f64> = BTreeMap::new();
        for (path, ticks) in late {
            let excess = ticks - own.get(&path).copied().unwrap_or(0.0);
            if excess > 0.0 {
                delays.insert(path, excess);
            }
        }
        let waited: f64 = late_waits.values().sum();
        let passed_on = (waited - own_waits.values().sum::<f64>()).max(0.0);
        let all = delays.values().sum::<f64>() + passed_on;
        let scale = (wait.ticks.len() as f64 / all).min(1.0);
        let mut roots = [Ticks::new(), Ticks::new()];
        for (path, ticks) in delays {
            roots[0].insert((path, wait.late), ticks * scale);
        }
        if passed_on > 0.0 {
            for (number, ticks) in late_waits {
                self.pass_on(number, ticks / waited * passed_on * scale, &mut roots[1]);
            }
        }
        roots
    }

    fn roots_at_lock(&mut self, wait: &Waited, lock: u64) -> [Ticks; 2] {
        let holds = self.simulation.holds.iter();
        let holds: Vec<&Held> = holds
            .filter(|held| held.lock == lock && held.released <= wait.end)
            .collect();
        let mut work: [Ticks; 2] = Default::default();
        let mut passed_on: BTreeMap<usize, f64> = BTreeMap::new();
        let mut known = 0.0;
        for (number, held) in holds.iter().enumerate() {
            let is_last = number + 1 == holds.len();
            let before = number.checked_sub(1).map(|before| holds[before]);
            let free = before.map_or(0, |before| before.released).max(wait.begin);
            let asked = held.asked.clamp(free, held.released.max(free));
            if let Some(before) = before {
                let path = format!("prog/main/upc_unlock:{}", before.unlock_line);
                known += (asked - free) as f64;
                *work[1].entry((path, before.thread)).or_insert(0.0) += (asked - free) as f64;
            }
            if asked < held.released {
                let (did, waited) = self.activity(held.thread, asked, held.released);
                for (path, ticks) in did {
                    known += ticks;
                    let place = (path, held.thread);
                    *work[usize::from(!is_last)].entry(place).or_insert(0.0) += ticks;
                }
                for (number, ticks) in waited {
                    known += ticks;
                    *passed_on.entry(number).or_insert(0.0) += ticks;
                }
            }
        }
        let scale = (wait.ticks.len() as f64 / known).min(1.0);
        let mut roots: [Ticks; 2] = Default::default();
        for (roots, work) in roots.iter_mut().zip(work) {
            let work = work.into_iter().filter(|&(_, ticks)| ticks > 0.0);
            roots.extend(work.map(|(place, ticks)| (place, ticks * scale)));
        }
        for (number, ticks) in passed_on {
            self.pass_on(number, ticks * scale, &mut roots[1]);
        }
        roots
    }

    fn pass_on(&mut self, number: usize, ticks: f64, to: &mut Ticks) {
        let whole = self.simulation.waits[number].ticks.len() as f64;
        for (place, share) in self.roots_of(number).into_iter().flatten() {
            *to.entry(place).or_insert(0.0) += share * ticks / whole;
        }
    }

    /// When the two threads of a wait were last together before.
    fn together(&self, wait: &Waited) -> u64 {
        let all = self.simulation.together[wait.thread].iter();
        let all = all.filter(|(leave, _)| *leave <= wait.begin);
        let all = all.map(|&(_, time)| time).max();
        let of = |thread: usize, until: u64| {
            let waits = self.simulation.waits.iter();
            waits.filter(move |other| other.thread == thread && other.leave <= until)
        };
        let mut latest = all.unwrap_or(0);
        for own in of(wait.thread, wait.begin) {
            if own.late == wait.late {
                latest = latest.max(own.end);
            }
            for other in of(wait.late, wait.end) {
                let at_lock = matches!(own.at, WaitedAt::Lock(_));
                if !at_lock && own.at == other.at && own.late == other.late {
                    latest = latest.max(own.end);
                }
            }
        }
        for other in of(wait.late, wait.end) {
            if other.late == wait.thread {
                latest = latest.max(other.end);
            }
        }
        latest
    }

    /// Work by call path, and waiting by number of the wait, of a thread between two times. Within
    /// a piece between two cuts everything is evenly spread.
    fn activity(
        &self,
        thread: usize,
        from: u64,
        to: u64,
    ) -> (BTreeMap<String, f64>, BTreeMap<usize, f64>) {
        let timeline = &self.timelines[thread];
        let (mut work, mut waited) = (BTreeMap::new(), BTreeMap::new());
        for cut in timeline.cuts.windows(2) {
            let inside = cut[1].min(to).saturating_sub(cut[0].max(from));
            let share = inside as f64 / (cut[1] - cut[0]) as f64;
            for tick in (cut[0]..cut[1]).filter(|_| inside > 0) {
                let place = (tick - timeline.start) as usize;
                match timeline.waits[place] {
                    Some(wait) => *waited.entry(wait).or_insert(0.0) += share,
                    None => {
                        *work.entry(timeline.paths[place].clone()).or_insert(0.0) += share;
                    }
                }
            }
        }
        (work, waited)
    }
}

impl Timeline {
    fn end(&self) -> u64 {
        self.start + self.paths.len() as u64
    }
}

/// Which call path a thread was in at every tick.
fn timeline(sites: &[Site], events: &[Event]) -> Timeline {
    let start = events[0].time;
    let mut paths = Vec::new();
    let mut stack = vec!["prog".to_owned()];
    // Of a notify that is a barrier together with its wait: how many of the two halves' events are
    // still to come.
    let mut halves = 0;
    for (number, event) in events.iter().enumerate() {
        while start + (paths.len() as u64) < event.time {
            paths.push(stack[stack.len() - 1].clone());
        }
        let (site, enters) = match event.kind {
            EventKind::Enter { site, .. } => (&sites[site.0 as usize], true),
            EventKind::Exit { site, .. } => (&sites[site.0 as usize], false),
        };
        if site.operation == Operation::NoCore {
            // It is in operations that wait only, where it is no region.
            continue;
        }
        let mut own = match site.operation {
            Operation::Function => site.name.clone(),
            Operation::MeasurementStall => site.region_name().to_owned(),
            operation => format!("{}:{}", name(operation), site.line),
        };
        if site.operation == Operation::Notify && enters {
            let later = events[number..].iter().find_map(|later| match later.kind {
                EventKind::Enter { site, .. } => {
                    let site = &sites[site.0 as usize];
                    (site.operation == Operation::Wait).then_some(site.line)
                }
                EventKind::Exit { .. } => None,
            });
            if later == Some(site.line) {
                own = format!("upc_barrier:{}", site.line);
                halves = 2;
            }
        } else if halves > 0 && matches!(site.operation, Operation::Notify | Operation::Wait) {
            // The exit of the notify, and the enter of the wait.
            halves -= 1;
            continue;
        }
        if enters {
            let path = format!("{}/{own}", stack[stack.len() - 1]);
            stack.push(path);
        } else {
            stack.pop();
        }
    }
    Timeline {
        start,
        waits: vec![None; paths.len()],
        paths,
        cuts: Vec::new(),
    }
}
