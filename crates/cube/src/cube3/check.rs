//! A strict checker of CUBE 3 files, independent of the writer and of the reader: it accepts what
//! CUBE's own parser accepts, and nothing of what else XML would allow (comments, CRLF, single
//! quotes, numeric entities, self-closing elements other than `attr` and `dim`, another order of
//! elements or attributes).
//!
//! It is for tests and for `info`-like commands; it favours plain code over speed.

use std::collections::HashSet;
use std::fmt;

/// The first rule that a file breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// From 1.
    pub line: usize,
    /// Bytes from the beginning.
    pub offset: usize,
    /// The rule and what stands there instead: a sentence for people.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {} (byte {}): {}",
            self.line, self.offset, self.rule
        )
    }
}

/// Checks a whole file. See the rules in the error messages below.
///
/// # Errors
/// The first violation.
pub fn check(bytes: &[u8]) -> Result<(), Violation> {
    let mut checker = match std::str::from_utf8(bytes) {
        Ok(text) => Checker::new(text),
        Err(e) => {
            let at = e.valid_up_to();
            let line = bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            return Err(Violation {
                line,
                offset: at,
                rule: "the file must be UTF-8".into(),
            });
        }
    };
    checker.file().map_err(|rule| Violation {
        line: checker.text[..checker.at].matches('\n').count() + 1,
        offset: checker.at,
        rule,
    })
}

type Check<T = ()> = Result<T, String>;

struct Checker<'a> {
    text: &'a str,
    at: usize,
    /// Of `dtype` INTEGER, by metric id.
    integer: Vec<bool>,
    regions: usize,
    cnodes: HashSet<usize>,
    threads: HashSet<usize>,
}

impl<'a> Checker<'a> {
    fn new(text: &'a str) -> Self {
        Checker {
            text,
            at: 0,
            integer: Vec::new(),
            regions: 0,
            cnodes: HashSet::new(),
            threads: HashSet::new(),
        }
    }

    fn file(&mut self) -> Check {
        if let Some(at) = self.text.find(is_forbidden) {
            self.at = at;
            return Err("control characters and CR are not allowed".into());
        }
        self.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        self.space();
        self.literal("<cube version=\"3.0\">")?;
        while self.next_is("<attr ") {
            self.tag("attr", &["key", "value"], "/>")?;
        }
        self.doc()?;
        self.metrics()?;
        self.program()?;
        self.system()?;
        self.severity()?;
        self.close("cube")?;
        self.space();
        if self.at < self.text.len() {
            return Err("nothing may follow </cube>".into());
        }
        Ok(())
    }

    fn doc(&mut self) -> Check {
        self.open("doc")?;
        self.open("mirrors")?;
        while self.next_is("<murl>") {
            self.text_element("murl")?;
        }
        self.close("mirrors")?;
        self.close("doc")
    }

    fn metrics(&mut self) -> Check {
        self.open("metrics")?;
        let mut ids = HashSet::new();
        let mut integer = Vec::new();
        let mut names = HashSet::new();
        let mut depth = 0;
        loop {
            if self.next_is("<metric ") {
                let [id] = self.tag("metric", &["id"], ">")?[..] else {
                    return Err("a metric has one attribute, id".into());
                };
                let id = new_id(&mut ids, id)?;
                self.text_element("disp_name")?;
                if !names.insert(self.text_element("uniq_name")?) {
                    return Err("the uniq_name of each metric must be its own".into());
                }
                let is_integer = match self.text_element("dtype")? {
                    "INTEGER" => true,
                    "FLOAT" => false,
                    _ => return Err("dtype must be FLOAT or INTEGER".into()),
                };
                integer.push((id, is_integer));
                if !matches!(self.text_element("uom")?, "sec" | "occ" | "bytes") {
                    return Err("uom must be sec, occ or bytes".into());
                }
                if self.next_is("<val>") {
                    self.text_element("val")?;
                }
                self.text_element("url")?;
                self.text_element("descr")?;
                depth += 1;
            } else if depth > 0 {
                self.close("metric")?;
                depth -= 1;
            } else {
                break;
            }
        }
        without_gaps(&ids, "metric")?;
        integer.sort_unstable();
        self.integer = integer.into_iter().map(|(_, flag)| flag).collect();
        self.close("metrics")
    }

