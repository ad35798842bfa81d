//! A user in front of a screen of some size: types keys, and sees text.
#![allow(dead_code)]

#[path = "../../../report/tests/common/mod.rs"]
pub mod results;

use crate::document::Document;
use crate::draw;
use crate::input::{Input, input};
use crate::state::{App, Next};
use pgas_result::AnalysisResult;
use pgas_result::sources::{SourceFile, Sources};
use pgas_screen::theme::{Colours, Theme};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

pub struct User<'a> {
    pub app: App,
    pub document: Document<'a>,
}

pub fn theme(unicode: bool) -> Theme {
    Theme {
        colours: Colours::Indexed,
        unicode,
    }
}

/// The file that the results of the integer sort are of.
pub fn sources() -> Sources {
    let line = |number: u32| match number {
        412 => "\tupc_barrier; /* all keys are there */\n".to_owned(),
        n => format!("    statement_{n}();\n"),
    };
    Sources {
        files: vec![SourceFile::text(
            "is.c",
            (1..=600).map(line).collect::<String>(),
        )],
    }
}

impl<'a> User<'a> {
    pub fn of(result: &'a AnalysisResult, columns: u16, rows: u16) -> Self {
        let document = Document::new(result, &sources());
        let mut app = App::new(theme(true), Rect::new(0, 0, columns, rows));
        app.refresh(&document);
        User { app, document }
    }

    /// Types letters; `<Enter>`, `<Tab>` and others are keys.
    pub fn types(&mut self, keys: &str) -> Next {
        let mut next = Next::Continue;
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|r| r.split_once('>'));
            let code = match named {
                Some((name, after)) => {
                    rest = after;
                    match name {
                        "Enter" => KeyCode::Enter,
                        "Tab" => KeyCode::Tab,
                        "Esc" => KeyCode::Esc,
                        "Down" => KeyCode::Down,
                        "Up" => KeyCode::Up,
                        "Left" => KeyCode::Left,
                        "Right" => KeyCode::Right,
                        "PageDown" => KeyCode::PageDown,
                        "Home" => KeyCode::Home,
                        "End" => KeyCode::End,
                        "Backspace" => KeyCode::Backspace,
                        other => panic!("no key {other}"),
                    }
                }
                None => {
                    rest = &rest[first.len_utf8()..];
                    KeyCode::Char(first)
                }
            };
            let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
            if let Some(input) = input(&event, self.app.typing().is_some()) {
                next = self.app.update(&self.document, input);
            }
        }
        next
    }

    pub fn does(&mut self, input: Input) {
        self.app.update(&self.document, input);
    }

    pub fn buffer(&self) -> Buffer {
        let mut buffer = Buffer::empty(self.app.area);
        draw::draw(&self.app, &self.document, &mut buffer);
        buffer
    }

    /// Text of the screen, without colours.
    pub fn sees(&self) -> String {
        let buffer = self.buffer();
        let area = buffer.area;
        let mut out = String::new();
        for y in area.top()..area.bottom() {
            let mut line = String::new();
            for x in area.left()..area.right() {
                line.push_str(buffer[(x, y)].symbol());
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// The line of the screen that is drawn as selected, the last of several.
    pub fn selected_line(&self) -> Option<String> {
        self.selected_lines().pop()
    }

    /// All lines of the screen on which something is drawn as selected, from the top.
    pub fn selected_lines(&self) -> Vec<String> {
        let buffer = self.buffer();
        let area = buffer.area;
        let is_selected = |y: &u16| {
            let reversed = |x| buffer[(x, *y)].modifier.contains(Modifier::REVERSED);
            (area.left()..area.right()).filter(|x| reversed(*x)).count() > 3
        };
        let text = |y| {
            let symbols = (area.left()..area.right()).map(|x| buffer[(x, y)].symbol());
            symbols.collect::<String>().trim_end().to_owned()
        };
        let below_tabs = area.top() + 1..area.bottom();
        below_tabs.filter(is_selected).map(text).collect()
    }
}
