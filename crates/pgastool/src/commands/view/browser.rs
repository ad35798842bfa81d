//! Opens a file in the user's browser.

use crate::failure::Failure;
use crate::terminal::Ui;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Whether there is something to open it with, and a display to show it on.
pub fn exists() -> bool {
    !named().is_empty() || (super::has_display() && opener().is_some())
}

/// Opens `page`, with `$BROWSER` if it is set. A browser that it names may need the terminal, and
/// is waited for.
///
/// # Errors
/// If nothing opens it.
pub fn open(page: &Path, ui: &Ui) -> Result<(), Failure> {
    let mut commands: Vec<Vec<OsString>> = named()
        .iter()
        .map(|browser| command_line(browser, page))
        .collect();
    if let Some(opener) = opener() {
        commands.push(vec![opener.into(), page.into()]);
    }
    let mut problems = Vec::new();
    for words in commands {
        let Some((program, arguments)) = words.split_first() else {
            continue;
        };
        let shown = program.to_string_lossy().into_owned();
        ui.command(format_args!("{shown} {}", page.display()));
        // It is the user's, with the terminal and as long as it takes.
        match Command::new(program).args(arguments).status() {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => problems.push(format!("{shown} ended with {status}")),
            Err(error) => problems.push(format!("cannot start {shown}: {error}")),
        }
    }
    let problem = match problems.is_empty() {
        true => "there is no xdg-open, and BROWSER is not set".to_owned(),
        false => problems.join("; "),
    };
    Err(
        Failure::new(format!("no browser shows the page: {problem}")).help(format!(
            "open {} yourself, or let a browser elsewhere read it from `pgastool view --serve`",
            page.display()
        )),
    )
}

/// The browsers of `$BROWSER`, separated by colons, in the order in which they are to be tried.
fn named() -> Vec<String> {
    let browsers = std::env::var("BROWSER").unwrap_or_default();
    let browsers = browsers.split(':').map(str::trim);
    browsers
        .filter(|b| !b.is_empty())
        .map(str::to_owned)
        .collect()
}

/// `%s` stands for the page; without one it comes last. No shell sees any of it.
fn command_line(browser: &str, page: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut placed = false;
    for word in browser.split_whitespace() {
        match word.split_once("%s") {
            Some((before, after)) => {
                let mut with_page = OsString::from(before);
                with_page.push(page);
                with_page.push(after);
                words.push(with_page);
                placed = true;
            }
            None => words.push(word.into()),
        }
    }
    if !placed {
        words.push(page.into());
    }
    words
}

fn opener() -> Option<&'static str> {
    let name = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    which::which(name).is_ok().then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_page_where_it_wants_it() {
        let page = Path::new("/a b/report.html");
        assert_eq!(
            command_line("firefox", page),
            ["firefox", "/a b/report.html"]
        );
        assert_eq!(
            command_line("w3m -o x=%s -T", page),
            ["w3m", "-o", "x=/a b/report.html", "-T"]
        );
    }
}
