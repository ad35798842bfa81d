//! Firefox by its own remote control, Marionette: WebDriver's commands as JSON over a local
//! connection, which needs no driver beside the browser. The program is `firefox-esr` or `firefox`,
//! or what the environment variable PGAS_FIREFOX names; it has a profile and a home directory of
//! its own, which go with the value.

use std::cell::RefCell;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::PATIENCE;
use super::wire::{Ask, Wire};

pub struct Firefox {
    program: Child,
    connection: RefCell<Connection>,
    _profile: TempDir,
}

struct Connection {
    stream: BufReader<TcpStream>,
    commands: u64,
}

impl Firefox {
    pub fn start() -> Self {
        let profile = tempfile::tempdir().expect("a directory for the profile");
        // Port 0 is any that is free; it is written into the profile.
        let settings = "user_pref('marionette.port', \
                        0);\nuser_pref('browser.shell.checkDefaultBrowser', false);\n";
        std::fs::write(profile.path().join("user.js"), settings).expect("settings");
        let named = std::env::var("PGAS_FIREFOX").ok();
        let programs = match &named {
            Some(program) => vec![program.as_str()],
            None => vec!["firefox-esr", "firefox"],
        };
        let started = programs.iter().find_map(|program| {
            Command::new(program)
                // The settings and the log of the browser itself are looked at, too.
                .args([
                    "--headless",
                    "--marionette",
                    "--remote-allow-system-access",
                    "--no-remote",
                    "--profile",
                ])
                .arg(profile.path())
                .env("HOME", profile.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .ok()
        });
        let program = started
            .unwrap_or_else(|| panic!("cannot run {programs:?}; Debian: apt install firefox-esr"));
        let mut firefox = Starting(Some(program));
        let stream = connect(profile.path());
        let mut connection = Connection {
            stream: BufReader::new(stream),
            commands: 0,
        };
        connection.receive();
        let firefox = Firefox {
            program: firefox.0.take().expect("the browser"),
            connection: RefCell::new(connection),
            _profile: profile,
        };
        firefox.command("WebDriver:NewSession", json!({}));
        firefox.ask(Ask::Resize, json!({ "width": 1360, "height": 900 }));
        firefox.complaints();
        firefox
    }

    fn command(&self, name: &str, parameters: Value) -> Value {
        self.connection.borrow_mut().command(name, parameters)
    }

    /// Runs a script with the rights of the browser itself.
    fn privileged(&self, script: &str, arguments: Value) -> Value {
        self.command("Marionette:SetContext", json!({ "value": "chrome" }));
        let value = self.command(
            "WebDriver:ExecuteScript",
            json!({ "script": script, "args": arguments }),
        );
        self.command("Marionette:SetContext", json!({ "value": "content" }));
        value
    }
}

impl Wire for Firefox {
    fn ask(&self, what: Ask, mut body: Value) -> Value {
        let name = match what {
            Ask::Navigate => "WebDriver:Navigate",
            Ask::Run => "WebDriver:ExecuteScript",
            Ask::RunAndWait => "WebDriver:ExecuteAsyncScript",
            Ask::Find => "WebDriver:FindElement",
            Ask::Click(id) => {
                body["id"] = json!(id);
                "WebDriver:ElementClick"
            }
            Ask::Type(id) => {
                body["id"] = json!(id);
                "WebDriver:ElementSendKeys"
            }
            Ask::Act => "WebDriver:PerformActions",
            Ask::Resize => "WebDriver:SetWindowRect",
            Ask::Screenshot => {
                body["full"] = json!(false);
                "WebDriver:TakeScreenshot"
            }
            Ask::Print => "WebDriver:Print",
        };
        self.command(name, body)
    }

    /// Only of pages: what the browser says about its own parts is not ours. That trees place their
    /// rows while one scrolls is no fault, but an advice that Firefox gives on all pages with
    /// virtual rows.
    fn complaints(&self) -> Vec<String> {
        let script = "const all = Services.console.getMessageArray().filter((m) => m instanceof \
                      Ci.nsIScriptError) .filter((m) => m.sourceName.startsWith('file:') || \
                      m.category.startsWith('content')) .filter((m) => \
                      !m.errorMessage.includes('scroll-linked positioning effect')) .map((m) => \
                      m.toString()); Services.console.reset(); return all";
        let messages = self.privileged(script, json!([]));
        let messages = messages.as_array().cloned().unwrap_or_default();
        messages.iter().map(Value::to_string).collect()
    }

    fn prefer(&self, scheme: &str) {
        let script = "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override'\
                      , arguments[0])";
        let number = match scheme {
            "dark" => 0,
            _ => 1,
        };
        self.privileged(script, json!([number]));
    }

    fn medium(&self, medium: &str) {
        let script = "gBrowser.selectedBrowser.browsingContext.mediumOverride = arguments[0]";
        self.privileged(script, json!([medium]));
    }
}

impl Connection {
    fn command(&mut self, name: &str, parameters: Value) -> Value {
        self.commands += 1;
        let message = json!([0, self.commands, name, parameters]).to_string();
        let stream = self.stream.get_mut();
        write!(stream, "{}:{message}", message.len()).expect("the browser listens");
        let mut answer = self.receive();
        assert_eq!(answer[1], json!(self.commands), "an answer to {name}");
        if let Some(error) = answer[2]["error"].as_str() {
            panic!("{name}: {error}: {}", answer[2]["message"]);
        }
        match answer[3].get_mut("value") {
            Some(value) => value.take(),
            None => answer[3].take(),
        }
    }

    /// A message is its length in bytes, a colon, and JSON.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut byte = [0];
            self.stream
                .read_exact(&mut byte)
                .expect("the browser answers");
            match byte[0] {
                b':' => break,
                digit => {
                    assert!(digit.is_ascii_digit(), "a length begins with byte {digit}");
                    length = length * 10 + usize::from(digit - b'0');
                }
            }
        }
        let mut message = vec![0; length];
        self.stream
            .read_exact(&mut message)
            .expect("a whole answer");
        serde_json::from_slice(&message).expect("an answer in JSON")
    }
}

/// Waits until the browser has written where it listens.
fn connect(profile: &Path) -> TcpStream {
    let begin = Instant::now();
    loop {
        let port = std::fs::read_to_string(profile.join("MarionetteActivePort")).ok();
        let port = port.and_then(|text| text.trim().parse::<u16>().ok());
        if let Some(stream) = port.and_then(|port| TcpStream::connect(("127.0.0.1", port)).ok()) {
            stream
                .set_read_timeout(Some(PATIENCE))
                .expect("a limit of time");
            return stream;
        }
        assert!(begin.elapsed() < PATIENCE, "Firefox does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Ends the browser if it cannot be talked to.
struct Starting(Option<Child>);

impl Drop for Starting {
    fn drop(&mut self) {
        if let Some(program) = &mut self.0 {
            end(program);
        }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        end(&mut self.program);
    }
}

fn end(program: &mut Child) {
    let _ = program.kill();
    let _ = program.wait();
}
