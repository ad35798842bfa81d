//! Files are found where they may lie, and nothing else is read.

use pgas_cube::model::{CallPath, Region, RegionId};
use std::time::Duration;

use super::*;

/// A cube with a call path in each of these files.
fn cube(files: &[&str]) -> Cube {
    let mut cube = Cube::default();
    cube.regions.push(Region {
        name: "main".into(),
        module: String::new(),
        begin_line: 0,
        end_line: 0,
        description: String::new(),
    });
    cube.call_paths.extend(files.iter().map(|file| CallPath {
        region: RegionId(0),
        parent: None,
        file: (*file).to_owned(),
        line: 1,
    }));
    cube
}

fn missing<'a>(sources: &'a Sources, name: &str) -> &'a str {
    match &sources.file(name).expect(name).content {
        SourceContent::Missing(why) => why,
        SourceContent::Text(text) => panic!("{name}: {text}"),
    }
}

/// A directory with `src/a.upc`.
fn tree() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("src")).unwrap();
    fs::write(directory.path().join("src/a.upc"), "int a;\n").unwrap();
    directory
}

#[test]
fn files_are_found_absolute_relative_and_below_a_named_directory() {
    let tree = tree();
    let absolute = tree.path().join("src/a.upc").to_str().unwrap().to_owned();
    let elsewhere = "/nowhere/build/src/a.upc";
    let cube = cube(&[&absolute, "src/a.upc", "", elsewhere, "a.upc"]);
    let gathering = Gathering {
        relative_to: vec!["/nowhere".into(), tree.path().into()],
        own: vec![tree.path().into()],
        ..Gathering::default()
    };
    let sources = gathering.gather(&cube);
    assert_eq!(sources.files.len(), 4);
    assert_eq!(sources.text(&absolute), Some("int a;\n"));
    assert_eq!(sources.text("src/a.upc"), Some("int a;\n"));
    assert!(missing(&sources, elsewhere).contains("--source-dir"));
    let looked = missing(&sources, "a.upc");
    let both = [
        "/nowhere/a.upc".to_owned(),
        tree.path().join("a.upc").display().to_string(),
    ];
    assert!(both.iter().all(|place| looked.contains(place)), "{looked}");

    let named = Gathering {
        named: vec![tree.path().into(), tree.path().join("src")],
        ..Gathering::default()
    };
    let sources = named.gather(&cube);
    assert_eq!(sources.text(elsewhere), Some("int a;\n"));
    assert_eq!(sources.text("a.upc"), Some("int a;\n"));
}

#[test]
fn nothing_but_plain_text_of_bounded_size_is_read() {
    let tree = tree();
    let path = |name: &str| tree.path().join(name);
    rustix::fs::mkfifoat(rustix::fs::CWD, path("fifo.c"), 0o600.into()).unwrap();
    fs::write(path("binary.c"), b"\x7fELF\0\0").unwrap();
    File::create(path("huge.c"))
        .unwrap()
        .set_len(MOST_OF_A_FILE + 1)
        .unwrap();
    fs::write(path("latin.c"), b"/* \xe4 */\n").unwrap();
    std::os::unix::fs::symlink("/dev/zero", path("zero.c")).unwrap();
    let names = [
        "fifo.c",
        "binary.c",
        "huge.c",
        "latin.c",
        "zero.c",
        "src",
        "/dev/tty",
        "/usr/include/stdio.h",
        "a\0b",
        "a\nb\u{1b}[31m",
    ];
    let gathering = Gathering {
        relative_to: vec![tree.path().into()],
        own: vec![tree.path().into()],
        ..Gathering::default()
    };
    let sources = gathering.gather(&cube(&names));
    for (name, why) in [
        ("fifo.c", "not a plain file"),
        ("zero.c", "not a plain file"),
        ("src", "not a plain file"),
        ("/dev/tty", ""),
        ("binary.c", "not text"),
        ("huge.c", "4194305 bytes"),
        ("/usr/include/stdio.h", "system"),
        ("a\0b", "cannot read"),
        ("a\nb\u{1b}[31m", "not found"),
    ] {
        let told = missing(&sources, name);
        assert!(told.contains(why), "{name}: {told}");
    }
    assert_eq!(sources.text("latin.c"), Some("/* \u{fffd} */\n"));
    assert_eq!(
        sources.file("latin.c").unwrap().notes,
        [SourceNote::NotUtf8]
    );
}

#[test]
fn all_files_together_are_bounded() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..18).map(|number| format!("{number:02}.c")).collect();
    for name in &names {
        fs::write(
            directory.path().join(name),
            vec![b' '; MOST_OF_A_FILE as usize],
        )
        .unwrap();
    }
    let gathering = Gathering {
        relative_to: vec![directory.path().into()],
        own: vec![directory.path().into()],
        ..Gathering::default()
    };
    let named: Vec<&str> = names.iter().map(String::as_str).collect();
    let sources = gathering.gather(&cube(&named));
    let kept = names
        .iter()
        .filter(|name| sources.text(name).is_some())
        .count();
    assert_eq!(kept, 16);
    assert!(missing(&sources, "17.c").contains("all files together"));
}

