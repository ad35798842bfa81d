//! Any text: the compiler answers, with C or with messages, and never panics, hangs, or overflows
//! its stack; every message can be shown, and every place in the C leads back somewhere. The first
//! byte chooses the options. Most mutations work on words, since mutated bytes rarely get beyond
//! the lexer.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pgas_upc::{Options, Origins, Severity, compile};

const WORDS: &[&str] = &[
    "shared ",
    "strict ",
    "relaxed ",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "*",
    "&",
    ";",
    ",",
    ":",
    "?",
    "=",
    "==",
    "->",
    ".",
    "...",
    "+",
    "-",
    "<",
    "++",
    "[]",
    "[*]",
    "[4]",
    "0",
    "1",
    "-1",
    "1.5",
    "'c'",
    "\"s\"",
    "THREADS",
    "MYTHREAD",
    "int ",
    "char ",
    "double ",
    "void ",
    "unsigned ",
    "struct ",
    "union ",
    "enum ",
    "typedef ",
    "static ",
    "extern ",
    "const ",
    "volatile ",
    "sizeof ",
    "upc_localsizeof ",
    "upc_blocksizeof ",
    "upc_elemsizeof ",
    "upc_forall ",
    "upc_barrier ",
    "upc_notify ",
    "upc_wait ",
    "upc_fence ",
    "if ",
    "else ",
    "for ",
    "while ",
    "do ",
    "switch ",
    "case ",
    "default ",
    "return ",
    "break ",
    "continue ",
    "goto ",
    "__typeof__ ",
    "__attribute__ ",
    "__extension__ ",
    "__asm__ ",
    "_Generic ",
    "_Static_assert ",
    "_Alignas ",
    "__builtin_offsetof ",
    "__builtin_va_arg ",
    "\n# 3 \"other.h\" 1\n",
    "\n# 5 \"mutated.upc\" 2\n",
    "\n#pragma upc strict\n",
    "\n#pragma pack(1)\n",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\u{e9}",
    "\t",
];

/// Where to keep the current input.
static LAST: std::sync::OnceLock<Option<std::ffi::OsString>> = std::sync::OnceLock::new();

/// Splits text into words and other single characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut in_word) = (0, false);
    for (i, c) in text.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if i > start && !(word && in_word) {
            found.push(&text[start..i]);
            start = i;
        }
        in_word = word;
    }
    found.push(&text[start..]);
    found
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random(u64::from(seed) * 2 + 1);
    random.below(1);
    if size < 2 || random.below(8) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let text = String::from_utf8_lossy(&data[1..size]).into_owned();
    let mut parts = pieces(&text);
    for _ in 0..1 + random.below(4) {
        let (a, b) = (random.below(parts.len()), random.below(parts.len()));
        let word = WORDS[random.below(WORDS.len())];
        match random.below(8) {
            0 => drop(parts.remove(a)),
            1 => parts.insert(b, parts[a]),
            2 => parts.swap(a, b),
            3 => parts[a] = word,
            4 => parts.insert(a, word),
            5 => {
                // A stretch is repeated elsewhere.
                let stretch: Vec<&str> =
                    parts[a..].iter().copied().take(random.below(30)).collect();
                parts.splice(b..b, stretch);
            }
            6 => {
                let end = (a + random.below(20)).min(parts.len());
                parts.drain(a..end);
            }
            _ => parts[a] = parts[b],
        }
        if parts.is_empty() {
            parts.push("");
        }
    }
    let text = parts.concat();
    let new_size = (text.len() + 1).min(max_size);
    data[1..new_size].copy_from_slice(&text.as_bytes()[..new_size - 1]);
    if random.below(8) == 0 {
        data[0] = random.below(256) as u8;
    }
    new_size
});

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = bytes.split_first() else {
        return;
    };
    // A stack that overflows ends the process before libFuzzer can save its input.
    if let Some(path) = LAST.get_or_init(|| std::env::var_os("FUZZ_LAST")) {
        std::fs::write(path, bytes).expect("the file that FUZZ_LAST names");
    }
    let text = String::from_utf8_lossy(text);
    let options = Options {
        threads: [None, Some(1), Some(3), Some(4)][usize::from(choice & 3)],
        instrument: choice & 4 != 0,
        instrument_local: choice & 8 != 0,
        instrument_functions: choice & 16 != 0,
        name: "mutated.upc".to_owned(),
        ..Default::default()
    };
    match compile(&text, &options) {
        Ok(output) => {
            assert!(
                output
                    .warnings
                    .iter()
                    .all(|d| d.severity == Severity::Warning)
            );
            let origins = Origins::new(&text, "mutated.upc", &output);
            for line in 1..6 {
                for column in [0, 1, 7, 30] {
                    let _ = origins.find("mutated.upc", line, column);
                }
            }
        }
        Err(messages) => {
            assert!(messages.iter().any(|d| d.severity == Severity::Error));
            for message in messages {
                assert!(!message.render(true).is_empty());
            }
        }
    }
});
