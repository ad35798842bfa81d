//! The modules of the page as one script, by the bundler of the build script: modules come after
//! those that they import, and every form that it cannot bundle is an error that names the line.

use std::io;

#[path = "../build/bundle.rs"]
mod bundle;

use bundle::bundle;

/// Bundles files of these names and texts, from the first on.
fn bundled(files: &[(&str, &str)]) -> Result<String, String> {
    let read = &mut |name: &str| {
        let file = files.iter().find(|(other, _)| *other == name);
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        file.map(|(_, text)| (*text).to_owned()).ok_or_else(missing)
    };
    bundle(files[0].0, read)
}

/// The script of one module that imports nothing.
fn script(text: &str) -> String {
    bundled(&[("main.js", text)]).expect("a module that can be bundled")
}

/// Why one module, beside one that exports `a`, is refused.
fn refused(text: &str) -> String {
    let files = [
        ("main.js", text),
        ("other.js", "export const a = 1;\nconst hidden = 2;\n"),
    ];
    bundled(&files).expect_err("a module that cannot be bundled")
}

#[test]
fn modules_come_after_those_they_import_and_once() {
    let files = [
        (
            "main.js",
            "import { a } from \"./a.js\";\nimport { b } from \"./b.js\";\n\nstart(a, b);\n",
        ),
        (
            "a.js",
            "import {\n  b,\n} from \"./b.js\";\n\nexport function a() {\n  return b;\n}\n",
        ),
        (
            "b.js",
            "export let b = 1;\nexport async function load() {}\nexport class C {}\n",
        ),
    ];
    let script = bundled(&files).expect("modules that can be bundled");
    let expected = "let b = 1;\nasync function load() {}\nclass C {}\n\
                    function a() {\n  return b;\n}\nstart(a, b);\n";
    assert_eq!(script, expected);
}

#[test]
fn comments_are_left_out_and_nothing_else() {
    let text = "// First.\n\n/** @type {number} */\nconst a = 1; // one\n  /* two\n     lines */\n\
                const b = /* here */ \"// no /* comment */\";\n\
                const c = `// ${a /* in */} /* no */`;\n\
                const d = /[/*]\\/\\/*`/.test(b) ? a / 2 / 1 : '\"';\n";
    let expected = "const a = 1;\nconst b =  \"// no /* comment */\";\n\
                    const c = `// ${a } /* no */`;\n\
                    const d = /[/*]\\/\\/*`/.test(b) ? a / 2 / 1 : '\"';\n";
    assert_eq!(script(text), expected);
}

#[test]
fn lines_of_templates_stay_as_they_are() {
    let text = "const a = `x  \n\n  // ${[`${1}\n// y`].map((z) => `${z}`)}\n`;\nf(a);\n";
    assert_eq!(script(text), text);
}

#[test]
fn names_within_functions_and_properties_are_their_own() {
    let files = [
        (
            "main.js",
            "import { a } from \"./other.js\";\nfunction f(a) {\n  const g = a.export;\n}\n",
        ),
        (
            "other.js",
            "export const a = { f: 1 };\nfunction g() {\n  let f;\n}\n",
        ),
    ];
    // g is a name of the top level in one, and a local one in the other.
    assert!(bundled(&files).is_ok());
}

#[test]
fn a_name_of_two_modules_is_refused() {
    let why = refused("import { a } from \"./other.js\";\n\nfunction hidden() {}\n");
    assert_eq!(why, "main.js:3: hidden is also a name of other.js");
    assert_eq!(
        refused("let a = 1;\nclass a {}\n"),
        "main.js:2: a is also a name of main.js"
    );
}

#[test]
fn a_cycle_of_imports_is_refused() {
    let files = [
        ("main.js", "import { a } from \"./a.js\";\n"),
        (
            "a.js",
            "import { b } from \"./b.js\";\nexport const a = 1;\n",
        ),
        (
            "b.js",
            "import { a } from \"./a.js\";\nexport const b = 1;\n",
        ),
    ];
    let why = bundled(&files).expect_err("a cycle");
    assert_eq!(
        why,
        "a.js: a cycle of imports: a.js imports b.js imports a.js"
    );
}

#[test]
fn what_is_imported_must_be_exported() {
    let why = refused("\nimport { a, hidden } from \"./other.js\";\n");
    assert_eq!(why, "main.js:2: other.js does not export hidden");
    let why = refused("import { a } from \"./gone.js\";\n");
    assert_eq!(why, "gone.js: no such file (imported by main.js)");
}

#[test]
fn other_forms_of_imports_are_refused() {
    for import in [
        "import a from \"./other.js\";",
        "import * as a from \"./other.js\";",
        "import \"./other.js\";",
        "import { a as b } from \"./other.js\";",
        "import { a } from \"d3\";",
        "import { a } from \"./other.js\" with { type: \"json\" };",
        "import { a } from \"./other.js\"",
    ] {
        let why = refused(&format!("// A module.\n{import}\n"));
        assert!(
            why.starts_with("main.js:2: only `import { a, b }"),
            "{import}: {why}"
        );
    }
    for import in [
        "f(import.meta);",
        "const b = import(\"./other.js\");",
        "f(...import(x));",
    ] {
        let why = refused(&format!("\n{import}\n"));
        assert_eq!(
            why, "main.js:2: an import or export of a form that is not bundled",
            "{import}"
        );
    }
}

#[test]
fn other_forms_of_exports_are_refused() {
    for export in [
        "export default function f() {}",
        "export { f };",
        "export * from \"./other.js\";",
        "export var f = 1;",
    ] {
        let why = refused(&format!("\n{export}\n"));
        assert!(
            why.starts_with("main.js:2: only `export` before"),
            "{export}: {why}"
        );
    }
}

#[test]
fn declarations_whose_names_are_not_seen_are_refused() {
    for (text, why) in [
        ("const { a } = b;", "only one plain name"),
        ("const a = 1, b = 2;", "several names after one const"),
        (
            "let a = 1\nconst b = 2;",
            "const within let: a semicolon is missing",
        ),
        ("let a = 1", "no semicolon after let"),
        ("var a = 1;", "var at the top level"),
        ("await a;", "await at the top level"),
        ("const a = await b;", "await at the top level"),
    ] {
        let refusal = refused(text);
        assert!(refusal.contains(why), "{text}: {refusal}");
    }
}

#[test]
fn text_that_is_not_understood_is_refused() {
    for (text, why) in [
        ("f(1;\n}\n", "main.js:2: } closes nothing"),
        ("f(", "main.js:1: a bracket is not closed"),
        (
            "const a = \"b\nc\";",
            "main.js:1: a string without end on its line",
        ),
        ("const a = `b\n${c}\n", "main.js:2: a template without end"),
        ("\n/* a", "main.js:2: a comment without end"),
        ("f(/a\n/);", "main.js:1: a regular expression without end"),
        ("if (a) {\n} /b/.test(c);", "main.js:2: a slash after }"),
    ] {
        let refusal = refused(text);
        assert!(refusal.starts_with(why), "{text}: {refusal}");
    }
}
