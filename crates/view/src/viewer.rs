//! The viewer's turns: reads the result, shows it, and applies what the user types.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use pgas_result::AnalysisResult;
use pgas_result::sources::Sources;
use pgas_screen::{Screen, Theme, keyboard, terminal, watchdog};
use ratatui::crossterm::event;

use crate::Error;
use crate::document::Document;
use crate::draw::draw;
use crate::input;
use crate::state::{App, Next};

/// How often it is looked whether the viewer is to end, or the profile has come.
const TURN: Duration = Duration::from_millis(200);
/// A result that is read in so short a time is shown when it is complete.
const PATIENCE: Duration = Duration::from_millis(150);

/// Experiment to show, and functions that the viewer calls.
pub struct Options<'a> {
    /// The experiment's directory.
    pub experiment: &'a Path,
    /// Colours and characters that the terminal can show.
    pub theme: Theme,
    /// Finds the source text of the result in a directory.
    pub sources: fn(&Path, &AnalysisResult) -> Sources,
    /// Whether a signal asks the viewer to end.
    pub stop: fn() -> bool,
    /// Ends the process by that signal; for the case that the viewer does not come to ask.
    pub abandon: fn(),
    /// Gives the terminal back to the shell until the user comes back.
    pub suspend: &'a dyn Fn() -> io::Result<()>,
}

/// Shows the result of the experiment until the user has seen enough. Standard input and output
/// must be a terminal.
///
/// # Errors
/// [`Error::Result`] if the result cannot be read, [`Error::Terminal`].
pub fn view(options: &Options) -> Result<(), Error> {
    let experiment = options.experiment;
    // Errors that make the viewer useless are reported before the screen is taken over.
    let summary_path = AnalysisResult::summary_path(experiment);
    if !summary_path.exists() {
        AnalysisResult::load(experiment)?;
    }
    let summary = pgas_result::read_summary(&summary_path)?;
    let (sender, loaded) = mpsc::channel();
    let (directory, sources) = (experiment.to_owned(), options.sources);
    // Nobody waits for this thread: a user who quits while it reads has seen enough.
    std::thread::spawn(move || {
        let result = AnalysisResult::load(&directory);
        let result = result.map(|result| {
            let sources = sources(&directory, &result);
            (result, sources)
        });
        // If nobody waits any more, the viewer has ended.
        let _ = sender.send(result);
    });
    let early = match loaded.recv_timeout(PATIENCE) {
        Ok(result) => Some(result?),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => return Err(Error::Lost),
    };
    let mut screen = Screen::take()?;
    let abandon = options.abandon;
    watchdog::start(options.stop, move || {
        terminal::leave();
        abandon();
    });
    let mut app = App::new(options.theme, screen.area()?);
    app.words = summary.words();
    let loaded = match early {
        Some(result) => Some(result),
        None => {
            let document = Document::of_summary(&summary);
            show(&mut screen, &mut app, &document, options, Some(&loaded))?
        }
    };
    if let Some((result, sources)) = loaded {
        let document = Document::new(&result, &sources);
        show::<()>(&mut screen, &mut app, &document, options, None)?;
        drop(screen);
        // The process ends now: taking millions of numbers apart would only make the user wait.
        std::mem::forget(document);
        std::mem::forget(result);
    }
    Ok(())
}

/// Shows a document until the user quits, or until something has come that is waited for.
fn show<T>(
    screen: &mut Screen,
    app: &mut App,
    document: &Document,
    options: &Options,
    waited_for: Option<&Receiver<Result<T, pgas_result::Error>>>,
) -> Result<Option<T>, Error> {
    app.refresh(document);
    screen.draw(|buffer| draw(app, document, buffer))?;
    loop {
        if (options.stop)() {
            return Ok(None);
        }
        if let Some(waited_for) = waited_for {
            match waited_for.try_recv() {
                Ok(result) => return Ok(Some(result?)),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => return Err(Error::Lost),
            }
        }
        if !keyboard::wait(TURN)? {
            // The terminal is gone: its window was closed, or the connection is lost.
            return Ok(None);
        }
        // All inputs that came while the screen was drawn are applied before it is drawn again.
        let mut changed = false;
        while event::poll(Duration::ZERO)? {
            let Some(input) = input::input(&event::read()?, app.typing().is_some()) else {
                continue;
            };
            changed = true;
            match app.update(document, input) {
                Next::Continue => {}
                Next::Quit => return Ok(None),
                Next::Suspend => {
                    screen.suspend(options.suspend)?;
                    app.area = screen.area()?;
                    app.refresh(document);
                }
            }
        }
        if changed {
            screen.draw(|buffer| draw(app, document, buffer))?;
        }
    }
}
