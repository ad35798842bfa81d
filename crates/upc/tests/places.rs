//! Places of messages: through macros, includes, tabs, and characters of more than one byte.

mod common;

use pgas_upc::{Diagnostic, Options, compile};

/// Compiles a program with the files that it includes, and gives the messages.
fn messages(files: &[(&str, &str)]) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let path = folder.path().join(files[0].0);
    let source = common::preprocess(&path, None, false);
    let options = Options {
        name: path.display().to_string(),
        ..Default::default()
    };
    let mut found = compile(&source, &options).expect_err("the program is wrong");
    let prefix = format!("{}/", folder.path().display());
    for d in &mut found {
        d.file = d.file.replace(&prefix, "");
        for (file, _) in &mut d.included_from {
            *file = file.replace(&prefix, "");
        }
        for note in &mut d.notes {
            note.place.file = note.place.file.replace(&prefix, "");
        }
    }
    found
}

/// The text that a message marks.
fn marked(d: &Diagnostic) -> String {
    let line = d.source_line.as_deref().expect("a source line");
    line.chars()
        .skip(d.column as usize - 1)
        .take(d.length as usize)
        .collect()
}

fn only(files: &[(&str, &str)]) -> Diagnostic {
    let mut found = messages(files);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn white_space_and_comments_do_not_move_the_mark() {
    let d = only(&[("a.upc", "int   f(void) { return  /* x */   undecl ; }\n")]);
    assert_eq!(marked(&d), "undecl");
    let d = only(&[("a.upc", "int f(void) {\n\treturn\tundecl;\n}\n")]);
    assert_eq!((d.line, d.column, marked(&d).as_str()), (2, 17, "undecl"));
    let d = only(&[(
        "a.upc",
        "int f(char *s) { s = \"\u{e9}\u{fc}\"; return undecl; }\n",
    )]);
    assert_eq!((d.column, marked(&d).as_str()), (35, "undecl"));
}

#[test]
fn a_range_of_several_tokens_is_marked() {
    let d = only(&[(
        "a.upc",
        "shared int *p; shared [] int *q; int f(void) { q = p   +  1; return 0; }\n",
    )]);
    assert_eq!(marked(&d), "p   +  1");
}

#[test]
fn what_comes_out_of_a_macro_points_at_its_use_and_notes_it() {
    let d = only(&[
        (
            "a.upc",
            "#include \"m.h\"\nint f(void) { return 1 + BAD(2) + 3; }\n",
        ),
        ("m.h", "\n#define BAD(x) (undecl + x)\n"),
    ]);
    assert_eq!((d.line, marked(&d).as_str()), (2, "BAD"));
    assert_eq!(d.notes[0].message, "in the expansion of macro 'BAD'");
    let place = &d.notes[0].place;
    assert_eq!(
        (place.file.as_str(), place.line, place.column),
        ("m.h", 2, 9)
    );
    let text = d.render(false);
    assert!(
        text.ends_with("    2 | #define BAD(x) (undecl + x)\n      |         ^~~"),
        "{text}"
    );
}

#[test]
fn arguments_of_macros_are_found() {
    let d = only(&[(
        "a.upc",
        "#define TWICE(x) ((x) + (x))\nint f(void) { return TWICE(TWICE(undecl)); }\n",
    )]);
    assert_eq!((d.line, marked(&d).as_str()), (2, "undecl"));
    assert!(d.notes.is_empty());
    let d = only(&[(
        "a.upc",
        "#define SUM(x, y) ((x) + (y))\nint f(int a) { return SUM(a,\n  undecl);\n}\n",
    )]);
    assert_eq!((d.line, marked(&d).as_str()), (3, "undecl"));
}

#[test]
fn messages_in_included_files_say_who_includes_them() {
    let d = only(&[
        ("a.upc", "\n\n#include \"b.h\"\nint x;\n"),
        ("b.h", "int before;\n#include \"c.h\"\nint after;\n"),
        ("c.h", "static inline int f(void) { return undecl; }\n"),
    ]);
    assert_eq!((d.file.as_str(), d.line), ("c.h", 1));
    let from = [("b.h".to_owned(), 2), ("a.upc".to_owned(), 3)];
    assert_eq!(d.included_from, from);
    let text = d.render(false);
    assert!(
        text.starts_with(
            "In file included from b.h:2,\n                 from a.upc:3:\nc.h:1:36: error:"
        ),
        "{text}"
    );
}
