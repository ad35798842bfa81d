//! `pgastool view --web`: shows the report as a page in a browser, here or, where there is no
//! display, on the user's own machine.

use super::{browser, serve::Server};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::process::interrupt;
use crate::terminal::Ui;
use pgas_result::AnalysisResult;
use std::path::{Path, PathBuf};

/// Where the page is kept, beside the result.
const PAGE: &str = "analysis/report.html";

/// Writes the page and opens it; where there is no browser, serves it.
pub fn open(directory: &Path, ui: &Ui) -> Outcome {
    let page = page(directory, ui)?;
    if !browser::exists() {
        ui.note("there is no display here, so that the page is for a browser elsewhere");
        return run(page, 0, ui);
    }
    let path = keep(directory, &page)?;
    browser::open(&path, ui)?;
    ui.note(format_args!("the page is {}", path.display()));
    Ok(0)
}

/// Serves the page on `port`, or on any that is free for 0, until the user ends it.
pub fn serve(directory: &Path, port: u16, ui: &Ui) -> Outcome {
    let page = page(directory, ui)?;
    run(page, port, ui)
}

fn run(page: String, port: u16, ui: &Ui) -> Outcome {
    let server = Server::new(port, page)?;
    let stop = interrupt::watch()?;
    let port = server.port()?;
    output::deliver(&server.address()?, None)?;
    ui.note(format_args!(
        "from another machine: `ssh -L {port}:127.0.0.1:{port} {}`, and then open this address \
         there; Ctrl-C ends it",
        host()
    ));
    server.run(|| stop.is_requested());
    Ok(0)
}

/// This machine's name, as a user would type it.
fn host() -> String {
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    pgas_report::printable(&name, true)
}

fn page(directory: &Path, ui: &Ui) -> Result<String, Failure> {
    let result = AnalysisResult::load(directory)?;
    crate::experiment::page::page(directory, &result, None, ui)
}

/// Keeps the page with the result, or, where that cannot be written to, in the directory for
/// temporary files.
fn keep(directory: &Path, page: &str) -> Result<PathBuf, Failure> {
    let beside = directory.join(PAGE);
    if output::write_file(&beside, page.as_bytes()).is_ok() {
        return Ok(beside.canonicalize().unwrap_or(beside));
    }
    let problem = |error: std::io::Error| Failure::new(format!("cannot write the page: {error}"));
    let mut file = tempfile::Builder::new()
        .prefix("pgastool-report-")
        .suffix(".html")
        .tempfile()
        .map_err(problem)?;
    std::io::Write::write_all(&mut file, page.as_bytes()).map_err(problem)?;
    // It must outlive this process: the browser reads it later.
    let (_, path) = file.keep().map_err(|error| problem(error.error))?;
    Ok(path)
}
