//! Compilers of sites, played by scripts around the embedded one: they answer, demand and refuse what the real ones are
//! documented to, and their programs go through the whole cycle.

use crate::bench::{contains, last_line, tools, Bench, Told, UNEVEN};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn script(bench: &Bench, name: &str, text: &str) {
    bench.write(name, format!("#!/bin/sh\n{text}"));
    fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// Berkeley's `upcc` and `upcrun`.
fn berkeley(bench: &Bench) {
    fs::create_dir(bench.path("site")).unwrap();
    script(
        bench,
        "site/upcc",
        &format!(
            r#"case "$1" in
  -version) echo "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0"; exit 0 ;;
  --version|-V) echo "upcc: unknown option $1" >&2; exit 1 ;;
esac
inst=no named=no
for a; do
  shift
  case "$a" in
    -inst) inst=yes; set -- "$@" -inst ;;
    -inst-toolname=?*) named=yes ;;
    -lines) ;;
    *) set -- "$@" "$a" ;;
  esac
done
if [ $inst = yes ] && [ $named = no ]; then
  echo "upcc: call the GASP-based performance tool's compile wrapper instead" >&2; exit 1
fi
# The embedded runtime has the functions of the tool's UPC file itself; Berkeley's has not. The tool's come first.
exec '{}/pgas-upcc' "$@" -Wl,--allow-multiple-definition
"#,
            tools().display()
        ),
    );
    script(
        bench,
        "site/upcrun",
        "[ \"$1\" = -q ] && [ \"$2\" = -n ] || exit 9\nPGAS_THREADS=$3; export PGAS_THREADS\nshift 3\necho started by upcrun\nexec \"$@\"\n",
    );
}

fn with_site(bench: &Bench, arguments: &[&str]) -> Told {
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", bench.path("site").display());
    Told::of(bench.command(arguments).env("PATH", path))
}

#[test]
fn the_sites_compiler_is_preferred_and_its_programs_are_measured() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    let compiled = with_site(
        &bench,
        &["compile", "--verbose", "-O2", "-o", "prog", "prog.upc"],
    );
    assert_eq!(compiled.status, Some(0), "{}", compiled.err);
    contains(
        &compiled.err,
        &[
            "site/upcc",
            "-inst -inst-toolname=pgastool -lines -inst-functions -O2 -o prog prog.upc",
            "pgas_upc_query.upc",
        ],
    );
    let run = with_site(&bench, &["run", "-n", "2", "./prog"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    contains(&run.out, &["started by upcrun", "sum 10"]);
    bench.ok(&["analyze", last_line(&run.out)]);
    let report = bench.json();
    assert_eq!(report["threads"], 2);
    assert!(
        report["metrics"]["wait_at_barrier"]["total"]
            .as_f64()
            .unwrap()
            > 0.005
    );

    let embedded = with_site(
        &bench,
        &["compile", "--upcc", "embedded", "--show", "-c", "prog.upc"],
    );
    contains(&embedded.out, &["pgas-upcc"]);
    let mut named = bench.command(&["compile", "--show", "-c", "prog.upc"]);
    let named = Told::of(named.env("PGAS_UPCC", bench.path("site/upcc")));
    contains(&named.out, &["site/upcc"]);
}

#[test]
fn what_a_compiler_cannot_do_is_said() {
    let bench = Bench::new();
    berkeley(&bench);
    bench.write("prog.upc", UNEVEN);
    bench.write(
        "f",
        "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE work\nSCOREP_REGION_NAMES_END\n",
    );
    let told = with_site(
        &bench,
        &["compile", "--filter", "f", "--show", "-c", "prog.upc"],
    );
    contains(
        &told.err,
        &["warning: ", "Berkeley UPC", "`pgastool run --filter`"],
    );

    script(&bench, "cray", "echo 'Cray C : Version 8.7.3'\n");
    let err = bench.refused(&["compile", "--upcc", "./cray", "prog.upc"]);
    contains(&err, &["Cray", "--upcc embedded"]);
    let told = bench.told(&[
        "compile",
        "--upcc",
        "./cray",
        "--no-instrument",
        "--show",
        "prog.upc",
    ]);
    assert_eq!(told.status, Some(0), "{}", told.err);
}
