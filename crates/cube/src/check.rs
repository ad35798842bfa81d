//! Checks a CUBE file of either version against the demands of CubeLib, whose tools keep every kind
//! of entry in a vector indexed by identifier: one that is missing is a null pointer to them, and
//! they crash.
//!
//! The check is independent of the writers: it reads the tags of the file itself. Whether the
//! values fit the trees is what reading the whole file shows, which comes first.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Error;
use crate::open::{read_any, xml_of};
use crate::roles::{PARADIGMS, ROLES};

/// A demand of CubeLib or of its `cube_sanity` that a file does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Whether tools of CubeLib refuse the file or crash; else `cube_sanity` merely complains.
    pub is_fatal: bool,
    /// The demand and the place where the file breaks it: a sentence for people.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)
    }
}

/// Violations of a CUBE 3 file (`.cube`, `.cube.gz`), a CUBE 4 file (`.cubex`) or the result of an
/// analysed experiment; the fatal ones come first.
///
/// # Errors
/// Those of [`read_any`]: a file that cannot be read has no violations to list.
pub fn check_file(path: impl AsRef<Path>) -> Result<Vec<Violation>, Error> {
    let path = path.as_ref();
    read_any(path)?;
    let xml = xml_of(path)?;
    Ok(Tags::of(&xml).violations())
}

/// Kinds of entries that have identifiers of their own: the tags of either version, and what a
/// message calls them.
const KINDS: [(&[&str], &str); 7] = [
    (&["metric"], "metric"),
    (&["region"], "region"),
    (&["cnode"], "call-tree node"),
    (&["machine"], "machine"),
    (&["node", "systemtreenode"], "system-tree node"),
    (&["process", "locationgroup"], "location group"),
    (&["thread", "location"], "location"),
];

/// Names by which CUBE's tools know regions that could not be measured properly.
const IMPROPER_NAMES: [&str; 3] = ["UNKNOWN", "ANONYMOUS", "TRUNCATED"];

/// Identifiers and lines, as the tags of a file have them.
#[derive(Default)]
struct Tags {
    /// By entry of [`KINDS`]: how often each identifier is given.
    ids: [BTreeMap<usize, usize>; KINDS.len()],
    callees: Vec<usize>,
    /// Regions whose last line is before their first one.
    reversed: Vec<usize>,
    improper: Vec<String>,
    /// Tags without the identifier that they need.
    anonymous: Vec<String>,
    /// Paradigms and roles that other tools do not know.
    unknown: Vec<String>,
}

impl Tags {
    fn of(xml: &str) -> Self {
        let mut tags = Tags::default();
        let mut reader = Reader::from_str(xml);
        reader.config_mut().expand_empty_elements = true;
        let mut open: Vec<Vec<u8>> = Vec::new();
        // The file was read before, so that whatever ends the loop early has been reported.
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(start) => {
                    tags.start(&start);
                    open.push(start.name().as_ref().to_vec());
                }
                Event::Text(text) => {
                    tags.classify(open.last(), &text);
                    let mut frames = open.iter().rev();
                    let is_name = frames.next().is_some_and(|tag| tag == b"name");
                    if is_name && frames.next().is_some_and(|tag| tag == b"region") {
                        let name = String::from_utf8_lossy(&text).into_owned();
                        tags.improper
                            .extend(Some(name).filter(|n| IMPROPER_NAMES.contains(&n.as_str())));
                    }
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Eof => break,
                _ => {}
            }
        }
        tags
    }

    fn classify(&mut self, tag: Option<&Vec<u8>>, text: &[u8]) {
        let text = String::from_utf8_lossy(text).into_owned();
        let (what, known): (_, &[&str]) = match tag.map(Vec::as_slice) {
            Some(b"paradigm") => ("paradigm", &PARADIGMS),
            Some(b"role") => ("role", &ROLES),
            _ => return,
        };
        if !known.contains(&text.as_str()) {
            self.unknown.push(format!("{what} {text}"));
        }
    }

    fn start(&mut self, tag: &BytesStart) {
        let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
        let is_kind = |(tags, _): &(&[&str], &str)| tags.contains(&name.as_str());
        let Some(kind) = KINDS.iter().position(is_kind) else {
            return;
        };
        let Some(id) = number(tag, "id") else {
            return self.anonymous.push(name);
        };
        *self.ids[kind].entry(id).or_insert(0) += 1;
        if name == "cnode" {
            self.callees.extend(number(tag, "calleeId"));
        }
        if let (Some(begin), Some(end)) = (number(tag, "begin"), number(tag, "end")) {
            if end < begin {
                self.reversed.push(id);
            }
        }
    }

    fn violations(&self) -> Vec<Violation> {
        let mut all = Vec::new();
        for (ids, (_, kind)) in self.ids.iter().zip(KINDS) {
            if let Some((id, _)) = ids.iter().find(|&(_, &count)| count > 1) {
                all.push(fatal(format!("{kind} {id} is there twice")));
            }
            if let Some(id) = (0..ids.len()).find(|id| !ids.contains_key(id)) {
                all.push(fatal(format!(
                    "there are {} {kind}s and none with identifier {id}: identifiers must be 0 to \
                     {} without a gap",
                    ids.len(),
                    ids.len() - 1
                )));
            }
        }
        let unknown = |callee: &&usize| !self.ids[1].contains_key(callee);
        if let Some(callee) = self.callees.iter().find(unknown) {
            all.push(fatal(format!(
                "a call-tree node calls region {callee}, which is not there"
            )));
        }
        if let Some(tag) = self.anonymous.first() {
            all.push(fatal(format!("a <{tag}> has no identifier")));
        }
        if let Some(region) = self.reversed.first() {
            all.push(improper(format!("region {region} ends before it begins")));
        }
        if let Some(what) = self.unknown.first() {
            all.push(improper(format!(
                "a region has the {what}, which neither Score-P nor OTF2 knows"
            )));
        }
        if let Some(name) = self.improper.first() {
            all.push(improper(format!("a region is named {name}")));
        }
        all
    }
}

/// An attribute that is a natural number; its name in either case, since system identifiers are
/// spelled `Id`.
fn number(tag: &BytesStart, name: &str) -> Option<usize> {
    let mut all = tag.attributes();
    let mut attributes = all.with_checks(false).flatten();
    let attribute = attributes.find(|a| a.key.as_ref().eq_ignore_ascii_case(name.as_bytes()))?;
    std::str::from_utf8(&attribute.value)
        .ok()?
        .trim()
        .parse()
        .ok()
}

fn fatal(rule: String) -> Violation {
    Violation {
        is_fatal: true,
        rule,
    }
}

fn improper(rule: String) -> Violation {
    Violation {
        is_fatal: false,
        rule,
    }
}