    fn program(&mut self) -> Check {
        self.open("program")?;
        let mut ids = HashSet::new();
        while self.next_is("<region ") {
            let [id, _, begin, end] = self.tag("region", &["id", "mod", "begin", "end"], ">")?[..]
            else {
                return Err("a region has four attributes".into());
            };
            new_id(&mut ids, id)?;
            line_number(begin)?;
            line_number(end)?;
            self.text_element("name")?;
            self.text_element("url")?;
            self.text_element("descr")?;
            self.close("region")?;
        }
        without_gaps(&ids, "region")?;
        self.regions = ids.len();

        let mut ids = HashSet::new();
        let mut depth = 0;
        loop {
            if self.next_is("<cnode ") {
                let [id, line, _, callee] =
                    self.tag("cnode", &["id", "line", "mod", "calleeId"], ">")?[..]
                else {
                    return Err("a cnode has four attributes".into());
                };
                new_id(&mut ids, id)?;
                line_number(line)?;
                if natural(callee)? >= self.regions {
                    return Err("calleeId must be the id of a region".into());
                }
                depth += 1;
            } else if depth > 0 {
                self.close("cnode")?;
                depth -= 1;
            } else {
                break;
            }
        }
        without_gaps(&ids, "cnode")?;
        self.cnodes = ids;
        self.close("program")
    }

    fn system(&mut self) -> Check {
        self.open("system")?;
        let mut ids: [HashSet<usize>; 4] = Default::default();
        self.level(&["machine", "node", "process", "thread"], &mut ids)?;
        for (ids, name) in ids.iter().zip(["machine", "node", "process", "thread"]) {
            without_gaps(ids, name)?;
        }
        let [_, _, _, threads] = ids;
        self.threads = threads;
        self.open("topologies")?;
        while self.next_is("<cart ") {
            self.cart()?;
        }
        self.close("topologies")?;
        self.close("system")
    }

    /// One or more elements of a level of the system tree; the recursion is four deep.
    fn level(&mut self, names: &[&str], ids: &mut [HashSet<usize>]) -> Check {
        let (Some((name, deeper)), Some((own_ids, deeper_ids))) =
            (names.split_first(), ids.split_first_mut())
        else {
            return Ok(());
        };
        let start = format!("<{name} ");
        if !self.next_is(&start) {
            return Err(format!("at least one <{name}> must be here"));
        }
        while self.next_is(&start) {
            let [id] = self.tag(name, &["Id"], ">")?[..] else {
                return Err(format!("a {name} has one attribute, Id"));
            };
            new_id(own_ids, id)?;
            self.text_element("name")?;
            if matches!(*name, "process" | "thread") {
                natural(self.text_element("rank")?)?;
            }
            self.level(deeper, deeper_ids)?;
            self.close(name)?;
        }
        Ok(())
    }

    fn cart(&mut self) -> Check {
        let [dimensions] = self.tag("cart", &["ndims"], ">")?[..] else {
            return Err("a cart has one attribute, ndims".into());
        };
        let dimensions = natural(dimensions)?;
        let mut sizes = Vec::new();
        while self.next_is("<dim ") {
            let [size, periodic] = self.tag("dim", &["size", "periodic"], "/>")?[..] else {
                return Err("a dim has two attributes".into());
            };
            sizes.push(natural(size)?);
            if !matches!(periodic, "true" | "false") {
                return Err("periodic must be true or false".into());
            }
        }
        if sizes.is_empty() || sizes.len() != dimensions {
            return Err(format!(
                "ndims is {dimensions}, but there are {} dim",
                sizes.len()
            ));
        }
        while self.next_is("<coord ") {
            let [thread] = self.tag("coord", &["thrdId"], ">")?[..] else {
                return Err("a coord has one attribute, thrdId".into());
            };
            if !self.threads.contains(&natural(thread)?) {
                return Err("thrdId must be the Id of a thread".into());
            }
            let text = self.characters()?;
            let coordinates: Vec<_> = text.split(' ').map(natural).collect::<Check<_>>()?;
            let inside = coordinates.len() == sizes.len()
                && coordinates.iter().zip(&sizes).all(|(c, size)| c < size);
            if !inside {
                return Err("one coordinate inside of each dimension is needed".into());
            }
            self.close("coord")?;
        }
        self.close("cart")
    }

