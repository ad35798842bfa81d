//! The lexer: splits preprocessed text into tokens, follows line markers back to the user's source,
//! and keeps pragmas and markers aside as directives that the printer puts back in place. UPC's own
//! pragmas (`#pragma upc strict|relaxed`, `#pragma pupc on|off`) become flags of the tokens in
//! their scope.

use super::token::*;
use std::collections::HashMap;

/// Kind of a line that began with `#`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectiveKind {
    /// A line marker that enters or leaves an included file.
    Include,
    /// A pragma of another kind than UPC's; it is kept.
    Pragma,
}

/// A directive that is kept in the output.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// It stands before this token.
    pub before: TokIdx,
    /// Its kind.
    pub kind: DirectiveKind,
    /// Its text in the source, without the end of line.
    pub start: u32,
    /// One after its last byte.
    pub end: u32,
    /// File that is current after it.
    pub file: u32,
    /// For a marker: the line that follows it; for a pragma: its own line.
    pub line: u32,
}

/// Error in a pragma of UPC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PragmaFault {
    /// It is none of those that there are.
    Unknown,
    /// Something stands after it on its line.
    Trailing,
    /// It is within a declaration, or not at the beginning of a block.
    Misplaced,
}

/// A stretch of text that an `#include` brought in.
#[derive(Clone, Copy, Debug)]
pub struct Include {
    /// First token of it.
    pub first: TokIdx,
    /// One after its last token.
    pub end: TokIdx,
    /// The file that includes it.
    pub parent: u32,
    /// The line of the `#include`.
    pub line: u32,
}

/// Dialect of the underlying C compiler, as the runtime's header states it: which words are its
/// keywords, and what else it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dialect {
    /// From before C99: `restrict` is a name.
    pub before_c99: bool,
    /// No GNU extensions: `asm` and `typeof` are names, and `inline` too before C99.
    pub ansi: bool,
    /// C23: `bool`, `nullptr` and others are keywords.
    pub c23: bool,
    /// It has the attribute `retain`.
    pub retains: bool,
}

impl Dialect {
    fn of(text: &str) -> Dialect {
        // The header comes first.
        let start = &text.as_bytes()[..text.len().min(1 << 14)];
        let says = |mark: &[u8]| start.windows(mark.len()).any(|w| w == mark);
        Dialect {
            before_c99: says(b"upcr_before_c99 = 1"),
            ansi: says(b"upcr_ansi = 1"),
            c23: says(b"upcr_c23 = 1"),
            retains: says(b"upcr_retains = 1"),
        }
    }

    /// The keyword that `text` spells in this C.
    fn keyword(self, text: &str) -> Option<K> {
        let word = keyword(text);
        match text {
            "restrict" if self.before_c99 => None,
            "asm" | "typeof" if self.ansi && !self.c23 => None,
            "inline" if self.ansi && self.before_c99 => None,
            _ if !self.c23 => word,
            "bool" => Some(K::Bool),
            "alignas" => Some(K::Alignas),
            "alignof" => Some(K::Alignof),
            "static_assert" => Some(K::StaticAssert),
            "thread_local" => Some(K::ThreadLocal),
            "typeof_unqual" => Some(K::Typeof),
            // A storage class for all that matters here.
            "constexpr" => Some(K::Register),
            _ => word,
        }
    }
}

/// The text with its tokens.
pub struct Source<'s> {
    /// Preprocessed text.
    pub text: &'s str,
    /// All tokens; the last one is `Eof`.
    pub tokens: Vec<Token>,
    /// Directives in order.
    pub directives: Vec<Directive>,
    /// Names of files as the markers spell them (with their escapes, without quotes).
    pub files: Vec<&'s str>,
    /// Pragmas of UPC that deserve a warning: file and line.
    pub odd_pragmas: Vec<(PragmaFault, u32, u32)>,
    /// Included files, the outer ones before those that they include.
    pub includes: Vec<Include>,
    /// The first token after a `#pragma pack`: sizes of structures are not computed from there on.
    pub packed: Option<TokIdx>,
    /// A header of UPC is included.
    pub upc_header: bool,
    /// Directory of the compiler's own headers, with its final slash, where it is known.
    pub own_dir: Option<&'s str>,
    /// Which C it is.
    pub dialect: Dialect,
    /// Spelling of interned names.
    pub names: Vec<&'s str>,
    ids: HashMap<&'s str, Name>,
}

