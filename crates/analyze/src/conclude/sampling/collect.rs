//! Sums over the samples of all threads, by call path and by what is asked of it: lines, libraries,
//! accesses, functions.

use std::collections::BTreeMap;

use pgas_earl::PathId;
use pgas_result::sampling::CodePlace;
use pgas_symbols::{ModuleName, Symbols};

use super::chains::{Chain, Namer, RUNTIME, Step};
use super::paths::PathIndex;
use crate::model::time_class::Class;
use crate::pipeline::search::Found;
use crate::threads::stacks::Stack;

/// Samples, and the time that they stand for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Part {
    pub samples: u64,
    pub nanoseconds: f64,
}

impl Part {
    fn add(&mut self, stack: &Stack) {
        self.samples += stack.samples;
        self.nanoseconds += stack.nanoseconds as f64;
    }
}

/// Sums by call path and something of it.
pub(super) type Parts<K> = BTreeMap<(PathId, K), Part>;

/// Code without a line, and the line that it was called from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Library {
    pub function: String,
    /// Empty for the program itself.
    pub module: String,
    pub called_at: CodePlace,
}

/// The innermost function and line, or the library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Innermost {
    Line { place: CodePlace, module: String },
    Library(Library),
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// By call path of the program's own code.
    pub paths: BTreeMap<PathId, Part>,
    pub lines: Parts<Innermost>,
    /// By file and line, with libraries that it calls.
    pub places: Parts<(String, u32)>,
    /// By frames, outermost first, and thread.
    pub stacks: Parts<(Vec<CodePlace>, usize)>,
    /// With what they call.
    pub libraries: Parts<Library>,
    /// Within the code of accesses, by file, line and thread.
    pub accesses: Parts<(String, u32, usize)>,
    /// At lines themselves, without what they call and what counts there.
    pub at_lines: Parts<(String, u32, usize)>,
    /// Functions between a sample and the recorded function: by name and file.
    pub inclusive: Parts<(String, String)>,
    /// Of these, the innermost ones.
    pub exclusive: Parts<(String, String)>,
    /// The first line that was seen of each.
    pub first_lines: BTreeMap<(String, String), u32>,
    /// Samples by module.
    pub modules: BTreeMap<ModuleName, u64>,
    /// Samples within the recorder.
    pub recording: u64,
    /// Samples within operations of the runtime, or at an unknown call path.
    pub elsewhere: u64,
}

pub(super) fn collect(found: &Found, symbols: &Symbols) -> Collected {
    let paths = found.matcher.paths();
    let index = PathIndex::new(paths);
    let mut namer = Namer::new(symbols, paths);
    let mut collected = Collected::default();
    for (number, thread) in found.stacks.iter().enumerate() {
        let names = index.names(thread);
        for stack in &thread.stacks {
            let module = stack.frames.first().and_then(|frame| frame.module);
            if let Some(module) = module {
                let name = thread.modules[module as usize].clone();
                *collected.modules.entry(name).or_default() += stack.samples;
            }
            let path = stack.path.and_then(|path| names[path as usize]);
            let computes = |path: &PathId| {
                Class::of(paths.operation(*path)) == Class::Computation && *path != PathId::PROGRAM
            };
            let Some(path) = path.filter(computes) else {
                collected.elsewhere += stack.samples;
                continue;
            };
            let within = paths.function(path);
            let chain = namer.chain(&stack.frames, &thread.modules, within);
            if chain.is_recording {
                collected.recording += stack.samples;
                continue;
            }
            let program = chain.steps.last().and_then(|step| step.module);
            let short = |step: &Step| match step.module {
                module if module == program => String::new(),
                Some(module) => thread.modules[module as usize].short().to_owned(),
                None => String::new(),
            };
            let sample = Sampled {
                thread: number,
                path,
                stack,
                chain: &chain,
                short: &short,
            };
            collected.add(&sample);
        }
    }
    collected
}

struct Sampled<'a> {
    thread: usize,
    path: PathId,
    stack: &'a Stack,
    chain: &'a Chain,
    /// The library of a step.
    short: &'a dyn Fn(&Step) -> String,
}

