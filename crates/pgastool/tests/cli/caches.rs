//! A cache of what is linked into programs that several users can reach: nobody's files get into
//! another one's program, and what root has made is there for all.

use crate::bench::{Bench, Told, contains};
use crate::not_tested::not_tested;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "#include <upc.h>\nint main(void) { upc_barrier; return 0; }\n";
const VICTIM: u32 = 54_321;
const ATTACKER: u32 = 54_322;

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A directory with a program that everybody can enter, and the cache in it. `None` where files
/// cannot be given to others.
fn several_users() -> Option<(Bench, PathBuf)> {
    let bench = Bench::new();
    bench.write("prog.upc", PROGRAM);
    let cache = bench.path("cache");
    fs::create_dir(&cache).unwrap();
    mode(&bench.path(""), 0o755);
    mode(&cache, 0o755);
    if chown(&cache, Some(VICTIM), None).is_err() {
        not_tested("caches of several users: only root can give files to others");
        return None;
    }
    chown(&cache, Some(0), None).unwrap();
    Some((bench, cache))
}

/// The tool, where every user can run it: the clone may lie where others cannot go.
fn tool_for_all(bench: &Bench) -> PathBuf {
    let tools = bench.path("tools");
    let tool = tools.join("pgastool");
    if !tools.exists() {
        fs::create_dir(&tools).unwrap();
        mode(&tools, 0o755);
        let built = Path::new(env!("CARGO_BIN_EXE_pgastool")).parent().unwrap();
        for name in ["pgastool", "pgas-upcc", "libpgas_measure.a"] {
            fs::copy(built.join(name), tools.join(name)).unwrap();
        }
    }
    tool
}

/// `user` compiles with this cache.
fn compile(bench: &Bench, cache: &Path, user: u32) -> Told {
    compile_by(bench, cache, user, "cc")
}

fn compile_by(bench: &Bench, cache: &Path, user: u32, c_compiler: &str) -> Told {
    let place = bench.path(format!("of-{user}"));
    if !place.exists() {
        fs::create_dir(&place).unwrap();
        chown(&place, Some(user), Some(user)).unwrap();
    }
    let output = Command::new(tool_for_all(bench))
        .args(["compile", "-o", "prog", "../prog.upc"])
        .current_dir(&place)
        .env("PGAS_CACHE_DIR", cache)
        .env("HOME", &place)
        .env("PGAS_CC", c_compiler)
        .env_remove("XDG_CACHE_HOME")
        .uid(user)
        .gid(user)
        .output()
        .unwrap();
    Told {
        status: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Every file below, the directories not among them.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn a_directory_of_somebody_else_or_for_all_is_refused() {
    let Some((bench, cache)) = several_users() else {
        return;
    };
    chown(&cache, Some(ATTACKER), None).unwrap();
    let told = compile(&bench, &cache, VICTIM);
    assert_eq!(told.status, Some(2), "{told:?}");
    let belongs = format!("belongs to user {ATTACKER}");
    contains(
        &told.err,
        &["PGAS_CACHE_DIR", &belongs, cache.to_str().unwrap()],
    );

    chown(&cache, Some(VICTIM), None).unwrap();
    for open in [0o775, 0o1777] {
        mode(&cache, open);
        let told = compile(&bench, &cache, VICTIM);
        assert_eq!(told.status, Some(2), "{told:?}");
        contains(&told.err, &[&format!("(mode {open:04o})"), "chmod go-w"]);
    }
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
    mode(&cache, 0o755);
    assert_eq!(compile(&bench, &cache, VICTIM).status, Some(0));

    // Somebody else's name for a directory in which nobody else writes.
    let link = bench.path("link");
    std::os::unix::fs::symlink(&cache, &link).unwrap();
    std::os::unix::fs::lchown(&link, Some(ATTACKER), None).unwrap();
    let told = compile(&bench, &link, VICTIM);
    assert_eq!(told.status, Some(2), "{told:?}");
    contains(&told.err, &[&belongs]);
}

#[test]
fn another_users_file_is_not_linked() {
    let Some((bench, cache)) = several_users() else {
        return;
    };
    chown(&cache, Some(VICTIM), None).unwrap();
    let told = compile(&bench, &cache, VICTIM);
    assert_eq!(told.status, Some(0), "{told:?}");
    let made = files(&cache);
    let linked = made
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "o" || end == "a"));
    let linked: Vec<_> = linked.collect();
    // The decoder, the runtime for each network, and the recorder.
    assert_eq!(linked.len(), 4, "{made:?}");
    for path in linked {
        let content = fs::read(path).unwrap();
        // Not changed yet: its owner can do that at any time.
        chown(path, Some(ATTACKER), None).unwrap();
        let told = compile(&bench, &cache, VICTIM);
        assert_eq!(told.status, Some(0), "{told:?}");
        assert_eq!(fs::metadata(path).unwrap().uid(), VICTIM, "{path:?}");

        fs::write(path, vec![b'x'; content.len()]).unwrap();
        let told = compile(&bench, &cache, VICTIM);
        assert_eq!(told.status, Some(0), "{told:?}");
        assert_ne!(fs::read(path).unwrap()[0], b'x', "{path:?}");
    }
}

#[test]
fn what_root_made_is_used_by_all() {
    let Some((bench, cache)) = several_users() else {
        return;
    };
    assert_eq!(compile(&bench, &cache, 0).status, Some(0));
    let made = files(&cache);
    let told = compile(&bench, &cache, VICTIM);
    assert_eq!(told.status, Some(0), "{told:?}");
    assert_eq!(files(&cache), made);
    let own = bench.path(format!("of-{VICTIM}/.cache"));
    assert!(!own.exists());

    // Files that are missing there, here those for another C compiler, are made elsewhere.
    let another = bench.path("another-cc");
    fs::write(&another, "#!/bin/sh\n# another one\nexec cc \"$@\"\n").unwrap();
    mode(&another, 0o755);
    let told = compile_by(&bench, &cache, VICTIM, another.to_str().unwrap());
    assert_eq!(told.status, Some(0), "{told:?}");
    assert_eq!(files(&cache), made);
    assert!(own.join("pgastool").is_dir());
    fs::remove_dir_all(&own).unwrap();

    // A user cannot make it anew there, and does not use it.
    let archive = made.iter().find(|path| path.ends_with("libpgas_upcr.a"));
    mode(archive.unwrap(), 0o666);
    let told = compile(&bench, &cache, VICTIM);
    assert_eq!(told.status, Some(0), "{told:?}");
    assert!(own.join("pgastool").is_dir());
}
