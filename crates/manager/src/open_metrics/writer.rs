//! Lines of the OpenMetrics text format: families with their samples.

use std::fmt::Write;

/// Type of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// Texts that do not change.
    Info,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::Counter => "counter",
            Type::Gauge => "gauge",
            Type::Info => "info",
        }
    }

    /// End of the names of its samples.
    fn suffix(self) -> &'static str {
        match self {
            Type::Counter => "_total",
            Type::Gauge => "",
            Type::Info => "_info",
        }
    }
}

/// A family; its name ends with its unit, if it has one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) kind: Type,
    pub(super) unit: &'static str,
    pub(super) help: &'static str,
}

/// Text that is written.
#[derive(Debug, Default)]
pub(super) struct Writer {
    text: String,
}

/// Labels of a sample.
pub(super) type Labels<'a> = [(&'a str, &'a str)];

impl Writer {
    /// Begins a family; its samples follow.
    pub(super) fn family(&mut self, family: &Family) {
        let Family { name, unit, .. } = family;
        self.line(format_args!("# TYPE {name} {}", family.kind.name()));
        if !unit.is_empty() {
            self.line(format_args!("# UNIT {name} {unit}"));
        }
        self.line(format_args!("# HELP {name} {}", escaped(family.help)));
    }

    /// A sample of a family; values that are no number are left out.
    pub(super) fn sample(&mut self, family: &Family, labels: &Labels, value: f64) {
        if !value.is_finite() {
            return;
        }
        let labels: Vec<String> = labels
            .iter()
            .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
            .collect();
        let labels = match labels.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", labels.join(",")),
        };
        let (name, suffix) = (family.name, family.kind.suffix());
        self.line(format_args!("{name}{suffix}{labels} {value}"));
    }

    /// A family of a single sample.
    pub(super) fn single(&mut self, family: &Family, labels: &Labels, value: f64) {
        self.family(family);
        self.sample(family, labels, value);
    }

    /// The whole text.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("# EOF\n");
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing into a text does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}

/// A text in which no character ends a line or a label.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\n' => escaped.push_str("\\n"),
            other => escaped.push(other),
        }
    }
    escaped
}