impl<'s> Source<'s> {
    /// Text of a token.
    pub fn text_of(&self, token: TokIdx) -> &'s str {
        let t = &self.tokens[token as usize];
        &self.text[t.start as usize..t.end as usize]
    }

    /// Number of a name, which is new if it was not seen before.
    pub fn intern(&mut self, text: &'s str) -> Name {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.names.len() as Name;
        self.names.push(text);
        self.ids.insert(text, id);
        id
    }
}

struct Lexer<'s> {
    src: Source<'s>,
    bytes: &'s [u8],
    pos: usize,
    line_start: usize,
    line: u32,
    file: u32,
    file_ids: HashMap<&'s str, u32>,
    /// Directory of the runtime's header, with its final slash, once it was seen.
    own_dir: Option<&'s str>,
    sticky: u8,
    modes: Vec<u8>,
    space: bool,
    /// After `#pragma upc c_code`: `shared` and the like are names.
    c_code: bool,
    /// Includes that have not ended: indices in the source's list.
    open: Vec<usize>,
}

/// Splits `text`, the preprocessor's output for source file `name`.
pub fn lex<'s>(text: &'s str, name: &'s str) -> Source<'s> {
    let mut lexer = Lexer {
        src: Source {
            text,
            tokens: Vec::with_capacity(text.len() / 5),
            directives: Vec::new(),
            files: vec![name],
            odd_pragmas: Vec::new(),
            includes: Vec::new(),
            packed: None,
            upc_header: false,
            own_dir: None,
            dialect: Dialect::of(text),
            names: vec![""],
            ids: HashMap::new(),
        },
        bytes: text.as_bytes(),
        pos: 0,
        line_start: 0,
        line: 1,
        file: 0,
        file_ids: HashMap::from([(name, 0)]),
        own_dir: None,
        sticky: 0,
        modes: Vec::new(),
        space: false,
        c_code: false,
        open: Vec::new(),
    };
    lexer.run();
    lexer.src
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

impl<'s> Lexer<'s> {
    fn at(&self, offset: usize) -> u8 {
        self.bytes.get(self.pos + offset).copied().unwrap_or(0)
    }

    fn newline(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.pos;
        self.space = true;
    }

    fn run(&mut self) {
        let mut fresh = true;
        while self.pos < self.bytes.len() {
            let b = self.bytes[self.pos];
            match b {
                b'\n' => {
                    self.pos += 1;
                    self.newline();
                    fresh = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.pos += 1;
                    self.space = true;
                }
                b'\\' if self.at(1) == b'\n' => {
                    self.pos += 2;
                    self.newline();
                }
                b'/' if self.at(1) == b'*' => self.block_comment(),
                b'/' if self.at(1) == b'/' => self.skip_line(),
                b'#' if fresh => self.directive(),
                _ => {
                    fresh = false;
                    self.token();
                }
            }
        }
        self.push(Tok::Eof, self.pos);
    }

    fn skip_line(&mut self) {
        while self.pos < self.bytes.len() && self.bytes[self.pos] != b'\n' {
            self.pos += 1;
        }
        self.space = true;
    }

    fn block_comment(&mut self) {
        self.pos += 2;
        while self.pos < self.bytes.len() && !(self.at(0) == b'*' && self.at(1) == b'/') {
            self.pos += 1;
            if self.bytes[self.pos - 1] == b'\n' {
                self.newline();
            }
        }
        self.pos = (self.pos + 2).min(self.bytes.len());
        self.space = true;
    }

    fn push(&mut self, kind: Tok, start: usize) {
        let mut flags = self.sticky;
        if self.space {
            flags |= SPACE;
        }
        self.space = false;
        match kind {
            Tok::Punct(P::LBrace) => self.modes.push(self.sticky & (STRICT_DEFAULT | INST_OFF)),
            Tok::Punct(P::RBrace) => {
                if let Some(mode) = self.modes.pop() {
                    self.sticky = (self.sticky & !(STRICT_DEFAULT | INST_OFF)) | mode;
                }
            }
            _ => {}
        }
        self.src.tokens.push(Token {
            kind,
            flags,
            name: 0,
            start: start as u32,
            end: self.pos as u32,
            line: self.line,
            column: (start - self.line_start.min(start)) as u32 + 1,
            file: self.file,
        });
    }

    fn token(&mut self) {
        let start = self.pos;
        let b = self.bytes[start];
        if let Some(raw) = self.raw_string() {
            let text = &self.src.text[start..start + raw];
            self.pos += raw;
            self.push(Tok::Str, start);
            for (i, _) in text.match_indices('\n') {
                self.line = self.line.saturating_add(1);
                self.line_start = start + i + 1;
            }
            return;
        }
        if b == b'L' || b == b'u' || b == b'U' {
            let prefix = if b == b'u' && self.at(1) == b'8' {
                2
            } else {
                1
            };
            let quote = self.at(prefix);
            if quote == b'"' || quote == b'\'' {
                self.pos += prefix;
                return self.literal(start, quote);
            }
        }
        if is_ident_start(b) || (b == b'\\' && matches!(self.at(1), b'u' | b'U')) {
            self.pos += 1;
            while is_ident(self.at(0)) || (self.at(0) == b'\\' && matches!(self.at(1), b'u' | b'U'))
            {
                self.pos += 1;
            }
            let text = &self.src.text[start..self.pos];
            let kind = match self.src.dialect.keyword(text) {
                None if self.src.dialect.c23 && matches!(text, "true" | "false" | "nullptr") => {
                    Tok::Number
                }
                // Headers of the system know nothing of UPC.
                Some(K::Shared | K::Strict | K::Relaxed) if self.in_c_header() => Tok::Ident,
                Some(K::Shared | K::Strict | K::Relaxed | K::Threads | K::MyThread)
                    if self.c_code && self.sticky & OURS == 0 =>
                {
                    Tok::Ident
                }
                found => found.map_or(Tok::Ident, Tok::Kw),
            };
            let name = self.src.intern(text);
            self.push(kind, start);
            if let Some(last) = self.src.tokens.last_mut() {
                last.name = name;
            }
            return;
        }
        if b.is_ascii_digit() || (b == b'.' && self.at(1).is_ascii_digit()) {
            self.pos += 1;
            loop {
                let c = self.at(0);
                if matches!(c, b'e' | b'E' | b'p' | b'P') && matches!(self.at(1), b'+' | b'-') {
                    self.pos += 2;
                } else if is_ident(c)
                    || c == b'.'
                    || (c == b'\'' && self.at(1).is_ascii_alphanumeric())
                {
                    self.pos += 1;
                } else {
                    break;
                }
            }
            return self.push(Tok::Number, start);
        }
        if b == b'"' || b == b'\'' {
            return self.literal(start, b);
        }
        let (punct, len) = self.punctuator();
        self.pos += len.max(1);
        self.push(punct.map_or(Tok::Other, Tok::Punct), start);
    }

    /// Length of the raw string that begins here: `R"x(...)x"`, a GNU extension.
    fn raw_string(&self) -> Option<usize> {
        let rest = &self.src.text[self.pos..];
        let body = ["R\"", "LR\"", "uR\"", "UR\"", "u8R\""]
            .iter()
            .find_map(|prefix| rest.strip_prefix(prefix))?;
        let (delimiter, body) = body.split_once('(')?;
        if self.src.dialect.ansi
            || delimiter.len() > 16
            || delimiter.contains([' ', ')', '\\', '\n', '"'])
        {
            return None;
        }
        let end = format!("){delimiter}\"");
        let at = body.find(&end)?;
        Some(rest.len() - body.len() + at + end.len())
    }

    /// Whether this is a system header of C, not of UPC.
    fn in_c_header(&self) -> bool {
        let name = self.src.files[self.file as usize];
        let base = name.rsplit('/').next().unwrap_or(name);
        self.sticky & (SYSTEM | OURS) == SYSTEM && !base.contains("upc")
    }

    fn literal(&mut self, start: usize, quote: u8) {
        self.pos += 1;
        loop {
            match self.at(0) {
                0 if self.pos >= self.bytes.len() => break,
                b'\n' => break,
                b'\\' if self.pos + 1 < self.bytes.len() && self.at(1) != b'\n' => {
                    self.pos += 2;
                    while self.pos < self.bytes.len() && !self.src.text.is_char_boundary(self.pos) {
                        self.pos += 1;
                    }
                }
                c if c == quote => {
                    self.pos += 1;
                    return self.push(if quote == b'"' { Tok::Str } else { Tok::Char }, start);
                }
                _ => self.pos += 1,
            }
        }
        self.push(Tok::Other, start);
    }

    fn punctuator(&self) -> (Option<P>, usize) {
        let (a, b, c) = (self.at(0), self.at(1), self.at(2));
        let (p, len) = match (a, b, c) {
            (b'.', b'.', b'.') => (P::Ellipsis, 3),
            (b'<', b'<', b'=') => (P::ShlAssign, 3),
            (b'>', b'>', b'=') => (P::ShrAssign, 3),
            (b'-', b'>', _) => (P::Arrow, 2),
            (b'+', b'+', _) => (P::Inc, 2),
            (b'-', b'-', _) => (P::Dec, 2),
            (b'<', b'<', _) => (P::Shl, 2),
            (b'>', b'>', _) => (P::Shr, 2),
            (b'<', b'=', _) => (P::Le, 2),
            (b'>', b'=', _) => (P::Ge, 2),
            (b'=', b'=', _) => (P::EqEq, 2),
            (b'!', b'=', _) => (P::Ne, 2),
            (b'&', b'&', _) => (P::AndAnd, 2),
            (b'|', b'|', _) => (P::OrOr, 2),
            (b'+', b'=', _) => (P::PlusAssign, 2),
            (b'-', b'=', _) => (P::MinusAssign, 2),
            (b'*', b'=', _) => (P::StarAssign, 2),
            (b'/', b'=', _) => (P::SlashAssign, 2),
            (b'%', b'=', _) => (P::PercentAssign, 2),
            (b'&', b'=', _) => (P::AmpAssign, 2),
            (b'|', b'=', _) => (P::PipeAssign, 2),
            (b'^', b'=', _) => (P::CaretAssign, 2),
            (b'#', b'#', _) => (P::HashHash, 2),
            (b'<', b':', _) => (P::LBracket, 2),
            (b':', b'>', _) => (P::RBracket, 2),
            (b'<', b'%', _) => (P::LBrace, 2),
            (b'%', b'>', _) => (P::RBrace, 2),
            (b'%', b':', _) => (P::Hash, 2),
            (b'(', ..) => (P::LParen, 1),
            (b')', ..) => (P::RParen, 1),
            (b'{', ..) => (P::LBrace, 1),
            (b'}', ..) => (P::RBrace, 1),
            (b'[', ..) => (P::LBracket, 1),
            (b']', ..) => (P::RBracket, 1),
            (b';', ..) => (P::Semi, 1),
            (b',', ..) => (P::Comma, 1),
            (b'.', ..) => (P::Dot, 1),
            (b'?', ..) => (P::Question, 1),
            (b':', ..) => (P::Colon, 1),
            (b'~', ..) => (P::Tilde, 1),
            (b'!', ..) => (P::Not, 1),
            (b'+', ..) => (P::Plus, 1),
            (b'-', ..) => (P::Minus, 1),
            (b'*', ..) => (P::Star, 1),
            (b'/', ..) => (P::Slash, 1),
            (b'%', ..) => (P::Percent, 1),
            (b'&', ..) => (P::Amp, 1),
            (b'|', ..) => (P::Pipe, 1),
            (b'^', ..) => (P::Caret, 1),
            (b'<', ..) => (P::Lt, 1),
            (b'>', ..) => (P::Gt, 1),
            (b'=', ..) => (P::Assign, 1),
            (b'#', ..) => (P::Hash, 1),
            (b'@', ..) => (P::At, 1),
            (b'\\', ..) => (P::Backslash, 1),
            _ => return (None, 1),
        };
        (Some(p), len)
    }

    /// A line that begins with `#`: a line marker, a pragma, or something that is of no concern
    /// here.
    fn directive(&mut self) {
        let start = self.pos;
        self.skip_line();
        let text: &'s str = &self.src.text[start..self.pos];
        let end = self.pos;
        let rest = text[1..].trim_start_matches([' ', '\t']);
        let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.marker(rest, start, end);
        } else if let Some(pragma) = rest.strip_prefix("pragma") {
            self.pragma(pragma, start, end);
        } else if rest.starts_with("ident") || rest.starts_with("sccs") {
            self.keep(DirectiveKind::Pragma, start, end, self.line);
        }
    }

    fn marker(&mut self, rest: &'s str, start: usize, end: usize) {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u32 = rest[..digits].parse().unwrap_or(1);
        let mut include = false;
        if let Some(open) = rest.find('"') {
            let body = &rest[open + 1..];
            let close = closing_quote(body);
            let name = &body[..close];
            let file = self.file_id(name);
            // A change without a flag is how the preprocessor comes back from the command line.
            include = file != self.file;
            let parent = std::mem::replace(&mut self.file, file);
            self.sticky &= !(SYSTEM | OURS);
            for flag in body[close..].trim_start_matches('"').split_whitespace() {
                match flag {
                    "1" => {
                        include = true;
                        self.enter_file(parent);
                    }
                    "2" => {
                        include = true;
                        self.leave_file(number);
                    }
                    "3" => self.sticky |= SYSTEM,
                    _ => {}
                }
            }
            if self.own_dir.is_none() {
                self.own_dir = name.strip_suffix("pgas_upcr.h");
                self.src.own_dir = self.own_dir.filter(|dir| !dir.is_empty());
            }
            if self
                .own_dir
                .is_some_and(|dir| name.starts_with(dir) && (!dir.is_empty() || own_header(name)))
            {
                // A header that is always included is no evidence about the program.
                let base = name.rsplit('/').next().unwrap_or(name);
                self.src.upc_header |= !base.starts_with("pgas_upcr");
                self.sticky |= OURS;
            }
        }
        // The line after the marker has this number; the end of the marker's own line adds one.
        self.line = number.wrapping_sub(1);
        // The first markers tell the C compiler what the main file is.
        if include || self.src.tokens.is_empty() {
            self.keep(DirectiveKind::Include, start, end, number);
        }
    }

    fn enter_file(&mut self, parent: u32) {
        self.open.push(self.src.includes.len());
        self.src.includes.push(Include {
            first: self.src.tokens.len() as TokIdx,
            end: TokIdx::MAX,
            parent,
            line: self.line,
        });
    }

    /// `line`: the one after the `#include`.
    fn leave_file(&mut self, line: u32) {
        if let Some(include) = self.open.pop().map(|i| &mut self.src.includes[i]) {
            include.end = self.src.tokens.len() as TokIdx;
            include.line = line.saturating_sub(1);
        }
    }

    fn file_id(&mut self, name: &'s str) -> u32 {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = self.src.files.len() as u32;
        self.src.files.push(name);
        self.file_ids.insert(name, id);
        id
    }

    fn keep(&mut self, kind: DirectiveKind, start: usize, end: usize, line: u32) {
        self.src.directives.push(Directive {
            before: self.src.tokens.len() as TokIdx,
            kind,
            start: start as u32,
            end: end as u32,
            file: self.file,
            line,
        });
    }

    fn pragma(&mut self, text: &'s str, start: usize, end: usize) {
        let mut words = text.split_whitespace();
        let (first, second) = (words.next(), words.next());
        if matches!(first, Some("upc" | "pupc")) {
            let fault = if !self.pragma_of_upc(first, second) {
                Some(PragmaFault::Unknown)
            } else if words.next().is_some_and(|w| !w.starts_with("//")) && !text.contains("/*") {
                Some(PragmaFault::Trailing)
            } else if matches!(second, Some("strict" | "relaxed")) && !self.pragma_belongs_here() {
                Some(PragmaFault::Misplaced)
            } else {
                None
            };
            let place = |fault| (fault, self.file, self.line);
            self.src.odd_pragmas.extend(fault.map(place));
            return;
        }
        match (first, second) {
            (Some(word), _) if word.starts_with("pack") => {
                self.src
                    .packed
                    .get_or_insert(self.src.tokens.len() as TokIdx);
                self.keep(DirectiveKind::Pragma, start, end, self.line);
            }
            _ => self.keep(DirectiveKind::Pragma, start, end, self.line),
        }
    }
}

