//! Formats of other measurement systems: EPILOG and OTF2.

use super::{Arguments, Order, RegionNames, name_of};
use crate::experiment;
use crate::failure::Failure;
use crate::process::interrupt;
use crate::terminal::Ui;
use pgas_epilog::{ByteOrder, Names, Options};
use pgas_trace::Experiment;
use std::path::{Path, PathBuf};

/// The experiment, whose conversion can be interrupted.
fn open(directory: &Path, ui: &Ui) -> Result<Experiment, Failure> {
    let mut experiment = experiment::open(directory, ui)?;
    experiment.stop_on(&interrupt::watch()?);
    Ok(experiment)
}

/// For formats that these options say nothing about.
pub fn reject_options(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.names != RegionNames::Upc || arguments.byte_order != Order::Little {
        return Err(Failure::new(
            "--names and --byte-order are for EPILOG files",
        ));
    }
    Ok(())
}

/// Writes the experiment that is named as an EPILOG file; returns its name.
pub fn to_epilog(arguments: &Arguments, ui: &Ui) -> Result<PathBuf, Failure> {
    let directory = experiment::named_or_newest(arguments.input.as_deref(), ui)?;
    let experiment = open(&directory, ui)?;
    let file = match &arguments.output {
        Some(file) => file.clone(),
        None => PathBuf::from(format!("{}.elg", name_of(&directory)?)),
    };
    if file.is_dir() {
        return Err(Failure::new(format!("{} is a directory", file.display()))
            .help("name the file to write: -o trace.elg"));
    }
    let options = Options {
        names: match arguments.names {
            RegionNames::Upc => Names::Upc,
            RegionNames::Shmem => Names::Shmem,
        },
        byte_order: match arguments.byte_order {
            Order::Little => ByteOrder::Little,
            Order::Big => ByteOrder::Big,
        },
    };
    let written = {
        let progress = ui.progress("converting", experiment.event_count());
        pgas_epilog::write_file(&experiment, &file, options, &|share| progress.set(share))?
    };
    for remark in experiment.all_remarks().iter().chain(&written.losses) {
        ui.warning(remark);
    }
    ui.note(format_args!("wrote {} events as EPILOG", written.events));
    Ok(file)
}

/// Writes the experiment that is named as an OTF2 archive; returns its anchor file.
#[cfg(feature = "otf2")]
pub fn to_otf2(arguments: &Arguments, ui: &Ui) -> Result<PathBuf, Failure> {
    reject_options(arguments)?;
    let directory = experiment::named_or_newest(arguments.input.as_deref(), ui)?;
    let experiment = open(&directory, ui)?;
    let archive = match &arguments.output {
        Some(archive) => archive.clone(),
        None => PathBuf::from(format!("{}.otf2", name_of(&directory)?)),
    };
    let written = {
        let progress = ui.progress("converting", experiment.event_count());
        pgas_otf2::write(&experiment, &archive, &|share| progress.set(share))?
    };
    for remark in experiment.all_remarks().iter().chain(&written.losses) {
        ui.warning(remark);
    }
    ui.note(format_args!("wrote {} events as OTF2", written.events));
    Ok(archive.join("traces.otf2"))
}

#[cfg(not(feature = "otf2"))]
pub fn to_otf2(_: &Arguments, _: &Ui) -> Result<PathBuf, Failure> {
    Err(Failure::new("this pgastool was built without OTF2").help(
        "install OTF2 (Debian, Ubuntu: sudo apt install libopen-trace-format2-dev pkg-config) and \
         build with `cargo build --release --workspace --features pgastool/otf2`",
    ))
}

/// Makes an experiment of an EPILOG file; returns its directory.
pub fn from_epilog(file: &Path, arguments: &Arguments, ui: &Ui) -> Result<PathBuf, Failure> {
    let directory = match &arguments.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from(experiment_name(&name_of(file)?)),
    };
    let imported = {
        let interruption = interrupt::watch()?;
        let progress = ui.progress("converting", None);
        let told = |share| progress.set(share);
        pgas_epilog::read_file_until(file, &directory, &interruption, &told)?
    };
    for remark in &imported.remarks {
        ui.warning(remark);
    }
    ui.note(format_args!(
        "read {} events; see `pgastool analyze {}`",
        imported.contents.events,
        directory.display()
    ));
    Ok(directory)
}

/// The name of an experiment that is made of a file: without the endings, but never the file's own
/// name.
fn experiment_name(file: &str) -> String {
    let name = file.strip_suffix(".gz").unwrap_or(file);
    let name = name.strip_suffix(".elg").unwrap_or(name);
    match name {
        "" => "experiment".to_string(),
        name if name == file => format!("{name}-experiment"),
        name => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_named_after_their_files() {
        for (file, expected) in [
            ("is.elg", "is"),
            ("is.elg.gz", "is"),
            ("is", "is-experiment"),
            (".elg", "experiment"),
        ] {
            assert_eq!(experiment_name(file), expected);
        }
    }
}
