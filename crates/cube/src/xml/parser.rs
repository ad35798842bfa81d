//! Reads the XML of a CUBE file of either version, ours and those of other tools: comments, unknown
//! elements, other spellings of ids and attributes in another order are taken as they come; what is
//! missing, contradictory or out of range is a problem at a place.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::build::{Builder, Document, Place};
use super::dialect::Dialect;
use super::topologies::Owner;
use super::unescape::unescape;
use super::unfit::Unfit;
use super::{Limits, number};
use crate::topology::Dimension;

pub(super) enum Problem {
    Found { found: String, expected: String },
    TooMuch { what: String, limit: usize },
}

type Step<T = ()> = Result<T, Problem>;

fn wrong<T>(found: impl Into<String>, expected: impl Into<String>) -> Step<T> {
    Err(Problem::Found {
        found: found.into(),
        expected: expected.into(),
    })
}

/// An element that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    Document,
    Cube,
    Doc,
    Mirrors,
    Metrics,
    Metric,
    Program,
    Region,
    Cnode,
    System,
    Machine,
    Node,
    /// Of CUBE 4: machine, node, or what is between them.
    SystemNode,
    /// A process of CUBE 3, a group of locations of CUBE 4.
    Process,
    Thread,
    Topologies,
    Cart,
    Severity,
    Matrix,
    Row,
    /// An element that has only text, which goes to this place when it is closed.
    Text(Place),
    /// Something that is not needed, or not known.
    Ignored,
}

