//! Addresses of programs that the C compiler makes, with and without debug information.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use object::{Object, ObjectSection, ObjectSymbol};
use pgas_symbols::{Code, Detail, Frame, ModuleName, Symbols, Unknown, Wanted};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Lines 2 and 6 are the sums: `inner` is inlined into `outer`.
const PROGRAM: &str = "static inline __attribute__((always_inline)) int inner(int a) {
  return a * a + 12345;
}
int lone(int a) { return a ^ 77; }
__attribute__((noinline)) int outer(int a) {
  return inner(a);
}
int main(int n, char **words) { return outer(n) + lone(n); }
";

fn run(command: &mut Command) {
    let output = command.output().expect("the tool can be started");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn compile(directory: &Path, source: &str, options: &[&str]) -> PathBuf {
    std::fs::write(directory.join("prog.c"), source).unwrap();
    let program = directory.join("prog");
    let mut command = Command::new("cc");
    command
        .current_dir(directory)
        .args(["-O1", "-Wl,--build-id"]);
    command.args(options).args(["-o", "prog", "prog.c"]);
    run(&mut command);
    program
}

fn tool(name: &str, arguments: &[&str], directory: &Path) {
    run(Command::new(name).current_dir(directory).args(arguments));
}

fn build_id(program: &Path) -> String {
    let bytes = std::fs::read(program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let id = file.build_id().unwrap().unwrap_or_default();
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn module(program: &Path) -> ModuleName {
    ModuleName {
        path: program.to_str().unwrap().into(),
        build_id: build_id(program),
    }
}

/// First address and size of a function.
fn function(program: &Path, name: &str) -> (u64, u64) {
    let bytes = std::fs::read(program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let mut symbols = file.symbols();
    let symbol = symbols.find(|symbol| symbol.name() == Ok(name)).unwrap();
    (symbol.address(), symbol.size())
}

/// The frames of every address of a function, each once.
fn frames(code: &Code, (begin, size): (u64, u64)) -> Vec<Vec<(String, String, u32)>> {
    let plain = |frame: &Frame| {
        let file = frame.file.as_deref().unwrap_or("");
        let file = file.rsplit('/').next().unwrap_or("").to_owned();
        let function = frame.function.as_deref().unwrap_or("?");
        (function.to_owned(), file, frame.line)
    };
    let mut all: Vec<_> = (begin..begin + size)
        .map(|address| code.frames(address).iter().map(plain).collect())
        .collect();
    all.sort();
    all.dedup();
    all
}

fn code(addresses: impl IntoIterator<Item = u64>) -> Wanted {
    Wanted {
        code: addresses.into_iter().collect(),
        ..Wanted::default()
    }
}

fn entry(function: &str, line: u32) -> (String, String, u32) {
    let file = if line > 0 { "prog.c" } else { "" };
    (function.into(), file.into(), line)
}

#[test]
fn inlined_functions_and_lines() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g1"]);
    let code = Code::open(&module(&program), None).unwrap();
    assert_eq!(code.detail(), Detail::Lines);
    let outer = frames(&code, function(&program, "outer"));
    let inlined = vec![entry("inner", 2), entry("outer", 6)];
    assert!(outer.contains(&inlined), "{outer:?}");
    let of_lone = frames(&code, function(&program, "lone"));
    assert_eq!(of_lone, [[entry("lone", 4)]]);
}

#[test]
fn without_debug_information_there_are_functions_and_no_lines() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g0"]);
    let code = Code::open(&module(&program), None).unwrap();
    assert_eq!(code.detail(), Detail::Functions);
    let found = frames(&code, function(&program, "outer"));
    assert_eq!(found, [[entry("outer", 0)]]);
    assert!(code.note().unwrap().contains("no debug information"));
}

#[test]
fn of_a_stripped_program_nothing_is_known() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g"]);
    let outer = function(&program, "outer");
    tool("strip", &["prog"], directory.path());
    let code = Code::open(&module(&program), None).unwrap();
    assert_eq!(frames(&code, outer), [[]]);
    assert!(code.note().unwrap().contains("it is stripped"));
}

#[test]
fn separate_debug_files_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g"]);
    let outer = function(&program, "outer");
    let here = directory.path();
    tool(
        "objcopy",
        &["--only-keep-debug", "prog", "prog.debug"],
        here,
    );
    tool("strip", &["prog"], here);
    tool("objcopy", &["--add-gnu-debuglink=prog.debug", "prog"], here);
    let inlined = vec![entry("inner", 2), entry("outer", 6)];
    let found = frames(&Code::open(&module(&program), None).unwrap(), outer);
    assert!(found.contains(&inlined), "{found:?}");
    // That of another build is not taken.
    let id = module(&program);
    let stripped = std::fs::read(&program).unwrap();
    compile(here, &PROGRAM.replace("77", "78"), &["-g"]);
    tool(
        "objcopy",
        &["--only-keep-debug", "prog", "prog.debug"],
        here,
    );
    std::fs::write(&program, stripped).unwrap();
    let code = Code::open(&id, None).unwrap();
    assert_ne!(code.detail(), Detail::Lines);
    assert!(!frames(&code, outer).contains(&inlined));
}

