//! Chromium behind `chromedriver`, or behind what the environment variable PGAS_WEBDRIVER names:
//! WebDriver (a W3C recommendation) over HTTP. The driver ends with the value, and its browser with
//! it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::PATIENCE;
use super::wire::{Ask, Wire};

pub struct Chromium {
    driver: Child,
    agent: ureq::Agent,
    session: String,
}

impl Chromium {
    pub fn start() -> Self {
        let program = std::env::var("PGAS_WEBDRIVER").unwrap_or_else(|_| "chromedriver".into());
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| {
                panic!("cannot run {program}: {e}; Debian: apt install chromium chromium-driver")
            });
        let port = port(&mut driver);
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build()
            .new_agent();
        // A container's root cannot have the browser's sandbox; the pages are our own.
        let options = json!({ "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                       "--hide-scrollbars", "--force-color-profile=srgb", "--window-size=1360,900"] });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } } } });
        let mut chromium = Chromium {
            driver,
            agent,
            session: format!("http://127.0.0.1:{port}/session"),
        };
        let session = chromium.post("", wanted);
        let id = session["sessionId"].as_str().expect("a session");
        chromium.session = format!("{}/{id}", chromium.session);
        chromium
    }

    fn emulate(&self, media: Value) {
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": media });
        self.post("/goog/cdp/execute", command);
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let request = self.agent.post(format!("{}{path}", self.session));
        self.answer(request.send_json(body))
    }

    fn answer(&self, response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
        let mut response = response.expect("the driver answers");
        // Pictures and answers of large pages are more than what is read by default.
        let body = response.body_mut().with_config().limit(256 << 20);
        let mut answer: Value = body.read_json().expect("an answer in JSON");
        let value = answer["value"].take();
        if let Some(error) = value["error"].as_str() {
            panic!("{error}: {}", value["message"]);
        }
        value
    }
}

impl Wire for Chromium {
    fn ask(&self, what: Ask, body: Value) -> Value {
        let path = match what {
            Ask::Navigate => "/url",
            Ask::Run => "/execute/sync",
            Ask::RunAndWait => "/execute/async",
            Ask::Find => "/element",
            Ask::Click(id) => return self.post(&format!("/element/{id}/click"), body),
            Ask::Type(id) => return self.post(&format!("/element/{id}/value"), body),
            Ask::Act => "/actions",
            Ask::Resize => "/window/rect",
            Ask::Print => "/print",
            Ask::Screenshot => {
                let request = self.agent.get(format!("{}/screenshot", self.session));
                return self.answer(request.call());
            }
        };
        self.post(path, body)
    }

    fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        let messages = entries.iter().map(|entry| entry["message"].to_string());
        messages.collect()
    }

    fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.emulate(json!({ "features": features }));
    }

    fn medium(&self, medium: &str) {
        self.emulate(json!({ "media": medium }));
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The driver ends its browser with the session. One that does not answer is ended all the
        // same.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Where the driver listens, which it prints.
fn port(driver: &mut Child) -> u16 {
    let out = driver.stdout.take().expect("the driver's output");
    let mut lines = BufReader::new(out).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once("started successfully on port ")?;
        rest.trim_end_matches('.').parse().ok()
    });
    // Whoever writes into a closed pipe ends.
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("the driver prints its port")
}