pub(super) struct Parser<'a> {
    dialect: Dialect,
    reader: Reader<&'a [u8]>,
    limits: &'a Limits,
    frames: Vec<Frame>,
    /// Characters of the innermost open element, if it is one that has text.
    text: String,
    build: Builder,
    seen_cube: bool,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, limits: &'a Limits, dialect: Dialect) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Parser {
            dialect,
            reader,
            limits,
            frames: vec![Frame::Document],
            text: String::new(),
            build: Builder::new(dialect),
            seen_cube: false,
        }
    }

    pub fn parse(mut self) -> Result<Document, (Problem, usize)> {
        let mut at = 0;
        let events = self.events(&mut at);
        events.map_err(|problem| (problem, at))?;
        self.build.finish().map_err(|unfit| (unfit.into(), at))
    }

    /// Takes in all events; `at` is kept at the beginning of the current one.
    fn events(&mut self, at: &mut usize) -> Step {
        loop {
            *at = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(e) => {
                    *at = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
                    return wrong(format!("bad XML ({e})"), "well-formed XML");
                }
            };
            match event {
                Event::Start(start) => self.start(&start)?,
                Event::End(_) => self.end()?,
                Event::Text(text) => match unescape(&text) {
                    Ok(text) => self.characters(&text)?,
                    Err(e) => return wrong(format!("bad text ({e})"), "the five named entities"),
                },
                Event::CData(data) => {
                    let text = String::from_utf8_lossy(&data).into_owned();
                    self.characters(&text)?;
                }
                Event::DocType(_) => return wrong("a document type", "a CUBE file without one"),
                Event::Eof => break,
                Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            }
        }
        if !self.seen_cube {
            return wrong("no element at all", self.dialect.root());
        }
        match self.frames[..] {
            [Frame::Document] => Ok(()),
            _ => wrong("the end of the file", "</cube> (the file was cut off)"),
        }
    }

    fn start(&mut self, tag: &BytesStart) -> Step {
        if self.frames.len() > self.limits.depth {
            return Err(Problem::TooMuch {
                what: "the nesting of elements".into(),
                limit: self.limits.depth,
            });
        }
        let name = tag.name();
        let attributes = Attributes { tag };
        let top = *self.frames.last().unwrap_or(&Frame::Ignored);
        let frame = match (top, name.as_ref()) {
            (Frame::Document, b"cube") if self.seen_cube => {
                return wrong("a second <cube>", "the end of the file");
            }
            (Frame::Document, b"cube") => {
                self.seen_cube = true;
                let version = attributes.text("version")?.unwrap_or_default();
                let expected = self.dialect.version();
                if version.split('.').next() != Some(expected) {
                    let found = format!("CUBE version {version:?}");
                    return wrong(found, format!("version {expected}"));
                }
                Frame::Cube
            }
            (Frame::Document, other) => {
                let name = String::from_utf8_lossy(other).into_owned();
                return wrong(format!("<{name}>"), self.dialect.root());
            }
            (Frame::Cube, b"metrics" | b"program" | b"system") if self.build.complete => {
                return wrong("another tree behind <severity>", "the trees before it");
            }
            (Frame::Cube, b"attr") => {
                let key = attributes.required("key")?;
                let value = attributes.required("value")?;
                self.build.cube.attributes.insert(key, value);
                Frame::Ignored
            }
            (Frame::Cube, b"doc") => Frame::Doc,
            (Frame::Doc, b"mirrors") => Frame::Mirrors,
            (Frame::Mirrors, b"murl") => Frame::Text(Place::Mirror),
            (Frame::Cube, b"metrics") => Frame::Metrics,
            (Frame::Metrics | Frame::Metric, b"metric") => {
                let kind = attributes.text("type")?.unwrap_or_default();
                self.build.open_metric(attributes.number("id")?, kind);
                Frame::Metric
            }
            (Frame::Metric, b"disp_name") => Frame::Text(Place::MetricDisplayName),
            (Frame::Metric, b"uniq_name") => Frame::Text(Place::MetricUniqueName),
            (Frame::Metric, b"dtype") => Frame::Text(Place::MetricDataType),
            (Frame::Metric, b"uom") => Frame::Text(Place::MetricUnit),
            (Frame::Metric, b"url") => Frame::Text(Place::MetricUrl),
            (Frame::Metric, b"descr") => Frame::Text(Place::MetricDescription),
            (Frame::Cube, b"program") => Frame::Program,
            (Frame::Program, b"region") => {
                self.build.open_region(
                    attributes.number("id")?,
                    attributes.text("mod")?.unwrap_or_default(),
                    attributes.line("begin")?,
                    attributes.line("end")?,
                );
                Frame::Region
            }
            (Frame::Region, b"name") => Frame::Text(Place::RegionName),
            (Frame::Region, b"role") => Frame::Text(Place::RegionRole),
            (Frame::Region, b"descr") => Frame::Text(Place::RegionDescription),
            (Frame::Program | Frame::Cnode, b"cnode") => {
                self.build.open_call_path(
                    attributes.number("id")?,
                    attributes.number("calleeId")?,
                    attributes.text("mod")?.unwrap_or_default(),
                    attributes.line("line")?,
                );
                Frame::Cnode
            }
            (Frame::Cube, b"system") => Frame::System,
            (Frame::System | Frame::SystemNode, b"systemtreenode") => {
                self.build.open_system_node();
                Frame::SystemNode
            }
            (Frame::SystemNode, b"name") => Frame::Text(Place::SystemNodeName),
            (Frame::SystemNode, b"locationgroup") => {
                self.build.group_in_system_node();
                self.build.open_process(attributes.optional_number("id")?)?;
                Frame::Process
            }
            // Groups may contain groups; the innermost is the process.
            (Frame::Process, b"locationgroup") => {
                self.build.open_process(attributes.optional_number("id")?)?;
                Frame::Process
            }
            (Frame::Process, b"location") => {
                self.build.open_thread(attributes.number("id")?);
                Frame::Thread
            }
            (Frame::System, b"machine") => {
                self.build.open_machine();
                Frame::Machine
            }
            (Frame::Machine, b"name") => Frame::Text(Place::MachineName),
            (Frame::Machine, b"node") => {
                self.build.open_node();
                Frame::Node
            }
            (Frame::Node, b"name") => Frame::Text(Place::NodeName),
            (Frame::Node, b"process") => {
                self.build.open_process(attributes.optional_number("id")?)?;
                Frame::Process
            }
            (Frame::Process, b"rank") => Frame::Text(Place::ProcessRank),
            (Frame::Process, b"thread") => {
                self.build.open_thread(attributes.number("id")?);
                Frame::Thread
            }
            (Frame::Thread, b"name") => Frame::Text(Place::ThreadName),
            (Frame::System, b"topologies") => Frame::Topologies,
            (Frame::Topologies, b"cart") => {
                let name = attributes.text("name")?.unwrap_or_default();
                self.build.open_topology(name, attributes.number("ndims")?);
                Frame::Cart
            }
            (Frame::Cart, b"dim") => {
                self.build.dimension(Dimension {
                    name: attributes.text("name")?.unwrap_or_default(),
                    size: attributes.number("size")?,
                    periodic: attributes.text("periodic")?.as_deref() == Some("true"),
                });
                Frame::Ignored
            }
            (Frame::Cart, b"coord") => {
                let thread = match attributes.optional_number("thrdId")? {
                    None => attributes.optional_number("locId")?,
                    known => known,
                };
                let process = match attributes.optional_number("procId")? {
                    None => attributes.optional_number("lgId")?,
                    known => known,
                };
                match (thread, process) {
                    (Some(thread), _) => Frame::Text(Place::Coordinate(Owner::Thread(thread))),
                    (None, Some(process)) => {
                        Frame::Text(Place::Coordinate(Owner::Process(process)))
                    }
                    // Of a machine or node: no place for a thread.
                    (None, None) => Frame::Ignored,
                }
            }
            (Frame::Cube, b"severity") if self.dialect == Dialect::Four => Frame::Ignored,
            (Frame::Cube, b"severity") => {
                self.build.start_severities()?;
                Frame::Severity
            }
            (Frame::Severity, b"matrix") => {
                self.build.open_matrix(attributes.number("metricId")?)?;
                Frame::Matrix
            }
            (Frame::Matrix, b"row") => {
                self.build.open_row(attributes.number("cnodeId")?)?;
                Frame::Row
            }
            (Frame::Row, _) => return wrong("an element in a row", "values only"),
            _ => Frame::Ignored,
        };
        if self.build.entries() > self.limits.entries {
            return Err(Problem::TooMuch {
                what: "the number of metrics, regions, call paths or threads".into(),
                limit: self.limits.entries,
            });
        }
        self.text.clear();
        self.frames.push(frame);
        Ok(())
    }

    fn characters(&mut self, text: &str) -> Step {
        match self.frames.last() {
            Some(Frame::Text(_) | Frame::Row) => self.text.push_str(text),
            Some(Frame::Document) if !text.trim().is_empty() => {
                let start: String = text.trim().chars().take(20).collect();
                return wrong(format!("text {start:?}"), self.dialect.root());
            }
            // Everything else has no text of its own; what others may put there is of no use to us.
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Step {
        let frame = self.frames.pop();
        match frame {
            Some(Frame::Text(place)) => self.build.text(place, &self.text)?,
            Some(Frame::Row) => {
                let values = values(&self.text, self.build.cube.threads.len())?;
                self.build.close_row(values)?;
            }
            Some(Frame::Metric) => self.build.close_metric()?,
            Some(Frame::Cnode) => self.build.close_call_path(),
            Some(Frame::SystemNode) => self.build.close_system_node(),
            Some(Frame::Cart) => self.build.close_topology()?,
            _ => {}
        }
        self.text.clear();
        Ok(())
    }
}

/// The values of one row, as many as there are threads.
fn values(text: &str, threads: usize) -> Step<Vec<f64>> {
    let mut values = Vec::new();
    for word in text.split_ascii_whitespace() {
        match number::parse(word) {
            Some(value) => values.push(value),
            None => {
                let start: String = word.chars().take(30).collect();
                return wrong(format!("{start:?}"), "a finite number");
            }
        }
    }
    if values.len() != threads {
        return wrong(
            format!("a row of {} values", values.len()),
            format!("one value for each of the {threads} threads"),
        );
    }
    Ok(values)
}

impl From<Unfit> for Problem {
    fn from(unfit: Unfit) -> Self {
        Problem::Found {
            found: unfit.found,
            expected: unfit.expected,
        }
    }
}

/// Attributes of one tag; names in either case, since system ids are spelled `Id`.
struct Attributes<'t, 'b> {
    tag: &'t BytesStart<'b>,
}

impl Attributes<'_, '_> {
    fn text(&self, name: &str) -> Step<Option<String>> {
        for attribute in self.tag.attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(e) => return wrong(format!("a bad attribute ({e})"), "name=\"value\""),
            };
            if attribute.key.as_ref().eq_ignore_ascii_case(name.as_bytes()) {
                return match unescape(&attribute.value) {
                    Ok(value) => Ok(Some(value.into_owned())),
                    Err(e) => wrong(format!("a bad value of {name} ({e})"), "named entities"),
                };
            }
        }
        Ok(None)
    }

    fn required(&self, name: &str) -> Step<String> {
        match self.text(name)? {
            Some(value) => Ok(value),
            None => {
                let tag = String::from_utf8_lossy(self.tag.name().as_ref()).into_owned();
                wrong(format!("<{tag}> without {name}"), format!("{name}=\"...\""))
            }
        }
    }

    fn number(&self, name: &str) -> Step<usize> {
        let text = self.required(name)?;
        match text.trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => wrong(format!("{name}={text:?}"), "a natural number"),
        }
    }

    fn optional_number(&self, name: &str) -> Step<Option<usize>> {
        match self.text(name)? {
            Some(_) => self.number(name).map(Some),
            None => Ok(None),
        }
    }

    /// A line number; none, or a negative one, is unknown.
    fn line(&self, name: &str) -> Step<u32> {
        let Some(text) = self.text(name)? else {
            return Ok(0);
        };
        match text.trim().parse::<i64>() {
            Ok(line) => Ok(u32::try_from(line).unwrap_or(0)),
            Err(_) if text.trim().is_empty() => Ok(0),
            Err(_) => wrong(format!("{name}={text:?}"), "a line number"),
        }
    }
}