impl Lexer<'_> {
    /// Does what a pragma of UPC says; whether there is such a one.
    fn pragma_of_upc(&mut self, first: Option<&str>, second: Option<&str>) -> bool {
        match (first, second) {
            (Some("upc"), Some("strict")) => {
                self.src.upc_header = true;
                self.sticky |= STRICT_DEFAULT;
            }
            (Some("upc"), Some("relaxed")) => self.sticky &= !STRICT_DEFAULT,
            (Some("upc"), Some("c_code")) => self.c_code = true,
            (Some("upc"), Some("upc_code")) => self.c_code = false,
            (Some("pupc"), Some("off")) => self.sticky |= INST_OFF,
            (Some("pupc"), Some("on")) => self.sticky &= !INST_OFF,
            _ => return false,
        }
        true
    }

    /// Whether a pragma can stand here: between external declarations, or first in a block.
    fn pragma_belongs_here(&self) -> bool {
        match self.src.tokens.last().map(|t| t.kind) {
            None | Some(Tok::Punct(P::LBrace)) => true,
            Some(Tok::Punct(P::Semi | P::RBrace)) => self.modes.is_empty(),
            _ => false,
        }
    }
}

fn own_header(name: &str) -> bool {
    name == "pgas_upcr.h" || name.starts_with("upc") || name.starts_with("bupc") || name == "pupc.h"
}

