//! `pgastool view --cube`: opens the profile in Cube's viewer.

use crate::failure::{Failure, Outcome};
use crate::terminal::Ui;
use pgas_result::AnalysisResult;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the viewer's program, by path or by name.
const VIEWER: &str = "PGAS_CUBE_VIEWER";

/// Starts the viewer and waits for its end.
pub fn open(directory: &Path, ui: &Ui) -> Outcome {
    // A viewer's message about a missing or broken file would help less.
    AnalysisResult::load(directory)?;
    let profile = AnalysisResult::profile_path(directory);
    let profile = profile.canonicalize().unwrap_or(profile);
    let viewer = viewer(&profile)?;
    ui.command(format_args!("{} {}", viewer.display(), profile.display()));
    // It is the user's, with the terminal and as long as it takes.
    let status = Command::new(&viewer).arg(&profile).status();
    let problem = match status {
        Ok(status) if status.success() => return Ok(0),
        Ok(status) => format!("{} ended with {status}", viewer.display()),
        Err(error) => format!("cannot start {}: {error}", viewer.display()),
    };
    let failure = Failure::new(problem);
    Err(match super::has_display() {
        true => failure.help(format!("the profile is {}", profile.display())),
        false => failure.help(format!(
            "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set): log in with \
             `ssh -X`, or copy {} to a machine that has one",
            profile.display()
        )),
    })
}

fn viewer(profile: &Path) -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os(VIEWER).filter(|value| !value.is_empty()) {
        return which::which(&named).map_err(|_| {
            let named = Path::new(&named).display();
            Failure::new(format!("{VIEWER} names {named}, which is no program"))
        });
    }
    which::which("cube").map_err(|_| {
        Failure::new("Cube's viewer is not installed: there is no `cube` on the path").help(
            format!(
                "it is CubeGUI of https://www.scalasca.org (Spack: `spack install cubegui`; \
                 EasyBuild: CubeGUI; macOS and Windows: installers on that page); {VIEWER} may \
                 name one elsewhere. The profile for it is {}",
                profile.display()
            ),
        )
    })
}
