//! Bundles the ES modules of the page into one script, since a page that is opened from disk cannot
//! import files beside it.
//!
//! Modules share one scope in the result, as in other bundlers, so that imported names need no
//! rewriting. This is only right for a part of the language, and everything else is refused:
//!
//! - `import { a, b } from "./file.js";`, without `as`, of names that the other file exports;
//! - `export` before `function`, `async function`, `class`, `const` or `let`;
//! - names at the top level of a file are unique among all files, without destructuring;
//! - imports have no cycles.
//!
//! A file that uses a name of another one without importing it goes unnoticed here; the type check
//! of `scripts/web-check` finds it. Comments are left out of the result.

use std::collections::BTreeMap;
use std::io;

/// The script of `entry` and everything that it imports: every module after those that it imports,
/// with neither imports nor exports. `read` gives the text of a module by its name, and is called
/// once for each. Errors begin with the name and, where there is one, the line of the module at
/// fault.
pub fn bundle(
    entry: &str,
    read: &mut dyn FnMut(&str) -> io::Result<String>,
) -> Result<String, String> {
    let mut bundler = Bundler {
        read,
        modules: BTreeMap::new(),
        order: Vec::new(),
        owners: BTreeMap::new(),
    };
    bundler.add(entry, &mut Vec::new())?;
    let mut script = String::new();
    for name in &bundler.order {
        script.push_str(bundler.modules[name].code.trim());
        script.push('\n');
    }
    Ok(script)
}

struct Bundler<'a> {
    read: &'a mut dyn FnMut(&str) -> io::Result<String>,
    modules: BTreeMap<String, Module>,
    order: Vec<String>,
    /// The module that declares each name of the common scope.
    owners: BTreeMap<String, String>,
}

impl Bundler<'_> {
    /// `importers` leads from the entry to the module that imports this one.
    fn add(&mut self, name: &str, importers: &mut Vec<String>) -> Result<(), String> {
        if let Some(begin) = importers.iter().position(|importer| importer == name) {
            let cycle = importers[begin..].join(" imports ");
            return Err(format!(
                "{name}: a cycle of imports: {cycle} imports {name}"
            ));
        }
        if self.modules.contains_key(name) {
            return Ok(());
        }
        let text = (self.read)(name).map_err(|error| match importers.last() {
            Some(importer) => format!("{name}: {error} (imported by {importer})"),
            None => format!("{name}: {error}"),
        })?;
        let module = Module::parse(&text).map_err(|(line, why)| format!("{name}:{line}: {why}"))?;
        importers.push(name.to_owned());
        for import in &module.imports {
            self.add(&import.from, importers)?;
            let exports = &self.modules[&import.from].exports;
            if let Some(missing) = import.names.iter().find(|name| !exports.contains(name)) {
                let Import { from, line, .. } = import;
                return Err(format!("{name}:{line}: {from} does not export {missing}"));
            }
        }
        importers.pop();
        for (line, declared) in &module.declared {
            if let Some(owner) = self.owners.insert(declared.clone(), name.to_owned()) {
                return Err(format!(
                    "{name}:{line}: {declared} is also a name of {owner}"
                ));
            }
        }
        self.order.push(name.to_owned());
        self.modules.insert(name.to_owned(), module);
        Ok(())
    }
}

const OTHER_FORM: &str = "an import or export of a form that is not bundled";

/// The line and the reason for which a module is refused.
type Refused = (usize, String);

struct Import {
    names: Vec<String>,
    /// The name of a module, without `./`.
    from: String,
    line: usize,
}

#[derive(Default)]
struct Module {
    imports: Vec<Import>,
    exports: Vec<String>,
    /// Names of the top level, with their lines.
    declared: Vec<(usize, String)>,
    /// The text without imports, `export` and comments.
    code: String,
}

