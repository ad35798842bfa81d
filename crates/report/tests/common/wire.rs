//! Requests of the page's tests to any browser. Commands have the parameters that WebDriver gives
//! them.

use serde_json::Value;

/// A command, and the element that it is about.
#[derive(Debug, Clone, Copy)]
pub enum Ask<'a> {
    Navigate,
    /// Runs a script in the page and gives what it returns.
    Run,
    /// The same of a script that says itself when it is done.
    RunAndWait,
    Find,
    Click(&'a str),
    Type(&'a str),
    Act,
    Resize,
    /// The window as a PNG in base 64.
    Screenshot,
    /// The page on paper: a PDF in base 64.
    Print,
}

/// A browser that takes commands. Errors end the test.
pub trait Wire {
    fn ask(&self, what: Ask, body: Value) -> Value;

    /// The browser's complaints since this was asked last: errors of scripts, refused
    /// loads, warnings.
    fn complaints(&self) -> Vec<String>;

    /// Makes the system's setting `light` or `dark`.
    fn prefer(&self, scheme: &str);

    /// Makes the page follow its style for `print` or `screen`.
    fn medium(&self, medium: &str);
}