    fn severity(&mut self) -> Check {
        self.open("severity")?;
        let mut matrices = HashSet::new();
        while self.next_is("<matrix ") {
            let [metric] = self.tag("matrix", &["metricId"], ">")?[..] else {
                return Err("a matrix has one attribute, metricId".into());
            };
            let metric = new_id(&mut matrices, metric)?;
            let Some(&integer) = self.integer.get(metric) else {
                return Err("metricId must be the id of a metric".into());
            };
            let mut rows = HashSet::new();
            while self.next_is("<row ") {
                let [cnode] = self.tag("row", &["cnodeId"], ">")?[..] else {
                    return Err("a row has one attribute, cnodeId".into());
                };
                if !self.cnodes.contains(&new_id(&mut rows, cnode)?) {
                    return Err("cnodeId must be the id of a cnode".into());
                }
                self.values(integer)?;
                self.close("row")?;
            }
            self.close("matrix")?;
        }
        self.close("severity")
    }

    fn values(&mut self, integer: bool) -> Check {
        let text = self.characters()?;
        let mut count = 0;
        for value in text.trim_matches('\n').split('\n') {
            let digits = value.strip_prefix('-').unwrap_or(value);
            let right = if integer {
                natural(digits).is_ok()
            } else {
                digits.starts_with(|c: char| c.is_ascii_digit())
                    && digits.parse().is_ok_and(f64::is_finite)
            };
            if !right {
                return Err(format!("{value:?} is not a value of the metric's type"));
            }
            count += 1;
        }
        if count != self.threads.len() {
            let threads = self.threads.len();
            return Err(format!("{count} values in a row for {threads} threads"));
        }
        Ok(())
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n']).len();
    }

    fn next_is(&mut self, start: &str) -> bool {
        self.space();
        self.text[self.at..].starts_with(start)
    }

    fn literal(&mut self, expected: &str) -> Check {
        if !self.text[self.at..].starts_with(expected) {
            return Err(format!("{expected} must be here"));
        }
        self.at += expected.len();
        Ok(())
    }

    fn open(&mut self, name: &str) -> Check {
        self.space();
        self.literal(&format!("<{name}>"))
    }

    fn close(&mut self, name: &str) -> Check {
        self.space();
        self.literal(&format!("</{name}>"))
    }

    /// A tag with exactly these attributes in this order; gives their raw values.
    fn tag(&mut self, name: &str, attributes: &[&str], end: &str) -> Check<Vec<&'a str>> {
        self.space();
        self.literal(&format!("<{name}"))?;
        let mut values = Vec::new();
        for attribute in attributes {
            self.literal(&format!(" {attribute}=\""))?;
            values.push(self.escaped('"')?);
            self.literal("\"")?;
        }
        self.literal(end)?;
        Ok(values)
    }

    fn text_element(&mut self, name: &str) -> Check<&'a str> {
        self.open(name)?;
        let text = self.characters()?;
        self.literal(&format!("</{name}>"))?;
        Ok(text)
    }

    fn characters(&mut self) -> Check<&'a str> {
        self.escaped('<')
    }

    /// Text up to `end`, in which `& < > ' "` occur only as the five named entities.
    fn escaped(&mut self, end: char) -> Check<&'a str> {
        let rest = &self.text[self.at..];
        let length = rest
            .find(end)
            .ok_or_else(|| format!("{end:?} is missing"))?;
        let text = &rest[..length];
        for (at, c) in text.char_indices() {
            let is_entity = ["&amp;", "&lt;", "&gt;", "&apos;", "&quot;"]
                .iter()
                .any(|entity| text[at..].starts_with(entity));
            let wrong = match c {
                '&' => !is_entity,
                _ => matches!(c, '<' | '>' | '\'' | '"'),
            };
            if wrong {
                self.at += at;
                return Err(format!("{c:?} must be written as a named entity"));
            }
        }
        self.at += length;
        Ok(text)
    }
}

fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

fn natural(text: &str) -> Check<usize> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(number) if plain => Ok(number),
        _ => Err(format!("{text:?} is not a natural number")),
    }
}

fn line_number(text: &str) -> Check {
    match text {
        "-1" => Ok(()),
        _ => natural(text).map(|_| ()),
    }
}

fn new_id(ids: &mut HashSet<usize>, text: &str) -> Check<usize> {
    let id = natural(text)?;
    if !ids.insert(id) {
        return Err(format!("id {id} is given twice"));
    }
    Ok(id)
}

/// CubeLib keeps entries in vectors by their ids.
fn without_gaps(ids: &HashSet<usize>, what: &str) -> Check {
    if ids.is_empty() {
        return Err(format!("at least one {what} must be here"));
    }
    match (0..ids.len()).find(|id| !ids.contains(id)) {
        Some(id) => Err(format!(
            "the ids of {what}s are 0 to {} without gaps: {id} is missing",
            ids.len() - 1
        )),
        None => Ok(()),
    }
}