impl Module {
    fn parse(text: &str) -> Result<Module, Refused> {
        let lexed = Lexer::new(text).run()?;
        let mut parser = Parser {
            text,
            tokens: &lexed.tokens,
            at: 0,
            removed: lexed.comments,
            module: Module::default(),
        };
        parser.run()?;
        let mut module = parser.module;
        module.code = without(text, parser.removed);
        Ok(module)
    }
}

/// Finds imports, exports and declarations at the top level.
struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Ranges of bytes that do not get into the script.
    removed: Vec<(usize, usize)>,
    module: Module,
}

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), Refused> {
        while let Some(token) = self.tokens.get(self.at) {
            let word = self.word(self.at);
            let starts = self.is_statement_start();
            let after_dot = self.at > 0 && self.is(self.at - 1, ".");
            match word {
                Some("import") if starts => self.import()?,
                Some("export") if starts => self.export()?,
                Some("import" | "export") if !after_dot => {
                    return Err((token.line, OTHER_FORM.to_owned()));
                }
                Some("await") if token.depth == 0 => {
                    return Err((token.line, "await at the top level".to_owned()));
                }
                Some("function" | "async" | "class" | "const" | "let" | "var") if starts => {
                    self.declaration()?;
                }
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    /// Whether a statement of the top level begins here.
    fn is_statement_start(&self) -> bool {
        self.tokens[self.at].depth == 0
            && (self.at == 0 || self.is(self.at - 1, ";") || self.is(self.at - 1, "}"))
    }

    /// `import { a, b } from "./file.js";`
    fn import(&mut self) -> Result<(), Refused> {
        const FORM: &str = "only `import { a, b } from \"./file.js\";` is bundled";
        let first = self.tokens[self.at];
        let refused = || (first.line, FORM.to_owned());
        let mut names = Vec::new();
        self.at += 1;
        self.expect("{").ok_or_else(refused)?;
        while self.expect("}").is_none() {
            names.push(self.name().ok_or_else(refused)?);
            if self.expect(",").is_none() && !self.is(self.at, "}") {
                return Err(refused());
            }
        }
        self.expect("from").ok_or_else(refused)?;
        let path = self
            .tokens
            .get(self.at)
            .filter(|token| token.kind == Kind::Text);
        let path = path.map(|token| &self.text[token.begin + 1..token.end - 1]);
        let from = path
            .and_then(|path| path.strip_prefix("./"))
            .ok_or_else(refused)?;
        self.at += 1;
        self.expect(";").ok_or_else(refused)?;
        self.removed
            .push((first.begin, self.tokens[self.at - 1].end));
        self.module.imports.push(Import {
            names,
            from: from.to_owned(),
            line: first.line,
        });
        Ok(())
    }

    fn export(&mut self) -> Result<(), Refused> {
        let export = self.tokens[self.at];
        self.at += 1;
        let word = self.word(self.at);
        if !matches!(word, Some("function" | "async" | "class" | "const" | "let")) {
            let why = "only `export` before function, class, const or let is bundled";
            return Err((export.line, why.to_owned()));
        }
        self.removed
            .push((export.begin, self.tokens[self.at].begin));
        let before = self.module.declared.len();
        self.declaration()?;
        let declared = self.module.declared[before..].iter();
        self.module
            .exports
            .extend(declared.map(|(_, name)| name.clone()));
        Ok(())
    }

    /// From the keyword to the name, and of variables on to the semicolon.
    fn declaration(&mut self) -> Result<(), Refused> {
        let first = self.tokens[self.at];
        let keyword = self.word(self.at).unwrap_or_default();
        self.at += 1;
        if keyword == "async" && self.expect("function").is_none() {
            // A call, or an arrow function without a name.
            return Ok(());
        }
        if keyword == "var" {
            return Err((
                first.line,
                "var at the top level: use const or let".to_owned(),
            ));
        }
        self.expect("*");
        let Some(name) = self.name() else {
            let why = format!("only one plain name is bundled after {keyword} at the top level");
            return Err((first.line, why));
        };
        self.module.declared.push((first.line, name));
        if !matches!(keyword, "const" | "let") {
            return Ok(());
        }
        while let Some(token) = self.tokens.get(self.at) {
            let word = self.word(self.at);
            if word == Some("import") && !self.is(self.at - 1, ".") {
                return Err((token.line, OTHER_FORM.to_owned()));
            }
            let refused = |why: String| Err((token.line, why));
            match word {
                _ if token.depth > 0 => {}
                Some(word @ ("const" | "let" | "var" | "export")) => {
                    return refused(format!("{word} within {keyword}: a semicolon is missing"));
                }
                Some("await") => return refused("await at the top level".to_owned()),
                _ if self.is(self.at, ",") => {
                    let why = format!("several names after one {keyword} at the top level");
                    return refused(why);
                }
                _ if self.is(self.at, ";") => return Ok(()),
                _ => {}
            }
            self.at += 1;
        }
        Err((first.line, format!("no semicolon after {keyword}")))
    }

    fn word(&self, at: usize) -> Option<&'a str> {
        let token = self
            .tokens
            .get(at)
            .filter(|token| token.kind == Kind::Word)?;
        Some(&self.text[token.begin..token.end])
    }

    /// Whether a token is this word or sign.
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Word | Kind::Sign)
                && &self.text[token.begin..token.end] == text
        })
    }

    /// Goes past a token if it is this word or sign.
    fn expect(&mut self, text: &str) -> Option<()> {
        self.is(self.at, text).then(|| self.at += 1)
    }

    /// Goes past a word.
    fn name(&mut self) -> Option<String> {
        let word = self.word(self.at)?.to_owned();
        self.at += 1;
        Some(word)
    }
}