impl Collected {
    fn add(&mut self, sample: &Sampled) {
        let (path, stack) = (sample.path, sample.stack);
        let steps = &sample.chain.steps;
        self.paths.entry(path).or_default().add(stack);
        let Some(innermost) = innermost(sample) else {
            return;
        };
        let place = match &innermost {
            Innermost::Line { place, .. } => place,
            Innermost::Library(library) => &library.called_at,
        };
        if place.line > 0 {
            let key = (place.file.clone(), place.line);
            let of_thread = (key.0.clone(), key.1, sample.thread);
            if matches!(innermost, Innermost::Line { .. }) && !sample.chain.is_counting {
                let sum = self.at_lines.entry((path, of_thread.clone()));
                sum.or_default().add(stack);
            }
            if sample.chain.is_access {
                self.accesses
                    .entry((path, of_thread))
                    .or_default()
                    .add(stack);
            }
            self.places.entry((path, key)).or_default().add(stack);
        }
        self.lines.entry((path, innermost)).or_default().add(stack);
        let mut frames: Vec<CodePlace> =
            steps.iter().rev().map(|step| step.place.clone()).collect();
        // How deep a library calls itself is of no use.
        frames.dedup_by(|inner, outer| inner.line == 0 && inner == outer);
        let frames = (frames, sample.thread);
        self.stacks.entry((path, frames)).or_default().add(stack);
        self.add_libraries(sample);
        if sample.chain.is_complete {
            self.add_functions(path, stack, &steps[..steps.len() - 1]);
        }
    }

    /// Each library call of the stack once: the outermost function that a line of the program
    /// calls in another module, or in code without lines.
    fn add_libraries(&mut self, sample: &Sampled) {
        let steps = &sample.chain.steps;
        let mut seen: Vec<Library> = Vec::new();
        for pair in steps.windows(2) {
            let (callee, caller) = (&pair[0], &pair[1]);
            let is_library = !callee.has_line() || !(sample.short)(callee).is_empty();
            let is_own = caller.has_line() && (sample.short)(caller).is_empty();
            if !is_library || !is_own {
                continue;
            }
            let library = Library {
                function: callee.place.function.clone(),
                module: (sample.short)(callee),
                called_at: caller.place.clone(),
            };
            if !seen.contains(&library) {
                seen.push(library);
            }
        }
        for library in seen {
            let sum = self.libraries.entry((sample.path, library)).or_default();
            sum.add(sample.stack);
        }
    }

    /// `steps` are those below the recorded function.
    fn add_functions(&mut self, path: PathId, stack: &Stack, steps: &[Step]) {
        let mut seen: Vec<(String, String)> = Vec::new();
        for (depth, step) in steps.iter().enumerate() {
            let name = step.place.function.as_str();
            if !step.has_line() || name.is_empty() || name.starts_with(RUNTIME) {
                continue;
            }
            let key = (step.place.function.clone(), step.place.file.clone());
            if depth == 0 {
                let sum = self.exclusive.entry((path, key.clone())).or_default();
                sum.add(stack);
            }
            let first = self.first_lines.entry(key.clone());
            let first = first.or_insert(step.place.line);
            *first = step.place.line.min(*first);
            if !seen.contains(&key) {
                seen.push(key);
            }
        }
        for key in seen {
            self.inclusive.entry((path, key)).or_default().add(stack);
        }
    }
}

/// `None` if nothing at all is known of the stack.
fn innermost(sample: &Sampled) -> Option<Innermost> {
    let steps = &sample.chain.steps;
    let first = steps.first()?;
    if first.has_line() {
        return Some(Innermost::Line {
            place: first.place.clone(),
            module: (sample.short)(first),
        });
    }
    let caller = steps.iter().position(Step::has_line);
    let below = &steps[..caller.unwrap_or(steps.len())];
    // Code without a name is not that of another module which called it.
    let named = below
        .iter()
        .take_while(|step| step.module == first.module)
        .find(|step| !step.place.function.is_empty());
    let step = named.unwrap_or(first);
    Some(Innermost::Library(Library {
        function: step.place.function.clone(),
        module: (sample.short)(step),
        called_at: caller.map_or_else(CodePlace::default, |caller| steps[caller].place.clone()),
    }))
}