#[test]
fn a_changed_file_is_said_to_be_and_what_was_kept_before_is_better() {
    let tree = tree();
    let cube = cube(&["src/a.upc"]);
    let gathering = |started, earlier| Gathering {
        relative_to: vec![tree.path().into()],
        own: vec![tree.path().into()],
        started: Some(started),
        earlier,
        ..Gathering::default()
    };
    let later = SystemTime::now() + Duration::from_secs(3600);
    let first = gathering(later, None).gather(&cube);
    assert_eq!(first.file("src/a.upc").unwrap().notes, []);

    fs::write(tree.path().join("src/a.upc"), "int b;\n").unwrap();
    let before = SystemTime::now() - Duration::from_secs(3600);
    let changed = gathering(before, None).gather(&cube);
    assert_eq!(changed.text("src/a.upc"), Some("int b;\n"));
    assert_eq!(
        changed.file("src/a.upc").unwrap().notes,
        [SourceNote::Changed]
    );
    assert_eq!(gathering(before, Some(&first)).gather(&cube), first);

    fs::remove_file(tree.path().join("src/a.upc")).unwrap();
    assert_eq!(gathering(before, Some(&first)).gather(&cube), first);
    assert_eq!(gathering(before, Some(&changed)).gather(&cube), changed);
    missing(&gathering(before, None).gather(&cube), "src/a.upc");
}

/// Why a file was left out; `None` if it is kept.
fn left_out(gathering: &Gathering<'_>, name: &str) -> Option<String> {
    let sources = gathering.gather(&cube(&[name]));
    let file = sources.file(name).unwrap();
    assert_eq!(file.left_out().is_none(), sources.text(name).is_some());
    file.left_out().map(str::to_owned)
}

#[test]
fn a_file_elsewhere_is_left_out_unless_it_was_compiled_or_is_asked_for() {
    let tree = tree();
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("secret.upc");
    fs::write(&path, "int secret;\n").unwrap();
    let name = path.to_str().unwrap();
    let own = Gathering {
        own: vec![tree.path().into()],
        relative_to: vec![tree.path().into()],
        ..Gathering::default()
    };
    let why = left_out(&own, name).unwrap();
    assert!(why.contains("nor has it the content"), "{why}");
    // By whatever way one gets there.
    let depth = tree.path().components().count();
    let up = "../".repeat(depth);
    assert!(left_out(&own, &format!("{up}{name}")).is_some());
    std::os::unix::fs::symlink(&path, tree.path().join("link.upc")).unwrap();
    assert!(left_out(&own, "link.upc").is_some());
    let of_a_link = Gathering {
        named: vec![tree.path().into()],
        ..Gathering::default()
    };
    assert!(left_out(&of_a_link, "link.upc").is_some());

    let compiled = [digest(b"int secret;\n")];
    let compiled = Gathering {
        compiled: &compiled,
        ..Gathering::default()
    };
    assert_eq!(left_out(&compiled, name), None);
    let asked = Gathering {
        named: vec![other.path().into()],
        ..Gathering::default()
    };
    assert_eq!(left_out(&asked, name), None);
    fs::write(&path, "int other;\n").unwrap();
    assert!(left_out(&compiled, name).is_some());
}

/// Why there is no text: one cannot know without it that lines have moved.
#[test]
fn a_file_elsewhere_that_was_changed_since_the_run_is_said_to_be() {
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("library.c");
    fs::write(&path, "int changed;\n").unwrap();
    let name = path.to_str().unwrap();
    let compiled = [digest(b"int compiled;\n")];
    let hour = Duration::from_secs(3600);
    let run_at = |started| Gathering {
        compiled: &compiled,
        started: Some(started),
        ..Gathering::default()
    };
    let why = left_out(&run_at(SystemTime::now() - hour), name).unwrap();
    let said = format!("{name} has changed since the run");
    assert!(why.starts_with(&said), "{why}");
    let why = left_out(&run_at(SystemTime::now() + hour), name).unwrap();
    assert!(!why.contains("has changed"), "{why}");
}

#[test]
fn a_private_file_has_to_be_asked_for() {
    let tree = tree();
    let path = tree.path().join("src/a.upc");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let compiled = [digest(b"int a;\n")];
    let own = Gathering {
        own: vec![tree.path().into()],
        relative_to: vec![tree.path().into()],
        compiled: &compiled,
        ..Gathering::default()
    };
    let why = left_out(&own, "src/a.upc").unwrap();
    assert!(why.contains("readable only to its owner"), "{why}");
    // A text that an earlier analysis was asked to keep stays.
    let asked = Gathering {
        named: vec![tree.path().into()],
        ..Gathering::default()
    };
    assert_eq!(left_out(&asked, "src/a.upc"), None);
    let earlier = asked.gather(&cube(&["src/a.upc"]));
    let again = Gathering {
        earlier: Some(&earlier),
        ..own
    };
    assert_eq!(left_out(&again, "src/a.upc"), None);
    // The viewer shows its user any file that this user can read.
    let looking = Gathering {
        relative_to: vec![tree.path().into()],
        any_file: true,
        ..Gathering::default()
    };
    assert_eq!(left_out(&looking, "src/a.upc"), None);
}
