//! `pgastool time --machine`: times what analyses compare with, and writes the costs of this machine.

use super::Arguments;
use super::catalogue::Operation;
use super::display::Display;
use super::driver::Driver;
use super::measuring::{Plan, Run, measure};
use super::{costs, outcome, places};
use crate::failure::{Failure, Outcome};
use crate::installation::machine;
use crate::output;
use crate::terminal::Ui;
use costs::{Kind, Place, kind};
use jiff::ZonedDateTime;
use pgas_machine::{FORMAT, Host, Machine};
use pgas_timing::job::{Case, Settings};
use pgas_timing::record::{Record, Start};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Bytes of block transfers, and of the blocks of collective operations.
const TRANSFERS: [u64; 8] = [8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
const BLOCKS: [u64; 4] = [8, 512, 4 << 10, 64 << 10];

/// Times the operations and writes the file that is asked for, and the one that later runs on this
/// host use.
///
/// # Errors
/// If nothing can be measured or written.
pub fn time(arguments: &Arguments, driver: &Driver, ui: &Ui) -> Outcome {
    let settings = arguments.method.settings(false, false)?;
    let threads = numbers(arguments);
    let measuring = Measuring {
        arguments,
        driver,
        settings: &settings,
        ui,
    };
    let together = measuring.of_kind(|kind| kind.place == Place::Anywhere);
    let mut runs = measuring.time(&threads, &together)?;
    if !is_interrupted(&runs) {
        let placed = measuring.placed(&runs);
        runs.extend(measuring.time(&threads[..1], &placed)?);
    }
    if is_interrupted(&runs) {
        ui.warning("interrupted; the costs of the machine are not written, since some are missing");
        return Ok(outcome::AFTER_INTERRUPT);
    }
    let machine = described(&runs, &settings)?;
    if machine.operations.is_empty() {
        return Err(Failure::new("no operation could be timed"));
    }
    let table = places::table(&machine, false);
    if !table.is_empty() {
        output::deliver(&format!("\n{table}"), None)?;
    }
    write(&machine, arguments.files.output.as_deref(), ui)?;
    let has_failed = runs.iter().any(|run| {
        let failed = |record: &Record| matches!(record, Record::Failed { .. });
        !run.failures.is_empty() || run.records.iter().any(failed)
    });
    Ok(u8::from(has_failed))
}

struct Measuring<'a> {
    arguments: &'a Arguments,
    driver: &'a Driver,
    settings: &'a Settings,
    ui: &'a Ui,
}

impl Measuring<'_> {
    fn operations(&self) -> impl Iterator<Item = (&Operation, Kind)> {
        let operations = self.driver.operations.iter();
        operations.filter_map(|operation| Some((operation, kind(&operation.name)?)))
    }

    fn of_kind(&self, wanted: impl Fn(&Kind) -> bool) -> Vec<Case> {
        let operations = self.operations().filter(|(_, kind)| wanted(kind));
        operations
            .flat_map(|(operation, kind)| cases(operation, &kind, None))
            .collect()
    }

    /// Operations on data of another thread, near and far as there are such threads.
    fn placed(&self, runs: &[Run]) -> Vec<Case> {
        let Some(start) = runs.first().and_then(started) else {
            return Vec::new();
        };
        let others = start.nodes.iter().skip(1);
        let own = start.nodes.first();
        let (has_near, has_far) = (
            others.clone().any(|node| Some(node) == own),
            others.clone().any(|node| Some(node) != own),
        );
        let places = [("near", has_near), ("far", has_far)];
        let places: Vec<&str> = places
            .into_iter()
            .filter_map(|(word, is_there)| is_there.then_some(word))
            .collect();
        let operations = self
            .operations()
            .filter(|(_, kind)| kind.place == Place::OfPartner);
        operations
            .flat_map(|(operation, kind)| {
                let with = places
                    .iter()
                    .flat_map(move |word| cases(operation, &kind, Some(word)));
                with.collect::<Vec<Case>>()
            })
            .collect()
    }

    fn time(&self, threads: &[u32], cases: &[Case]) -> Result<Vec<Run>, Failure> {
        if cases.is_empty() {
            return Ok(Vec::new());
        }
        let plan = Plan {
            driver: &self.driver.program,
            threads,
            cases,
            settings: self.settings,
            options: &self.arguments.start,
        };
        let mut display = Display::new(&plan, outcome::table(false), self.ui);
        let runs = measure(&plan, &mut display, self.ui);
        display.finish()?;
        runs
    }
}

/// One case for each size of an operation, with the arguments that its use has in programs.
fn cases(operation: &Operation, kind: &Kind, partner: Option<&str>) -> Vec<Case> {
    let mut arguments = BTreeMap::new();
    let mut set = |name: &str, value: &str| {
        let values = operation.values(name).unwrap_or_default();
        if values.contains(&value) {
            arguments.insert(name.to_owned(), value.to_owned());
        }
    };
    set("in", "all");
    set("out", "all");
    partner.into_iter().for_each(|word| set("partner", word));
    let sizes: Vec<Option<u64>> = match (operation.sized, kind.place) {
        (false, _) => vec![None],
        (true, Place::OfPartner) => TRANSFERS.map(Some).to_vec(),
        (true, Place::Anywhere) => BLOCKS.map(Some).to_vec(),
    };
    let case = |bytes| Case {
        operation: operation.name.clone(),
        bytes,
        arguments: arguments.clone(),
    };
    sizes.into_iter().map(case).collect()
}

/// Those that were asked for, else powers of two up to the number of cores.
fn numbers(arguments: &Arguments) -> Vec<u32> {
    if let Some(super::series::Threads(threads)) = &arguments.threads {
        return threads.clone();
    }
    let cores = std::thread::available_parallelism().map_or(2, usize::from) as u32;
    let doubled = std::iter::successors(Some(2u32), |threads| threads.checked_mul(2));
    let mut threads: Vec<u32> = doubled.take_while(|&threads| threads < cores).collect();
    threads.push(cores.max(2));
    threads
}

fn is_interrupted(runs: &[Run]) -> bool {
    runs.iter().any(|run| run.interrupted.is_some())
}

fn started(run: &Run) -> Option<&Start> {
    run.records.iter().find_map(|record| match record {
        Record::Start(start) => Some(start),
        _ => None,
    })
}

fn described(runs: &[Run], settings: &Settings) -> Result<Machine, Failure> {
    let first = runs.first().and_then(started);
    let first = first.ok_or_else(|| Failure::new("no driver has started"))?;
    let now = ZonedDateTime::now();
    Ok(Machine {
        format: FORMAT,
        measured: now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        host: Host {
            name: first.hosts.first().cloned().unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from) as u32,
        },
        confidence: settings.confidence,
        operations: costs::of_runs(runs),
    })
}

fn write(machine: &Machine, asked: Option<&Path>, ui: &Ui) -> Result<(), Failure> {
    let write = |path: PathBuf| -> Result<(), Failure> {
        machine.write(&path)?;
        ui.note(format_args!("wrote {}", path.display()));
        Ok(())
    };
    asked.map_or(Ok(()), |path| write(path.to_owned()))?;
    // Later runs on this host find it here.
    match machine::place() {
        Some(place) => {
            if let Some(above) = place.parent() {
                pgas_cache::Trust::own().make_directory(above)?;
            }
            write(place)
        }
        None if asked.is_some() => Ok(()),
        None => Err(
            Failure::new("there is no directory to keep the costs of this machine in")
                .help("name a file with -o, and give it to runs with --machine or PGAS_MACHINE"),
        ),
    }
}
