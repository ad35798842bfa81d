//! Colours and characters. Colours are those of Okabe and Ito, which colour-blind people tell
//! apart, as near as the terminal comes to them; nothing is said by colour alone.

use pgas_report::names;
use ratatui::style::{Color, Modifier, Style};

/// Colours that the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// No colours: only bold, dim, underlined and reversed text.
    None,
    /// The eight of old, in two intensities, as the user has set them.
    Basic,
    /// 256, of which 240 are the same everywhere.
    Indexed,
    /// 24 bits.
    Full,
}

impl Colours {
    /// As the environment's `TERM` and `COLORTERM` say.
    pub fn of_terminal(term: &str, colorterm: &str) -> Self {
        if matches!(colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
            Colours::Full
        } else if term.contains("256color") || term.contains("kitty") || term.contains("alacritty")
        {
            Colours::Indexed
        } else if term == "dumb" {
            Colours::None
        } else {
            Colours::Basic
        }
    }
}

/// Purpose of a piece of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Text like any other.
    Plain,
    /// What is less important.
    Dim,
    /// What is more important.
    Strong,
    /// A title.
    Heading,
    /// The selected line where the focus is.
    Selected,
    /// The selected line elsewhere.
    Marked,
    /// A figure that is as it should be.
    Good,
    /// One that could be better.
    Fair,
    /// One that costs much.
    Bad,
    /// Time in the program's own code.
    Computation,
    /// Time in which a thread waits for others.
    Waiting,
    /// Time in operations that move data.
    Communication,
    /// Time that the recorder takes.
    Measurement,
}

/// The looks of all screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Colours that the terminal can show.
    pub colours: Colours,
    /// Whether the terminal shows Unicode; pictures are made of ASCII characters otherwise.
    pub unicode: bool,
}

/// One colour for each kind of terminal.
struct Tint {
    basic: Color,
    indexed: u8,
    full: u32,
}

impl Tint {
    const fn new(basic: Color, indexed: u8, full: u32) -> Self {
        Tint {
            basic,
            indexed,
            full,
        }
    }
}

const BLUE: Tint = Tint::new(Color::Blue, 32, 0x0072b2);
const VERMILLION: Tint = Tint::new(Color::Red, 166, 0xd55e00);
const ORANGE: Tint = Tint::new(Color::Yellow, 214, 0xe69f00);
const GREEN: Tint = Tint::new(Color::Green, 36, 0x009e73);
const SKY: Tint = Tint::new(Color::Cyan, 74, 0x56b4e9);
const GREY: Tint = Tint::new(Color::DarkGray, 245, 0x8a8a8a);

/// From little to much: each darker and redder than the one before.
const HEAT: [Tint; 5] = [
    GREY,
    Tint::new(Color::Cyan, 74, 0x56b4e9),
    Tint::new(Color::Yellow, 220, 0xf0e442),
    ORANGE,
    VERMILLION,
];
/// Shares from which on the next colour is taken.
const HEAT_STEPS: [f64; 4] = [0.005, 0.05, 0.15, 0.4];

impl Theme {
    fn colour(&self, tint: &Tint) -> Option<Color> {
        match self.colours {
            Colours::None => None,
            Colours::Basic => Some(tint.basic),
            Colours::Indexed => Some(Color::Indexed(tint.indexed)),
            Colours::Full => Some(Color::from_u32(tint.full)),
        }
    }

    fn tinted(&self, tint: &Tint) -> Style {
        match self.colour(tint) {
            Some(colour) => Style::new().fg(colour),
            None => Style::new(),
        }
    }

    /// The looks of what has this purpose.
    pub fn style(&self, role: Role) -> Style {
        let plain = Style::new();
        match role {
            Role::Plain => plain,
            Role::Dim if self.colours == Colours::None => plain.add_modifier(Modifier::DIM),
            Role::Dim | Role::Measurement => self.tinted(&GREY),
            Role::Strong => plain.add_modifier(Modifier::BOLD),
            Role::Heading => self.tinted(&SKY).add_modifier(Modifier::BOLD),
            Role::Selected => plain.add_modifier(Modifier::REVERSED),
            Role::Marked => plain.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            Role::Good => self.tinted(&GREEN),
            Role::Fair => self.tinted(&ORANGE),
            Role::Bad => self.tinted(&VERMILLION).add_modifier(Modifier::BOLD),
            Role::Computation => self.tinted(&BLUE),
            Role::Waiting => self.tinted(&VERMILLION),
            Role::Communication => self.tinted(&ORANGE),
        }
    }

    /// How hot a share of a whole, 0 to 1, looks.
    pub fn heat(&self, share: f64) -> Style {
        let step = HEAT_STEPS.iter().filter(|limit| share >= **limit).count();
        self.tinted(&HEAT[step])
    }