/// Offset of the quote that ends a string that began before `body`.
fn closing_quote(body: &str) -> usize {
    let bytes = body.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i,
            _ => i += 1,
        }
    }
    body.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_give_lines_and_flags() {
        let s = lex("# 7 \"a.h\" 1 3\nint\nx\n# 2 \"b.upc\" 2\n;", "b.upc");
        let at: Vec<_> = s
            .tokens
            .iter()
            .map(|t| (s.files[t.file as usize], t.line, t.flags & SYSTEM))
            .collect();
        assert_eq!(at[0], ("a.h", 7, SYSTEM));
        assert_eq!(at[1], ("a.h", 8, SYSTEM));
        assert_eq!(at[2], ("b.upc", 2, 0));
        assert_eq!(s.directives.len(), 2);
    }

    #[test]
    fn pragma_holds_to_the_end_of_its_block() {
        let s = lex("a {\n#pragma upc strict\n b { c } d } e", "x");
        let strict: Vec<_> = s
            .tokens
            .iter()
            .map(|t| t.flags & STRICT_DEFAULT != 0)
            .collect();
        assert_eq!(
            strict,
            [
                false, false, true, true, true, true, true, true, false, false
            ]
        );
    }

    #[test]
    fn numbers_strings_and_digraphs() {
        let s = lex(
            "0x1p+3 1.5e-3 L\"a\\\"b\" '\\'' <: %> x\u{e9} \"open\n y",
            "x",
        );
        let kinds: Vec<_> = s.tokens.iter().map(|t| t.kind).collect();
        use Tok::*;
        assert_eq!(
            kinds,
            [
                Number,
                Number,
                Str,
                Char,
                Punct(P::LBracket),
                Punct(P::RBrace),
                Ident,
                Other,
                Ident,
                Eof
            ]
        );
    }
}
