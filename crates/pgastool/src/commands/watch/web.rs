//! `pgastool watch --web`: the page of a running program in a browser, from the manager of its run
//! or, where that has none, from one of this process.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use pgas_base::models::Words;
use pgas_live::place::PLACE;
use pgas_manager::{Manager, Options};
use pgas_monitor::{Board, Look};
use pgas_watch_client::{Announcement, Client};

use super::choosing::Chosen;
use super::{Arguments, killed};
use crate::commands::view::browser;
use crate::failure::{Failure, Outcome};
use crate::observing::searching::{OFTEN, Searching};
use crate::output;
use crate::process::interrupt;
use crate::terminal::Ui;

/// How long the manager of a run that has just begun may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time in which the user's wish to end is noticed, at most.
const TURN: Duration = Duration::from_millis(50);

/// Opens the page, or prints its address where there is no browser.
///
/// # Errors
/// If no manager can be started.
pub fn show(chosen: &Chosen, words: Words, arguments: &Arguments, ui: &Ui) -> Outcome {
    match of_run(&chosen.experiment) {
        Some(found) => {
            open(&found.address.to_string(), &found.token, ui)?;
            Ok(0)
        }
        None => serve(chosen, words, arguments, ui),
    }
}

/// The manager of the run, if it answers.
fn of_run(experiment: &Path) -> Option<Announcement> {
    let begin = Instant::now();
    loop {
        let found = Announcement::read(experiment).ok();
        let answers = |found: &Announcement| Client::connect(found.address, &found.token).is_ok();
        if let Some(found) = found.filter(answers) {
            return Some(found);
        }
        if begin.elapsed() > PATIENCE {
            return None;
        }
        sleep(TURN);
    }
}

/// Opens the page at this address, or says how.
pub(super) fn open(address: &str, token: &str, ui: &Ui) -> Result<(), Failure> {
    let url = format!("http://{address}/?token={token}");
    output::deliver(&url, None)?;
    if browser::exists() {
        return browser::open(Path::new(&url), ui);
    }
    let port = address.rsplit(':').next().unwrap_or_default();
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    ui.note(format_args!(
        "there is no display here; from another machine: `ssh -L {port}:{address} {host}`, and then \
         open this address there"
    ));
    Ok(())
}

fn serve(chosen: &Chosen, words: Words, arguments: &Arguments, ui: &Ui) -> Outcome {
    let interruption = interrupt::watch()?;
    let failed = |error: pgas_manager::ManagerError| Failure::new(error.to_string());
    let manager = Manager::start(Options {
        page: pgas_watch_web::page(),
        words,
        port: 0,
        questions: None,
    });
    let manager = manager.map_err(failed)?;
    let mut board = Board::new(Path::new(PLACE), &chosen.key, &chosen.experiment);
    let searching = Searching::begin(&chosen.key, &chosen.experiment, words, OFTEN);
    open(&manager.address().to_string(), manager.token(), ui)?;
    ui.note("Ctrl-C ends the page; the program goes on");
    let mut next = Instant::now();
    while !interruption.is_requested() {
        match board.look()? {
            Look::Going(picture) if picture.period > 0.0 => {
                let (findings, changes, problem) = searching.news();
                problem.iter().for_each(|problem| ui.warning(problem));
                manager.add(*picture, findings, changes);
            }
            Look::Going(_) | Look::Nothing => {}
            Look::Ended => {
                ui.note("the program has ended");
                return Ok(0);
            }
            Look::Killed(threads) => return Err(killed(threads, &words)),
        }
        next = Instant::now().max(next + Duration::from_secs_f64(arguments.period.0));
        while !interruption.is_requested() && Instant::now() < next {
            sleep((next - Instant::now()).min(TURN));
        }
    }
    Ok(0)
}