    /// The part that a picture draws with.
    pub fn glyphs(&self) -> &'static Glyphs {
        match self.unicode {
            true => &UNICODE,
            false => &ASCII,
        }
    }

    /// Whether the terminal shows ASCII characters alone.
    pub fn ascii(&self) -> bool {
        !self.unicode
    }

    /// A text from outside as it can be shown: nothing in it acts on the terminal.
    pub fn clean(&self, text: &str) -> String {
        names::printable(text, self.ascii())
    }

    /// The same in at most `columns` columns.
    pub fn short(&self, text: &str, columns: usize) -> String {
        names::shorten(&self.clean(text), columns, self.glyphs().ellipsis)
    }

    /// The beginning of the text in at most `columns` columns: [`Theme::short`] keeps the end, too.
    pub fn beginning(&self, text: &str, columns: usize) -> String {
        let whole = self.clean(text);
        if names::width(&whole) <= columns {
            return whole;
        }
        let ellipsis = self.glyphs().ellipsis;
        let room = columns.saturating_sub(names::width(ellipsis) + 1);
        let first = self.wrap(text, room).into_iter().next();
        first.unwrap_or_default() + " " + ellipsis
    }

    /// The same in lines of at most `columns` columns.
    pub fn wrap(&self, text: &str, columns: usize) -> Vec<String> {
        names::wrap(&self.clean(text), columns.max(1), self.glyphs().ellipsis)
    }

    /// A time in seconds, with the unit that makes it easy to read.
    pub fn seconds(&self, value: f64) -> String {
        pgas_report::quantity::seconds(value, self.ascii())
    }
}

/// The characters that pictures are made of.
#[derive(Debug)]
pub struct Glyphs {
    /// Stands for what was left out.
    pub ellipsis: &'static str,
    /// Between parts of a line.
    pub separator: &'static str,
    /// A line from above to below.
    pub vertical: &'static str,
    /// A line from left to right.
    pub horizontal: char,
    /// Corners of a window: top left, top right, bottom left, bottom right.
    pub corners: [char; 4],
    /// Before an entry of a tree whose children are hidden.
    pub closed: &'static str,
    /// Before one whose children are shown.
    pub open: &'static str,
    /// Before one without children.
    pub leaf: &'static str,
    /// Shows by its colour how much there is.
    pub heat: &'static str,
    /// Points to the line that is meant.
    pub here: &'static str,
    /// From one part of a path to the next.
    pub arrow: &'static str,
    /// Parts of a cell from the left, from the smallest to a full one.
    pub bar: &'static [char],
    /// Heights of a cell from below, lowest first.
    pub curve: &'static [char],
    /// How much of a cell of a matrix is filled, from nothing to all.
    pub shades: &'static [char],
    /// A part of a bar: computation.
    pub computation: char,
    /// A part of a bar: waiting.
    pub waiting: char,
    /// A part of a bar: communication.
    pub communication: char,
    /// A part of a bar: no core.
    pub no_core: char,
    /// A part of a bar: the recorder.
    pub measurement: char,
    /// Of a picture of quartiles: the whisker.
    pub whisker: char,
    /// Of a picture of quartiles: the box.
    pub quartiles: char,
    /// Of a picture of quartiles: the median.
    pub median: char,
}

const UNICODE: Glyphs = Glyphs {
    ellipsis: "…",
    separator: " · ",
    vertical: "│",
    horizontal: '─',
    corners: ['┌', '┐', '└', '┘'],
    closed: "▸",
    open: "▾",
    leaf: " ",
    heat: "■",
    here: "▶",
    arrow: "›",
    bar: &['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
    curve: &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    shades: &[' ', '░', '▒', '▓', '█'],
    computation: '█',
    waiting: '▒',
    communication: '▄',
    no_core: '▁',
    measurement: '·',
    whisker: '─',
    quartiles: '▓',
    median: '┃',
};

const ASCII: Glyphs = Glyphs {
    ellipsis: "...",
    separator: ", ",
    vertical: "|",
    horizontal: '-',
    corners: ['+', '+', '+', '+'],
    closed: "+",
    open: "-",
    leaf: " ",
    heat: "*",
    here: ">",
    arrow: ">",
    bar: &['#'],
    curve: &['_', '.', '-', ':', '=', '+', '*', '#'],
    shades: &[' ', '.', 'o', 'O', '#'],
    computation: '#',
    waiting: '.',
    communication: '=',
    no_core: '_',
    measurement: '~',
    whisker: '-',
    quartiles: '=',
    median: '|',
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_say_what_they_can() {
        for (term, colorterm, colours) in [
            ("xterm-256color", "", Colours::Indexed),
            ("xterm-256color", "truecolor", Colours::Full),
            ("screen", "", Colours::Basic),
            ("linux", "", Colours::Basic),
            ("dumb", "", Colours::None),
        ] {
            assert_eq!(Colours::of_terminal(term, colorterm), colours, "{term}");
        }
    }

    #[test]
    fn hotter_looks_hotter() {
        let theme = Theme {
            colours: Colours::Indexed,
            unicode: true,
        };
        let styles: Vec<_> = [0.0, 0.01, 0.1, 0.3, 0.9].map(|s| theme.heat(s)).into();
        assert!(styles.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
