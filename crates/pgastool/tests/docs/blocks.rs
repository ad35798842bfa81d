//! Runnable parts of a page: blocks of commands, what they print, files that they need, and the
//! marks that stand before them in comments of HTML, which readers don't see.
//!
//! | mark | meaning |
//! |---|---|
//! | `<!-- setup COMMANDS -->` | commands that readers need not see, run at this point |
//! | `<!-- file: NAME -->` | the next block is saved as this file |
//! | `<!-- output -->` | the next block is what the commands before it print |
//! | `<!-- status: 0 or 1 -->` | the next block ends with one of these exit statuses |
//! | `<!-- with: 512=4; /opt=$SANDBOX/opt -->` | the next block is run with the second of each pair in place of the first |
//! | `<!-- not run: REASON -->` | the next block is left out, for this reason |

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A step of a page.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// Of its first line in the page, counted from 1.
    pub line: usize,
    pub what: What,
}

#[derive(Debug, PartialEq)]
pub enum What {
    /// Commands of which nothing is shown but themselves.
    Commands {
        text: String,
        status: Vec<i32>,
    },
    /// A transcript: commands after `$ `, and their output.
    Transcript {
        text: String,
        status: Vec<i32>,
    },
    /// Output of the commands before it.
    Output(String),
    File {
        name: String,
        text: String,
    },
    Setup(String),
    LeftOut {
        reason: String,
    },
}

/// First words of lines that are commands for a shell.
const COMMANDS: [&str; 22] = [
    "apt",
    "apt-get",
    "cargo",
    "cd",
    "cmake",
    "cp",
    "curl",
    "export",
    "for",
    "gdb",
    "git",
    "make",
    "module",
    "mpirun",
    "pgas-upcc",
    "pgastool",
    "python3",
    "sbatch",
    "spack",
    "srun",
    "sudo",
    "upcrun",
];

fn is_command(line: &str) -> bool {
    let line = line.strip_prefix("$ ").unwrap_or(line);
    let word = line
        .split(' ')
        .find(|word| !(word.contains('=') && word.starts_with(char::is_uppercase)))
        .unwrap_or("");
    COMMANDS.contains(&word)
        || word.starts_with("./")
        || word.starts_with("scripts/")
        || word.starts_with("tools/")
}

/// A line such as `pgastool run -n N [-o DIR] PROGRAM` tells how a command is written, and is none.
fn is_synopsis(line: &str) -> bool {
    line.contains(['[', '<'])
        || line.contains("...")
        || line
            .split(' ')
            .any(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase()))
}

/// The steps of a page. An error names the line.
pub fn steps(page: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut marks = Marks::default();
    let mut block: Option<(usize, Option<String>, String)> = None;
    for (event, range) in Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter() {
        let line = 1 + page[..range.start].matches('\n').count();
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',']).next().map(str::to_string)
                    }
                    CodeBlockKind::Indented => None,
                };
                block = Some((line, language.filter(|l| !l.is_empty()), String::new()));
            }
            Event::Text(text) if block.is_some() => {
                if let Some((_, _, code)) = &mut block {
                    code.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((line, language, text)) = block.take() {
                    let marks = std::mem::take(&mut marks);
                    if let Some(what) = marks
                        .meaning(language.as_deref(), text)
                        .map_err(|error| format!("line {line}: {error}"))?
                    {
                        steps.push(Step { line, what });
                    }
                }
            }
            Event::Start(Tag::HtmlBlock) => {
                let html = page[range].trim();
                let Some(mark) = html
                    .strip_prefix("<!--")
                    .and_then(|rest| rest.strip_suffix("-->"))
                else {
                    continue;
                };
                if let Some(setup) = marks
                    .read(mark.trim())
                    .map_err(|e| format!("line {line}: {e}"))?
                {
                    steps.push(Step {
                        line,
                        what: What::Setup(setup),
                    });
                }
            }
            _ => {}
        }
    }
    if marks.any() {
        return Err("the last mark has no block behind it".into());
    }
    Ok(steps)
}

/// Marks of the next block.
#[derive(Debug, Default)]
struct Marks {
    file: Option<String>,
    status: Option<Vec<i32>>,
    left_out: Option<String>,
    replacements: Vec<(String, String)>,
    output: bool,
}

impl Marks {
    fn any(&self) -> bool {
        self.file.is_some()
            || self.status.is_some()
            || self.left_out.is_some()
            || !self.replacements.is_empty()
            || self.output
    }

