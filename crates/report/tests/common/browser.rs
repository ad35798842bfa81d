//! A browser under remote control: as much of WebDriver (a W3C recommendation) as the tests of the
//! page need. It is Chromium, or Firefox if the environment variable PGAS_BROWSER says `firefox`;
//! it ends with the value.
#![allow(dead_code)]

#[path = "chromium.rs"]
mod chromium;
#[path = "firefox.rs"]
mod firefox;
#[path = "wire.rs"]
mod wire;

use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

use wire::{Ask, Wire};

/// How long anything on a page, or the start of a browser on a machine with other work, may take
/// before the test fails.
const PATIENCE: Duration = Duration::from_secs(180);

/// The key under which WebDriver names elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

pub struct Browser {
    wire: Box<dyn Wire>,
}

impl Browser {
    /// A browser of its own, with a window of 1360 by 900 and nothing open.
    pub fn open() -> Self {
        let name = std::env::var("PGAS_BROWSER").unwrap_or_else(|_| "chromium".into());
        let wire: Box<dyn Wire> = match name.as_str() {
            "chromium" => Box::new(chromium::Chromium::start()),
            "firefox" => Box::new(firefox::Firefox::start()),
            _ => panic!("PGAS_BROWSER is '{name}'; it can be chromium or firefox"),
        };
        Browser { wire }
    }

    /// Opens a page of this report from a file address, and waits until it is shown.
    pub fn show(&self, file: &Path, fragment: &str) {
        self.visit(&format!("file://{}{fragment}", file.display()));
        self.wait("return document.documentElement.dataset.ready === 'true'");
    }

    /// Opens an address.
    pub fn visit(&self, address: &str) {
        self.wire.ask(Ask::Navigate, json!({ "url": address }));
    }

    /// Goes to a view of the page.
    pub fn go(&self, fragment: &str) {
        self.run("location.hash = arguments[0]", &[json!(fragment)]);
        self.wait(&format!(
            "return location.hash === {} && document.querySelector('main').childElementCount > 0",
            json!(fragment)
        ));
        self.settle();
    }

    /// Waits until what the page has begun to draw is drawn.
    pub fn settle(&self) {
        let script = "const done = arguments[0]; requestAnimationFrame(() => \
                      requestAnimationFrame(() => done(true)))";
        self.wire
            .ask(Ask::RunAndWait, json!({ "script": script, "args": [] }));
    }

    /// The value that a script in the page returns.
    pub fn run(&self, script: &str, arguments: &[Value]) -> Value {
        self.wire
            .ask(Ask::Run, json!({ "script": script, "args": arguments }))
    }

    /// The same as text.
    pub fn text(&self, script: &str) -> String {
        let value = self.run(script, &[]);
        value
            .as_str()
            .unwrap_or_else(|| panic!("{script} gives {value}"))
            .to_owned()
    }

    pub fn number(&self, script: &str) -> f64 {
        let value = self.run(script, &[]);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{script} gives {value}"))
    }

    pub fn wait(&self, script: &str) {
        let begin = Instant::now();
        while self.run(script, &[]) != json!(true) {
            assert!(
                begin.elapsed() < PATIENCE,
                "in vain: {script}\n{}",
                self.shown()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text that one sees of the view.
    pub fn shown(&self) -> String {
        self.text("return document.querySelector('main').innerText")
    }

    /// Clicks on the middle of the first element that matches a CSS selector, as a mouse does.
    pub fn click(&self, selector: &str) {
        let id = self.element(selector);
        // The middle of the window is never below the bar at the top.
        let middle = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })";
        self.run(middle, &[json!(selector)]);
        self.wire.ask(Ask::Click(&id), json!({}));
        self.settle();
    }

    /// Types into an element; keys beyond characters are those of [`key`].
    pub fn type_into(&self, selector: &str, text: &str) {
        let id = self.element(selector);
        self.wire.ask(Ask::Type(&id), json!({ "text": text }));
        self.settle();
    }

    /// Presses keys wherever the focus is.
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key })))
            .collect();
        let actions =
            json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] });
        self.wire.ask(Ask::Act, actions);
        self.settle();
    }

    /// Moves the pointer onto an element, some pixels from its middle.
    pub fn point_at(&self, selector: &str, right: i64, down: i64) {
        let origin = json!({ ELEMENT: self.element(selector) });
        let moving = json!({ "type": "pointerMove", "origin": origin, "x": right, "y": down, "duration": 0 });
        let actions =
            json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": [moving] }] });
        self.wire.ask(Ask::Act, actions);
        self.settle();
    }

    fn element(&self, selector: &str) -> String {
        let found = self.wire.ask(
            Ask::Find,
            json!({ "using": "css selector", "value": selector }),
        );
        let id = found[ELEMENT].as_str();
        id.unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// The browser's complaints since this was asked last: errors of scripts, refused
    /// loads, warnings.
    pub fn complaints(&self) -> Vec<String> {
        self.wire.complaints()
    }

    /// Makes the system's setting `light` or `dark`.
    pub fn prefer(&self, scheme: &str) {
        self.wire.prefer(scheme);
        self.settle();
    }

    /// Shows the window as it would be on paper, or as it is on a screen.
    pub fn on_paper(&self, is_on_paper: bool) {
        self.wire
            .medium(if is_on_paper { "print" } else { "screen" });
        self.settle();
    }

    pub fn resize(&self, width: u32, height: u32) {
        self.wire
            .ask(Ask::Resize, json!({ "width": width, "height": height }));
        self.settle();
    }

    /// The window as a PNG.
    pub fn screenshot(&self) -> Vec<u8> {
        decoded(&self.wire.ask(Ask::Screenshot, json!({})))
    }

    /// The page on A4 paper as a PDF.
    pub fn print(&self) -> Vec<u8> {
        let paper = json!({ "width": 21.0, "height": 29.7 });
        decoded(
            &self
                .wire
                .ask(Ask::Print, json!({ "page": paper, "background": false })),
        )
    }
}

fn decoded(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("text in base 64");
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .expect("text in base 64")
}

/// Keys that are no characters, as WebDriver spells them.
pub mod key {
    pub const ENTER: &str = "\u{e007}";
    pub const TAB: &str = "\u{e004}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
    pub const END: &str = "\u{e010}";
    pub const HOME: &str = "\u{e011}";
    pub const ESCAPE: &str = "\u{e00c}";
}
