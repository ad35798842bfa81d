//! `pgastool doctor`: what this machine has of what the tool needs, and how to get what it lacks.

mod costs;
mod machine;
mod models;
mod network;
mod site;
mod toolchain;

use crate::failure::Outcome;
use crate::output;
use crate::terminal::Ui;
use clap::{Args, ValueEnum};
use owo_colors::OwoColorize;
use serde::Serialize;
use std::ffi::OsString;

/// Check this machine: compilers, cores, clock, memory
#[derive(Debug, Args)]
pub struct Arguments {
    /// Also try this UPC compiler, and make now what its programs are linked with
    #[arg(long, value_name = "PATH")]
    pub upcc: Option<OsString>,
    /// With --upcc: make it for everybody who uses this installation, in its directory
    #[arg(long, requires = "upcc")]
    pub for_all: bool,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = DoctorFormat::Text)]
    pub format: DoctorFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DoctorFormat {
    /// For reading in a terminal
    Text,
    /// For scripts: all checks
    Json,
}

/// Something that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    /// In a few words.
    name: &'static str,
    status: Status,
    /// Whether the tool works without it.
    essential: bool,
    /// Result of the check.
    detail: String,
    /// How to fix it, if there is something to fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    /// It works, but not as well as it could.
    Warning,
    Missing,
}

#[derive(Serialize)]
struct Examination {
    schema: u32,
    /// Whether nothing essential is missing.
    ok: bool,
    version: &'static str,
    checks: Vec<Check>,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self {
            name,
            status: Status::Ok,
            essential: false,
            detail: detail.into(),
            remedy: None,
        }
    }

    fn warning(name: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            status: Status::Warning,
            remedy: Some(remedy.into()),
            ..Self::ok(name, detail)
        }
    }

    fn missing(name: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            status: Status::Missing,
            remedy: Some(remedy.into()),
            ..Self::ok(name, detail)
        }
    }

    fn essential(mut self) -> Self {
        self.essential = true;
        self
    }
}

pub fn doctor(arguments: &Arguments, ui: &Ui) -> Outcome {
    let mut checks = toolchain::checks()?;
    checks.extend(network::checks());
    checks.extend(models::checks());
    if let Some(upcc) = &arguments.upcc {
        checks.extend(site::checks(upcc, arguments.for_all)?);
    }
    checks.extend(machine::checks());
    checks.extend(costs::checks());
    let ok = !checks
        .iter()
        .any(|c| c.essential && c.status == Status::Missing);
    let examination = Examination {
        schema: 1,
        ok,
        version: env!("CARGO_PKG_VERSION"),
        checks,
    };
    let text = match arguments.format {
        DoctorFormat::Json => serde_json::to_string_pretty(&examination)?,
        DoctorFormat::Text => as_text(&examination, ui.color_on_stdout()),
    };
    output::deliver(&text, None)?;
    Ok(u8::from(!ok))
}

fn as_text(examination: &Examination, color: bool) -> String {
    let width = examination
        .checks
        .iter()
        .map(|c| c.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in &examination.checks {
        let mark = match check.status {
            Status::Ok => "ok     ",
            Status::Warning => "warning",
            Status::Missing => "missing",
        };
        let mark = match (color, check.status) {
            (false, _) => mark.to_string(),
            (true, Status::Ok) => mark.green().to_string(),
            (true, Status::Warning) => mark.yellow().to_string(),
            (true, Status::Missing) => mark.red().to_string(),
        };
        text += &format!("{mark}  {:width$}  {}\n", check.name, check.detail);
        if let Some(remedy) = &check.remedy {
            text += &format!("         {:width$}  -> {remedy}\n", "");
        }
    }
    text += if examination.ok {
        "\nEverything that is needed is there. `pgastool demo` shows the whole cycle."
    } else {
        "\nSomething that is needed is missing: see above what to do."
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_stand_below_what_they_fix() {
        let examination = Examination {
            schema: 1,
            ok: false,
            version: "0",
            checks: vec![
                Check::ok("memory", "24 GiB"),
                Check::missing("C compiler", "none", "install gcc").essential(),
            ],
        };
        assert_eq!(
            as_text(&examination, false),
            "ok       memory      24 GiB\nmissing  C compiler  none\n                     -> \
             install gcc\n\nSomething that is needed is missing: see above what to do."
        );
        assert!(as_text(&examination, true).contains("\u{1b}["));
    }
}
