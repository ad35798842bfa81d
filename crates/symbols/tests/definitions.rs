//! Where functions are defined, as debug information of several compilers' languages and options
//! says it.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};
use pgas_symbols::{Frame, ModuleName, Symbols, Wanted};

const C: &str = "#include <stdio.h>

__attribute__((noinline, noclone, used))
int sum(const int *numbers, int count) {
  int all = 0;
  for (int i = 0; i < count; i++)
    all += numbers[i] * numbers[i];
  return all;
}

int main(int count, char **words) {
  int numbers[3] = {count, 5, 7};
  return printf(\"%d\\n\", sum(numbers, 3)) == 0;
}
";

const CPP: &str = "namespace space {
struct Thing {
  int value;
  int twice(int more) const;
  template <typename T> T scaled(T by) const {
    return by * value;
  }
};

int Thing::twice(int more) const {
  return 2 * value + more;
}
}

int main(int count, char **) {
  space::Thing thing = {count};
  return thing.twice(1) > 7 || thing.scaled(2.0) > 3;
}
";

const FORTRAN: &str = "module solver
contains
  subroutine step(x)
    integer, intent(inout) :: x
    x = x + 1
  end subroutine
end module

subroutine finish(x)
  integer, intent(inout) :: x
  x = x * 2
end subroutine

program hello
  use solver
  integer :: i
  i = 1
  call step(i)
  call finish(i)
  print *, i
end program
";

fn compile(
    directory: &Path,
    compiler: &str,
    name: &str,
    source: &str,
    options: &[&str],
) -> PathBuf {
    std::fs::create_dir_all(directory.join("src")).unwrap();
    std::fs::write(directory.join("src").join(name), source).unwrap();
    let output = Command::new(compiler)
        .current_dir(directory)
        .arg("-Wl,--build-id")
        .args(options)
        .args(["-o", "prog"])
        .arg(format!("src/{name}"))
        .output()
        .expect(compiler);
    assert!(output.status.success(), "{output:?}");
    directory.join("prog")
}

/// The addresses of the functions with these symbols, and their definitions as debug information
/// has them: name, file and line.
fn definitions(program: &Path, symbols: &[&str]) -> Vec<(String, String, u32)> {
    let bytes = std::fs::read(program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let id = file.build_id().unwrap().unwrap();
    let name = ModuleName {
        path: program.to_str().unwrap().into(),
        build_id: id.iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let address = |name: &&str| {
        let mut symbols = file.symbols();
        symbols
            .find(|symbol| symbol.name() == Ok(name))
            .expect(name)
            .address()
    };
    let addresses: Vec<u64> = symbols.iter().map(address).collect();
    let wanted = Wanted {
        functions: addresses.iter().copied().collect(),
        ..Wanted::default()
    };
    let mut symbols = Symbols::default();
    symbols.resolve(&name, &wanted, None);
    let directory = program.parent().unwrap();
    symbols.save(directory).unwrap();
    assert_eq!(Symbols::load(directory).unwrap().as_ref(), Some(&symbols));
    let frame = |address: &u64| {
        let Frame {
            function,
            file,
            line,
        } = symbols.function(&name, *address).unwrap().clone();
        let file = file.as_deref().unwrap_or_default();
        let below = Path::new(file).strip_prefix(directory);
        let file = below.map_or(file.to_owned(), |below| below.display().to_string());
        (
            function.as_deref().unwrap_or_default().to_owned(),
            file,
            line,
        )
    };
    if !symbols
        .module(&name)
        .unwrap()
        .functions
        .values()
        .all(|f| f.file.is_none())
    {
        let known = symbols.module(&name).unwrap().directory.as_deref();
        assert_eq!(known, directory.to_str());
    }
    addresses.iter().map(frame).collect()
}

fn all(expected: &[(&str, &str, u32)]) -> Vec<(String, String, u32)> {
    let owned = |&(name, file, line): &(&str, &str, u32)| (name.into(), file.into(), line);
    expected.iter().map(owned).collect()
}

#[test]
fn of_c() {
    for options in [
        &["-O0", "-g"][..],
        &["-O3", "-g1"],
        &["-O2", "-g", "-gz"],
        &["-O2", "-g", "-flto"],
        &["-O2", "-gdwarf-4"],
    ] {
        let directory = tempfile::tempdir().unwrap();
        let program = compile(directory.path(), "cc", "prog.c", C, options);
        let found = definitions(&program, &["sum", "main"]);
        let expected = all(&[("sum", "src/prog.c", 4), ("main", "src/prog.c", 11)]);
        assert_eq!(found, expected, "{options:?}");
    }
}

#[test]
fn of_cpp() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), "c++", "prog.cc", CPP, &["-O0", "-g"]);
    let symbols = [
        "_ZNK5space5Thing5twiceEi",
        "_ZNK5space5Thing6scaledIdEET_S2_",
        "main",
    ];
    let found = definitions(&program, &symbols);
    assert_eq!(
        found[0],
        (
            "space::Thing::twice(int) const".into(),
            "src/prog.cc".into(),
            10
        )
    );
    let template = "double space::Thing::scaled<double>(double) const";
    assert_eq!(found[1], (template.into(), "src/prog.cc".into(), 5));
    assert_eq!(found[2], ("main".into(), "src/prog.cc".into(), 15));
}

#[test]
fn of_fortran() {
    if Command::new("gfortran").arg("--version").output().is_err() {
        return;
    }
    for options in [&["-O0", "-g"][..], &["-O2", "-g", "-fno-inline"]] {
        let directory = tempfile::tempdir().unwrap();
        let program = compile(directory.path(), "gfortran", "prog.f90", FORTRAN, options);
        let found = definitions(&program, &["__solver_MOD_step", "finish_", "MAIN__"]);
        let expected = all(&[
            ("solver::step", "src/prog.f90", 3),
            ("finish", "src/prog.f90", 9),
            ("hello", "src/prog.f90", 14),
        ]);
        assert_eq!(found, expected, "{options:?}");
    }
}

#[test]
fn of_programs_that_say_less() {
    let directory = tempfile::tempdir().unwrap();
    let program = compile(directory.path(), "cc", "prog.c", C, &["-O1", "-g0"]);
    let found = definitions(&program, &["sum", "main"]);
    assert_eq!(found, all(&[("sum", "", 0), ("main", "", 0)]));
}
