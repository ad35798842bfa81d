//! Pages in Markdown: headings, tables, blocks and charts, and what stands at the top of every
//! study.

use crate::programs::Study;
use crate::settings::Settings;
use crate::statistics::{Estimate, Sample};
use crate::tool::Tool;
use crate::{Error, machine};
use pgas_base::quantity::{ratio, seconds};
use std::fmt::Write;

/// A page that grows from top to bottom.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
}

impl Page {
    /// The beginning of a study's page: what is asked, how to repeat it, on what it was measured,
    /// and these further rows about its input.
    pub fn begin(
        study: &Study,
        tool: &Tool,
        settings: &Settings,
        input: &[(&str, String)],
    ) -> Result<Page, Error> {
        let mut page = Page::default();
        page.text(&format!("# {}", study.title));
        page.text(study.question);
        page.text("<!-- not run: takes minutes; `scripts/test` runs the short form -->");
        page.block("sh", &settings.repeat_command(study.name));
        let mut rows: Vec<Vec<String>> = machine::description(tool)?
            .into_iter()
            .map(|(what, value)| vec![what, value])
            .collect();
        rows.extend(
            input
                .iter()
                .map(|(what, value)| vec![what.to_string(), value.clone()]),
        );
        page.table(&["measured on", ""], &rows);
        if settings.short {
            page.text(
                "This is the short form: small problems and few runs. It shows that everything \
                 works; its figures say little.",
            );
        }
        Ok(page)
    }

    /// A paragraph, a heading or the like, followed by an empty line. Lines are broken at 120
    /// characters.
    pub fn text(&mut self, text: &str) {
        let mut width = 0;
        for (index, word) in text.split(' ').enumerate() {
            let length = word.chars().count();
            let starts_list = matches!(word, "-" | "+" | "*" | "#");
            if index > 0 && width + 1 + length > 118 && !starts_list {
                self.text.push('\n');
                width = 0;
            } else if index > 0 {
                self.text.push(' ');
                width += 1;
            }
            self.text.push_str(word);
            width += length;
        }
        self.text.push_str("\n\n");
    }

    pub fn heading(&mut self, text: &str) {
        let _ = write!(self.text, "## {text}\n\n");
    }

    pub fn subheading(&mut self, text: &str) {
        let _ = write!(self.text, "### {text}\n\n");
    }

    /// A fenced block. No line of the text can end it early: the fence is longer than any in the
    /// text.
    pub fn block(&mut self, language: &str, text: &str) {
        let mut fence = "```".to_string();
        while text.contains(&fence) {
            fence.push('`');
        }
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        let _ = write!(
            self.text,
            "{fence}{language}\n{}\n{fence}\n\n",
            lines.join("\n")
        );
    }

    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        let cell = |text: &str| text.replace('|', "\\|");
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        self.text
            .push_str(&line(head.iter().map(|text| cell(text)).collect()));
        self.text
            .push_str(&line(head.iter().map(|_| "---".to_string()).collect()));
        for row in rows {
            self.text
                .push_str(&line(row.iter().map(|text| cell(text)).collect()));
        }
        self.text.push('\n');
    }

    pub fn chart(&mut self, title: &str, file: &str) {
        let _ = write!(self.text, "![{title}]({file})\n\n");
    }

    pub fn finish(self) -> String {
        format!("{}\n", self.text.trim_end())
    }
}

/// Median, and the range from the least to the most in brackets.
pub fn spread(sample: &Sample) -> String {
    format!(
        "{} ({} to {})",
        seconds(sample.median(), false),
        seconds(sample.min(), false),
        seconds(sample.max(), false)
    )
}

/// A percentage with its interval of 95 % confidence.
pub fn percent(estimate: &Estimate) -> String {
    let plain = |value: f64| match value {
        // Few runs that scatter widely leave everything possible.
        _ if value < -999.0 => "below -999".to_string(),
        _ if value > 9999.0 => "above 9999".to_string(),
        _ if value.abs() < 0.005 => "0".to_string(),
        _ => ratio(value),
    };
    match estimate.interval {
        Some((low, high)) => format!(
            "{} % ({} to {})",
            plain(estimate.value),
            plain(low),
            plain(high)
        ),
        None => format!("{} %", plain(estimate.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units_and_three_digits() {
        let sample = Sample(vec![1.2345, 0.0123, 0.9996]);
        assert_eq!(spread(&sample), "1.00 s (12.3 ms to 1.23 s)");
        let estimate = Estimate {
            value: 12.34,
            interval: Some((-0.001, 20.0)),
        };
        assert_eq!(percent(&estimate), "12.3 % (0 to 20.0)");
    }

    #[test]
    fn paragraphs_are_broken_and_blocks_cannot_end_early() {
        let mut page = Page::default();
        page.text(&"word ".repeat(60));
        page.block("text", "a\n```\nb");
        page.table(&["a"], &[vec!["x|y".into()]]);
        let text = page.finish();
        assert!(text.lines().all(|line| line.chars().count() <= 120));
        assert!(text.contains("````text\na\n```\nb\n````"));
        assert!(text.contains("| x\\|y |"));
    }
}
