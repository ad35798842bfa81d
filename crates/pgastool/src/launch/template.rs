//! Launchers that the tool does not know: a command line with places for what changes from run to
//! run, such as `mylaunch -p {threads} -N {nodes} {program} {arguments}`.

use super::launchers::assignment;
use crate::failure::Failure;
use std::ffi::OsString;

/// Names of places, for messages.
pub const PLACES: &str =
    "{threads}, {nodes}, {threads-per-node}, {environment}, {program}, {arguments}";

/// Values for the places.
pub struct Values<'a> {
    pub threads: u32,
    pub nodes: u32,
    pub environment: &'a [(String, OsString)],
    /// The program, with what stands in front of it and the options by which it gets its threads.
    pub program: &'a [OsString],
    pub arguments: &'a [OsString],
}

/// Whether a launcher's command line is such a template.
pub fn is_template(words: &[String]) -> bool {
    words.iter().any(|word| word.contains(['{', '}']))
}

/// The words of the command, with `values` in its places. The program and its arguments follow if
/// no place says where.
///
/// # Errors
/// If there is a place of another name, or one of several words within a longer word.
pub fn fill(words: &[String], values: &Values<'_>) -> Result<Vec<OsString>, Failure> {
    let mut command: Vec<OsString> = Vec::new();
    let mut has = (false, false);
    for word in words {
        match word.as_str() {
            "{program}" => {
                has.0 = true;
                command.extend_from_slice(values.program);
            }
            "{arguments}" => {
                has.1 = true;
                command.extend_from_slice(values.arguments);
            }
            "{environment}" => {
                command.push("env".into());
                let assignments = values.environment.iter();
                command.extend(assignments.map(|(name, value)| assignment(name, value)));
            }
            _ => command.push(numbers(word, values)?.into()),
        }
    }
    if !has.0 {
        command.extend_from_slice(values.program);
    }
    if !has.1 {
        command.extend_from_slice(values.arguments);
    }
    Ok(command)
}

/// A word with numbers in its places; `{{` and `}}` are braces.
fn numbers(word: &str, values: &Values<'_>) -> Result<String, Failure> {
    let mut filled = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("{{").or_else(|| rest.strip_prefix("}}")) {
            filled.push_str(&rest[..1]);
            rest = after;
            continue;
        }
        let place = rest.find('}').map_or(rest, |end| &rest[..=end]);
        let number = match place {
            "{threads}" => values.threads,
            "{nodes}" => values.nodes,
            "{threads-per-node}" => values.threads.div_ceil(values.nodes.max(1)),
            "{program}" | "{arguments}" | "{environment}" => {
                return Err(Failure::new(format!(
                    "`{word}` in the launcher's template: {place} stands for several words, and \
                     must be one of its own"
                )));
            }
            other => {
                return Err(Failure::new(format!(
                    "`{other}` in the launcher's template is no place that can be filled"
                ))
                .help(format!(
                    "there are {PLACES}; braces themselves are written {{{{ and }}}}"
                )));
            }
        };
        filled.push_str(&number.to_string());
        rest = &rest[place.len()..];
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> Result<String, String> {
        let words: Vec<String> = template.split(' ').map(String::from).collect();
        let values = Values {
            threads: 10,
            nodes: 4,
            environment: &[("PGAS_EXPERIMENT".into(), "/a b".into())],
            program: &["numactl".into(), "./prog".into()],
            arguments: &["x".into(), "y".into()],
        };
        fill(&words, &values)
            .map(|words| {
                let words: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
                words.join("|")
            })
            .map_err(|failure| failure.message)
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(
            filled(
                "l -p {threads} -N{nodes}x{threads-per-node} {{}} {environment} {program} -- \
                 {arguments} end"
            ),
            Ok("l|-p|10|-N4x3|{}|env|PGAS_EXPERIMENT=/a b|numactl|./prog|--|x|y|end".into())
        );
        assert_eq!(filled("l {threads}"), Ok("l|10|numactl|./prog|x|y".into()));
    }

    #[test]
    fn other_places_are_refused() {
        for (template, named) in [
            ("l {ranks}", "{ranks}"),
            ("l {threads", "{threads"),
            ("l }", "}"),
            ("l --cmd={program}", "--cmd={program}"),
        ] {
            let message = filled(template).unwrap_err();
            assert!(message.contains(named), "{message}");
        }
    }
}
