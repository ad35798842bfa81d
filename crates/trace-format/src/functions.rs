//! First and last lines of the program's functions: written by a recorder into the properties
//! [`FUNCTIONS`] of a stream, read back for reports.

/// The properties with the lines of functions; there may be several of that name.
pub const FUNCTIONS: &str = "functions";

/// A function of the program in its source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionLines {
    /// Source file, as call sites spell it.
    pub file: String,
    /// First line of the function, from 1.
    pub line: u32,
    /// Last line of the function, not before the first.
    pub end_line: u32,
    /// Name of the function.
    pub name: String,
}

impl FunctionLines {
    /// A line of a property.
    pub fn to_text(&self) -> String {
        let clean = |text: &str| text.replace(['\t', '\n'], " ");
        format!(
            "{}\t{}\t{}\t{}",
            self.line,
            self.end_line,
            clean(&self.name),
            clean(&self.file)
        )
    }

    /// All functions of a property; lines that are none are left out.
    pub fn all(text: &str) -> impl Iterator<Item = FunctionLines> + '_ {
        text.lines().filter_map(FunctionLines::from_text)
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut words = text.split('\t');
        let mut number = || words.next()?.parse().ok();
        let (line, end_line): (u32, u32) = (number()?, number()?);
        let function = FunctionLines {
            line,
            end_line,
            name: words.next()?.to_owned(),
            file: words.next()?.to_owned(),
        };
        (line > 0 && end_line >= line).then_some(function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_others_are_left_out() {
        let function = |line, end_line| FunctionLines {
            file: "a b.upc".into(),
            line,
            end_line,
            name: "f".into(),
        };
        let (short, reversed) = (function(7, 7), function(7, 6));
        let text = format!("{}\nx\n7\t8\n{}\n", short.to_text(), reversed.to_text());
        assert_eq!(FunctionLines::all(&text).collect::<Vec<_>>(), [short]);
    }
}
