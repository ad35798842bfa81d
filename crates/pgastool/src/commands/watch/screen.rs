//! `pgastool watch` on a terminal: a screen instead of lines.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use pgas_monitor::{Look, text};
use pgas_watch_screen::Options;

use super::choosing::Chosen;
use super::source::Source;
use super::{Arguments, killed};
use crate::failure::{Failure, Outcome};
use crate::process::interrupt;
use crate::terminal::{Ui, screens};

/// Shows the program until the user quits, and after its end the last picture.
pub fn show(source: &mut Source, chosen: &Chosen, arguments: &Arguments, ui: &Ui) -> Outcome {
    let words = text::words(&chosen.runtime);
    let name = chosen.experiment.file_name().map(Path::new);
    let options = Options {
        theme: screens::theme(ui),
        words,
        program: name.unwrap_or(&chosen.experiment).display().to_string(),
        period: Duration::from_secs_f64(arguments.period.0),
        stop: screens::is_to_stop,
        abandon: screens::abandon,
        suspend: &screens::suspend,
    };
    let mut status = 0;
    pgas_watch_screen::watch::<Failure>(&options, || {
        Ok(match source.look()? {
            Look::Going(picture) => {
                let (findings, ..) = source.news();
                let findings = findings.iter();
                let findings = findings.map(|finding| pgas_search::shown(finding, &words));
                ControlFlow::Continue(Some((picture, findings.collect())))
            }
            Look::Nothing => ControlFlow::Continue(None),
            Look::Ended => ControlFlow::Break("the program has ended; q quits".to_owned()),
            Look::Killed(threads) => {
                status = 1;
                ControlFlow::Break(killed(threads, &words).message)
            }
        })
    })?;
    match interrupt::received() {
        Some(_) => Err(Failure::new("ended by a signal")),
        None => Ok(status),
    }
}
