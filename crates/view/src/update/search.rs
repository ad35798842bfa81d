//! Search: a text is looked for while it is typed, from where the user was.

use crate::document::Document;
use crate::input::{Command, Input};
use crate::state::{App, Next, Places, Prompt, Screen, search_findings};

impl App {
    pub(super) fn begin_search(&mut self) {
        self.prompt = Some(Prompt {
            text: String::new(),
            before: Box::new(self.places()),
        });
    }

    pub(super) fn type_text(&mut self, document: &Document, input: Input) -> Next {
        let Some(mut prompt) = self.prompt.take() else {
            return Next::Continue;
        };
        match input {
            Input::Command(Command::Quit) => return Next::Quit,
            Input::Command(Command::Back) => {
                self.restore(*prompt.before);
                return Next::Continue;
            }
            Input::Command(Command::Enter) => {
                if !prompt.text.is_empty() {
                    self.search = Some(prompt.text);
                }
                return Next::Continue;
            }
            Input::Command(Command::NextMatch | Command::PreviousMatch) => {
                let forward = input == Input::Command(Command::NextMatch);
                self.find(document, &prompt.text, forward, false);
                self.prompt = Some(prompt);
                return Next::Continue;
            }
            Input::Letter(letter) => prompt.text.push(letter),
            Input::EraseLetter if prompt.text.is_empty() => return Next::Continue,
            Input::EraseLetter => {
                prompt.text.pop();
            }
            Input::EraseAll => prompt.text.clear(),
            _ => {}
        }
        // Each search starts at the place before typing, not at the match of fewer letters.
        self.restore((*prompt.before).clone());
        if !prompt.text.is_empty() {
            self.find(document, &prompt.text, true, true);
        }
        self.prompt = Some(prompt);
        Next::Continue
    }

    fn places(&self) -> Places {
        Places {
            findings: self.findings.clone(),
            trees: self.trees.clone(),
            source: self.source.clone(),
            threads: self.threads.clone(),
        }
    }

    fn restore(&mut self, places: Places) {
        self.findings = places.findings;
        self.trees = places.trees;
        self.source = places.source;
        self.threads = places.threads;
    }

    pub(super) fn next_match(&mut self, document: &Document, forward: bool) {
        match self.search.clone() {
            Some(text) => self.find(document, &text, forward, false),
            None => self.message = Some("nothing is searched for: / begins".to_owned()),
        }
    }

    fn find(&mut self, document: &Document, text: &str, forward: bool, stay: bool) {
        let profile = document.profile.as_ref();
        let found = match (self.screen, profile) {
            (Screen::Findings, _) => {
                search_findings(&mut self.findings, document, text, (forward, stay))
            }
            (Screen::Trees, Some(profile)) => self.trees.search(profile, text, forward, stay),
            (Screen::Source, Some(profile)) => {
                let height = self.source_height();
                self.source.search(profile, text, (forward, stay), height)
            }
            (Screen::Threads, Some(profile)) => {
                let height = self.thread_height();
                self.threads.search(profile, text, (forward, stay), height)
            }
            _ => {
                self.message = Some("there is nothing to search on this screen".to_owned());
                return;
            }
        };
        if !found {
            self.message = Some(format!("no match for {text}"));
        }
    }
}
