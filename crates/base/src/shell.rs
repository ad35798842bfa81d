//! Words of a shell: commands as a person would type them, which a shell takes as they are meant.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// A word as a shell reads it back. A word that needs no quotes has none.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,:@%=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => in_quotes(word),
    }
}

fn in_quotes(word: &str) -> String {
    // A zero byte cannot be in a word at all.
    shlex::try_quote(word).map_or_else(|_| escaped(word.as_bytes()), Into::into)
}

/// A command for messages: nothing in it acts on a terminal.
pub fn shown<W: AsRef<OsStr>>(command: impl IntoIterator<Item = W>) -> String {
    let words = command.into_iter().enumerate();
    let words = words.map(|(at, word)| match word.as_ref().to_str() {
        None => escaped(word.as_ref().as_bytes()),
        Some(word) if word.contains(acts_on_terminals) => escaped(word.as_bytes()),
        // A program's name with an equals sign would be taken for an assignment.
        Some(word) if at == 0 && word.contains('=') => in_quotes(word),
        Some(word) => quoted(word),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Control characters, and those that change the direction of writing.
fn acts_on_terminals(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A word that is no text, or would act on a terminal, as shells since Korn's take it.
fn escaped(word: &[u8]) -> String {
    let bytes = word.iter().map(|&byte| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    });
    format!("$'{}'", bytes.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::process::Command;

    #[test]
    fn what_a_shell_makes_of_a_shown_command_is_the_command() {
        let hostile: Vec<OsString> = [
            "printf",
            "%s\\n",
            "a b",
            "$HOME",
            "`id`",
            "*",
            "~",
            "#",
            "{a,b}",
            "!!",
            "^a",
            "a\nb",
            "-Da=\"b\"",
            "'",
            "it's \"$HOME\"",
            "é",
            "",
        ]
        .map(OsString::from)
        .into_iter()
        .chain([OsString::from_vec(vec![b'\'', 0xff, b'1', b'\\', b'\n'])])
        .collect();
        let output = Command::new("bash")
            .args(["-c", &shown(&hostile)])
            .output()
            .unwrap();
        let expected: Vec<u8> = hostile[2..]
            .iter()
            .flat_map(|word| [word.as_bytes(), b"\n"].concat())
            .collect();
        assert_eq!(output.stdout, expected, "{}", shown(&hostile));
        assert_eq!(shown(["a=b", "a=b"]), "'a=b' a=b");
    }

    #[test]
    fn words_are_quoted_where_they_must_be() {
        for (word, expected) in [
            ("-O2", "-O2"),
            ("-DCLASS=S,T", "-DCLASS=S,T"),
            ("my file.c", "'my file.c'"),
            ("-DCLASS='S'", r#""-DCLASS='S'""#),
            ("$HOME", "'$HOME'"),
            ("Grüße.c", "Grüße.c"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
        assert_eq!(
            shown(["cc", "my file.c", "\u{1b}[2J"]),
            r"cc 'my file.c' $'\033[2J'"
        );
    }
}
