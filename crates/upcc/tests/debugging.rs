//! Programs in a debugger: a line for every statement, also where it was written anew for shared
//! data, the program's names, and the types of shared objects.

mod common;

use common::Place;
use std::collections::BTreeSet;

/// Statements with shared data carry a mark.
const PROGRAM: &str = r#"#include <upc.h>
#define SET(array, index, value) array[index] = value
typedef struct { int x; double y; } pair;
shared int cyclic[8 * THREADS];
shared [4] double blocked[8 * THREADS];
shared [] int on_zero[8];
shared pair point;
shared [4] double *walker;

int sum(shared int *from, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) {
    int value = from[i];            // mark
    total += value;
  }
  return total;
}

int main(int argc, char **argv) {
  int i;
  int mine = MYTHREAD * 10;         // mark
  upc_forall (i = 0; i < 8 * THREADS; i++; &cyclic[i]) { // mark
    int square = i * i;
    cyclic[i] = square;             // mark
  }
  upc_forall (i = 0; i < 8 * THREADS; i++; &blocked[i])
    blocked[i] = i / 2.0;           // mark
  upc_forall (i = 0; i < 8; i += 3; i / 2)
    on_zero[i] += mine;             // mark
  upc_barrier 1;                    // mark
  if (MYTHREAD == 0) {
    SET(on_zero, 3, 33);            // mark
    point.x = 5;                    // mark
    walker = &blocked[5];           // mark
    walker++;                       // mark
    SET(on_zero,                    // mark
        4,
        44);
  }
  upc_notify;                       // mark
  upc_fence;
  upc_wait;                         // mark
  return sum(cyclic, 8) < 0;        // mark
}
"#;

/// Lines of the program's own file in the line table of assembly.
fn lines(assembly: &str) -> BTreeSet<usize> {
    let is_own = |line: &str| line.contains("\"d.upc\"");
    // `.file 1 "d.upc"`, with the directory before the name or not.
    let numbers: BTreeSet<&str> = assembly
        .lines()
        .filter(|line| line.trim_start().starts_with(".file") && is_own(line))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assembly
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let is_line = words.next() == Some(".loc") && numbers.contains(words.next()?);
            is_line.then(|| words.next()?.parse().ok())?
        })
        .collect()
}

#[test]
fn every_statement_with_shared_data_has_its_line() {
    let place = Place::new(&[("d.upc", PROGRAM)]);
    let marked = PROGRAM
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains("// mark"));
    let marked: Vec<usize> = marked.map(|(n, _)| n + 1).collect();
    for options in [
        "-O0",
        "-Og",
        "-O2",
        "-O0 -T 4",
        "-O2 -T 4",
        "-O0 -inst -inst-functions",
    ] {
        place.upcc_ok(&format!("-g {options} -S d.upc"));
        let found = lines(&place.read("d.s"));
        let missing: Vec<_> = marked.iter().filter(|n| !found.contains(n)).collect();
        assert!(
            missing.is_empty(),
            "{options}: no code for lines {missing:?}"
        );
    }
}

#[test]
fn names_are_those_of_the_program() {
    let place = Place::new(&[("d.upc", PROGRAM)]);
    place.upcc_ok("-g -O0 -S d.upc");
    let assembly = place.read("d.s");
    for name in ["main", "argc", "mine", "square", "value", "total", "from"] {
        assert!(
            assembly.contains(&format!(".string\t\"{name}\"")),
            "no debugging information about {name}"
        );
    }
    // A breakpoint at main stops in the program's.
    assert!(assembly.contains("\nmain:\n"));
    // The type of these tells the type of the elements.
    for object in ["cyclic", "blocked", "on_zero", "point"] {
        assert!(assembly.contains(&format!(".string\t\"upcr_ref_{object}\"")));
    }
}

#[test]
fn the_runtime_is_stepped_over() {
    let place = Place::new(&[("d.upc", PROGRAM)]);
    place.upcc_ok("-g d.upc");
    let listed = place.command("readelf", "--debug-dump=decodedline a.out");
    let listed = common::text(&{ listed }.output().unwrap().stdout);
    assert!(listed.contains("d.upc"));
    assert!(!listed.contains("barrier.c") && !listed.contains("start.c"));
}