#[test]
fn another_file_of_that_name_gives_no_names() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g"]);
    let ran = module(&program);
    let (begin, size) = function(&program, "outer");
    compile(directory.path(), &format!("\n\n{PROGRAM}"), &["-g", "-DX"]);
    let changed = Code::open(&ran, None).err().unwrap();
    assert!(matches!(changed, Unknown::Changed { .. }), "{changed}");
    let mut symbols = Symbols::default();
    symbols.resolve(&ran, &code(begin..begin + size), None);
    assert!((begin..begin + size).all(|address| symbols.frames(&ran, address).is_empty()));
    std::fs::remove_file(&program).unwrap();
    let missing = Code::open(&ran, None).err().unwrap();
    assert!(matches!(missing, Unknown::Missing(_)), "{missing}");
}

#[test]
fn a_file_without_build_id_must_be_older_than_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g", "-Wl,--build-id=none"]);
    let hour = Duration::from_secs(3600);
    let name = module(&program);
    assert_eq!(name.build_id, "");
    assert!(Code::open(&name, Some(SystemTime::now() + hour)).is_ok());
    let newer = Code::open(&name, Some(SystemTime::now() - hour)).err();
    assert_eq!(newer, Some(Unknown::Newer));
}

#[test]
fn names_of_cpp_are_as_in_the_source() {
    let directory = tempfile::tempdir().unwrap();
    let source = "namespace a { int f(double) { return 3; } }\nint main() { return a::f(1); }\n";
    std::fs::write(directory.path().join("prog.cc"), source).unwrap();
    let options = ["-O0", "-g", "-Wl,--build-id", "-o", "prog", "prog.cc"];
    tool("c++", &options, directory.path());
    let program = directory.path().join("prog");
    let (begin, _) = function(&program, "_ZN1a1fEd");
    let code = Code::open(&module(&program), None).unwrap();
    let frames = code.frames(begin);
    assert_eq!(frames[0].function.as_deref(), Some("a::f(double)"));
    tool("strip", &["-g", "prog"], directory.path());
    let code = Code::open(&module(&program), None).unwrap();
    let frames = code.frames(begin);
    assert_eq!(frames[0].function.as_deref(), Some("a::f(double)"));
}

#[test]
fn names_are_kept_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g"]);
    let name = module(&program);
    let (begin, size) = function(&program, "outer");
    let mut symbols = Symbols::default();
    symbols.resolve(&name, &code(begin..begin + size), None);
    let other = ModuleName {
        path: "linux-vdso.so.1".into(),
        build_id: "12".into(),
    };
    symbols.resolve(&other, &code([7]), None);
    assert!(Symbols::load(directory.path()).unwrap().is_none());
    symbols.save(directory.path()).unwrap();
    let loaded = Symbols::load(directory.path()).unwrap().unwrap();
    assert_eq!(loaded, symbols);
    assert_eq!(loaded.frames(&name, begin).last().unwrap().line, 6);
    assert!(loaded.has(&other) && loaded.frames(&other, 7).is_empty());
    assert!(
        Symbols::from_text(r#"{"format":2}"#)
            .unwrap_err()
            .contains("format 2")
    );
    let missing = r#"{"format":1,"names":[],"modules":[{"path":"/a","build_id":"","detail":"lines",
        "addresses":[[1,[[0,null,3]]]]}]}"#;
    assert!(Symbols::from_text(missing).is_err());
}

/// Whatever is wrong with a file, it is said or passed over.
#[test]
fn damaged_files_are_refused_or_read_as_far_as_they_go() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g"]);
    let name = module(&program);
    let whole = std::fs::read(&program).unwrap();
    let addresses = function(&program, "outer");
    let damages = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40);
    let strategy = (damages, any::<prop::sample::Index>(), any::<bool>());
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        cases: 400,
        ..Config::default()
    });
    let damaged =
        |(damages, end, is_cut): (Vec<(prop::sample::Index, u8)>, prop::sample::Index, bool)| {
            let mut bytes = whole.clone();
            for (place, value) in damages {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            if is_cut {
                bytes.truncate(end.index(bytes.len()));
            }
            std::fs::write(&program, &bytes).unwrap();
            if let Ok(code) = Code::open(&name, None) {
                let (begin, size) = addresses;
                for address in (begin..begin + size).chain([0, u64::MAX, u64::MAX / 2]) {
                    let _ = code.frames(address);
                }
            }
            Ok(())
        };
    runner.run(&strategy, damaged).unwrap();
}

/// The size that a compressed section claims is not believed: memory for it is allocated before it
/// is read.
#[test]
fn a_compressed_section_that_claims_terabytes_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), PROGRAM, &["-g", "-gz=zlib"]);
    let name = module(&program);
    let mut bytes = std::fs::read(&program).unwrap();
    let section = {
        let file = object::File::parse(&*bytes).unwrap();
        let section = file.section_by_name(".debug_info").expect("a section");
        section.file_range().expect("in the file").0 as usize
    };
    // Elf64_Chdr: type, reserved, size.
    bytes[section + 8..section + 16].copy_from_slice(&(1u64 << 42).to_le_bytes());
    std::fs::write(&program, &bytes).unwrap();
    let code = Code::open(&name, None).expect("a program");
    assert_eq!(code.detail(), Detail::Functions);
    let note = code.note().unwrap_or_default();
    assert!(
        note.contains(".debug_info") && note.contains("4398046511104"),
        "{note}"
    );
}