    /// Commands, if it is a setup. Other comments are none of ours.
    fn read(&mut self, mark: &str) -> Result<Option<String>, String> {
        if let Some(commands) = mark.strip_prefix("setup") {
            return Ok(Some(commands.trim().to_string()));
        }
        if let Some(name) = mark.strip_prefix("file:") {
            self.file = Some(name.trim().to_string());
        } else if let Some(number) = mark.strip_prefix("status:") {
            let numbers: Result<_, _> = number.split(" or ").map(|n| n.trim().parse()).collect();
            self.status = Some(numbers.map_err(|_| format!("`{mark}` has no exit status"))?);
        } else if let Some(reason) = mark.strip_prefix("not run:") {
            let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            if reason.is_empty() {
                return Err("`not run:` wants a reason".into());
            }
            self.left_out = Some(reason);
        } else if let Some(pairs) = mark.strip_prefix("with:") {
            for pair in pairs.split(';') {
                let (shown, run) = pair.trim().split_once('=').ok_or_else(|| {
                    format!("`{mark}` wants pairs, as in `512=4; /opt=$SANDBOX/opt`")
                })?;
                self.replacements.push((shown.to_string(), run.to_string()));
            }
        } else if mark == "output" {
            self.output = true;
        }
        Ok(None)
    }

    fn meaning(self, language: Option<&str>, text: String) -> Result<Option<What>, String> {
        if let Some(reason) = self.left_out {
            return Ok(Some(What::LeftOut { reason }));
        }
        if let Some(name) = self.file {
            return Ok(Some(What::File { name, text }));
        }
        if self.output {
            return Ok(Some(What::Output(text)));
        }
        let mut text = text;
        for (shown, run) in &self.replacements {
            if !text.contains(shown.as_str()) {
                return Err(format!("there is no `{shown}` to be replaced by `{run}`"));
            }
            text = text.replace(shown.as_str(), run);
        }
        let status = self.status.unwrap_or_else(|| vec![0]);
        let commands = || text.lines().filter(|line| is_command(line));
        let transcript = text.lines().any(|line| line.starts_with("$ "));
        match language {
            Some("console") => Ok(Some(What::Transcript { text, status })),
            Some("sh" | "bash" | "shell") => Ok(Some(What::Commands { text, status })),
            None if transcript => Ok(Some(What::Transcript { text, status })),
            None if commands().count() == 0 => Ok(None),
            None if commands().all(is_synopsis) => Ok(None),
            None => Ok(Some(What::Commands { text, status })),
            Some(_) => {
                match commands().find(|line| line.starts_with("pgastool ") && !is_synopsis(line)) {
                    Some(line) => Err(format!(
                        "`{line}` stands in a block that is not run; use `sh`, or say why: <!-- \
                         not run: ... -->"
                    )),
                    None => Ok(None),
                }
            }
        }
    }
}

#[test]
fn commands_transcripts_files_and_what_is_none_of_these_are_distinguished() {
    let page = "\
# Page

<!-- file: a.upc -->
```c
int main;
```

    pgastool compile a.upc

<!-- status: 3 -->

```sh
false
```

<!-- with: 512=4; /opt=$SANDBOX/opt -->

    make -j 512 DESTDIR=/opt

How to run:

    pgastool run -n N [-o DIR] PROGRAM

```console
$ pgastool run
done
```
<!-- not run: takes
     an hour -->

    make world

    seconds thread

<!-- setup
cp a b
-->
";
    let steps: Vec<What> = steps(page).unwrap().into_iter().map(|s| s.what).collect();
    let text = str::to_string;
    assert_eq!(
        steps,
        [
            What::File {
                name: text("a.upc"),
                text: text("int main;\n")
            },
            What::Commands {
                text: text("pgastool compile a.upc\n"),
                status: vec![0]
            },
            What::Commands {
                text: text("false\n"),
                status: vec![3]
            },
            What::Commands {
                text: text("make -j 4 DESTDIR=$SANDBOX/opt\n"),
                status: vec![0]
            },
            What::Transcript {
                text: text("$ pgastool run\ndone\n"),
                status: vec![0]
            },
            What::LeftOut {
                reason: text("takes an hour")
            },
            What::Setup(text("cp a b")),
        ]
    );
}

#[test]
fn a_command_cannot_hide_in_a_block_of_another_language() {
    let error = steps("text\n\n```text\npgastool report\n```\n").unwrap_err();
    assert!(error.starts_with("line 3: `pgastool report`"), "{error}");
    assert!(steps("<!-- not run: -->\n\n    make\n").is_err());
    assert!(steps("<!-- not run: slow -->\n\ntext\n").is_err());
    assert!(steps("<!-- with: 8=4 -->\n\n    make -j 2\n").is_err());
}