/// The text without these ranges, nor the lines that have nothing else.
fn without(text: &str, mut removed: Vec<(usize, usize)>) -> String {
    removed.sort_unstable();
    let mut code = String::with_capacity(text.len());
    let mut from = 0;
    for (begin, end) in removed {
        code.push_str(&text[from..begin]);
        from = end;
        if text[begin..].starts_with("export") {
            continue;
        }
        // White space before it is none of a string, since what is removed is none.
        code.truncate(code.trim_end_matches([' ', '\t']).len());
        let rest = text[end..].trim_start_matches([' ', '\t']);
        if !rest.starts_with('\n') {
            code.push(if text[begin..end].contains('\n') {
                '\n'
            } else {
                ' '
            });
        } else if code.is_empty() || code.ends_with('\n') {
            from = text.len() - rest.len() + 1;
        }
    }
    code.push_str(&text[from..]);
    code
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A name, keyword or number.
    Word,
    /// A string in quotes.
    Text,
    /// A template or a regular expression.
    Other,
    /// One character, or `...`.
    Sign,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    kind: Kind,
    begin: usize,
    end: usize,
    line: usize,
    /// Brackets around it; brackets have the depth of what is outside.
    depth: usize,
}

struct Lexed {
    tokens: Vec<Token>,
    comments: Vec<(usize, usize)>,
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Open brackets; a substitution of a template is `$`.
    open: Vec<u8>,
    lexed: Lexed,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        let lexed = Lexed {
            tokens: Vec::new(),
            comments: Vec::new(),
        };
        Lexer {
            text,
            at: 0,
            line: 1,
            open: Vec::new(),
            lexed,
        }
    }

    fn run(mut self) -> Result<Lexed, Refused> {
        while let Some(next) = self.rest().chars().next() {
            let begin = self.at;
            match next {
                '\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                '/' if self.rest().starts_with("//") => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                    self.lexed.comments.push((begin, self.at));
                }
                '/' if self.rest().starts_with("/*") => {
                    let length = self
                        .rest()
                        .find("*/")
                        .ok_or_else(|| self.refused("a comment without end"))?;
                    self.skip(length + 2);
                    self.lexed.comments.push((begin, self.at));
                }
                '/' if self.is_regex()? => self.regex()?,
                '"' | '\'' => self.string(next)?,
                '`' => {
                    self.at += 1;
                    self.template(begin)?;
                }
                '(' | '[' | '{' => {
                    self.push(Kind::Sign, 1);
                    self.open.push(next as u8);
                }
                ')' | ']' | '}' => {
                    let opened = self.open.pop();
                    match (opened, next) {
                        (Some(b'('), ')') | (Some(b'['), ']') | (Some(b'{'), '}') => {
                            self.push(Kind::Sign, 1);
                        }
                        (Some(b'$'), '}') => {
                            self.at += 1;
                            self.template(begin)?;
                        }
                        _ => return Err(self.refused(&format!("{next} closes nothing"))),
                    }
                }
                _ if is_part_of_word(next) => {
                    let rest = self.rest();
                    let length = rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len());
                    self.push(Kind::Word, length);
                }
                '.' if self.rest().starts_with("...") => self.push(Kind::Sign, 3),
                _ => self.push(Kind::Sign, next.len_utf8()),
            }
        }
        match self.open.is_empty() {
            true => Ok(self.lexed),
            false => Err(self.refused("a bracket is not closed")),
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn refused(&self, why: &str) -> Refused {
        (self.line, why.to_owned())
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let (begin, end) = (self.at, self.at + length);
        let depth = self.open.len();
        self.lexed.tokens.push(Token {
            kind,
            begin,
            end,
            line: self.line,
            depth,
        });
        self.at = end;
    }

    /// Goes on, and counts lines.
    fn skip(&mut self, length: usize) {
        self.line += self.rest()[..length].matches('\n').count();
        self.at += length;
    }

    /// Whether a slash begins a regular expression: not where it can divide what is before it.
    fn is_regex(&self) -> Result<bool, Refused> {
        let Some(last) = self.lexed.tokens.last() else {
            return Ok(true);
        };
        let before = &self.text[last.begin..last.end];
        match last.kind {
            Kind::Word => Ok(matches!(
                before,
                "return" | "typeof" | "case" | "in" | "of" | "delete" | "void" | "throw" | "await"
            )),
            Kind::Text | Kind::Other => Ok(false),
            Kind::Sign if before == "}" => {
                Err(self.refused("a slash after }, which divides or begins a regular expression"))
            }
            Kind::Sign => Ok(!matches!(before, ")" | "]")),
        }
    }

    fn regex(&mut self) -> Result<(), Refused> {
        let mut is_class = false;
        let mut is_escaped = false;
        for (index, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '[' => is_class = true,
                ']' => is_class = false,
                '/' if !is_class => {
                    // Flags are a word of their own, which does no harm.
                    self.push(Kind::Other, index + 1);
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(self.refused("a regular expression without end"))
    }

    fn string(&mut self, quote: char) -> Result<(), Refused> {
        let mut is_escaped = false;
        for (index, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if c == quote => {
                    self.push(Kind::Text, index + 1);
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(self.refused("a string without end on its line"))
    }

    /// From within a template to its end or the next substitution; the part is a token.
    fn template(&mut self, begin: usize) -> Result<(), Refused> {
        let mut is_escaped = false;
        let mut length = None;
        for (index, c) in self.rest().char_indices() {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '`' => length = Some((index + 1, false)),
                '$' if self.rest()[index..].starts_with("${") => length = Some((index + 2, true)),
                _ => {}
            }
            if length.is_some() {
                break;
            }
        }
        let (length, is_substitution) =
            length.ok_or_else(|| self.refused("a template without end"))?;
        let line = self.line;
        self.skip(length);
        let depth = self.open.len();
        // An expression follows a substitution's brace, as it does a bracket.
        let kind = if is_substitution {
            Kind::Sign
        } else {
            Kind::Other
        };
        self.lexed.tokens.push(Token {
            kind,
            begin,
            end: self.at,
            line,
            depth,
        });
        if is_substitution {
            self.open.push(b'$');
        }
        Ok(())
    }
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
