//! Effects of `#pragma pupc off` and filter files on a program: the lines that a tool hears of are
//! exactly those that are left.

mod common;

use std::collections::BTreeSet;

use common::{Place, gasp_tool};

/// Prints the file and line of every beginning, except those of the runtime's own end.
const ON_EVENT: &str =
    r#"  if (type != GASP_END && line != 0) printf("event %s %d\n", file, line);"#;

/// Places of events as `file:line`.
type Places = BTreeSet<String>;

fn heard(place: &Place, options: &str) -> Places {
    place.upcc_ok(&format!("-inst {options} -T 2 prog.upc tool.o -o prog"));
    let output = place.command("./prog", "").output().unwrap();
    assert!(output.status.success(), "{options}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let events = text.lines().filter_map(|l| l.strip_prefix("event "));
    events.map(|l| l.replace(' ', ":")).collect()
}

/// Lines of a file whose last comment satisfies `is_wanted`.
fn marked(file: &str, text: &str, is_wanted: impl Fn(&str) -> bool) -> Places {
    let lines = text.lines().enumerate();
    let wanted = lines.filter(|(_, l)| {
        l.rsplit_once("// ")
            .is_some_and(|(_, mark)| is_wanted(mark))
    });
    wanted
        .map(|(number, _)| format!("{file}:{}", number + 1))
        .collect()
}

fn place(files: &[(&str, &str)]) -> Place {
    let place = Place::new(files);
    place.write("tool.c", gasp_tool(ON_EVENT));
    place.upcc_ok("-c -w tool.c");
    place
}

const HEADER: &str = r#"
#pragma pupc off
static inline int quiet_helper(shared int *p) { return *p; }
#pragma pupc on
static inline int loud_helper(shared int *p) { // function
    return *p; // on
}
"#;

/// `function`: heard of with -inst-functions; `on`: always; nothing: never.
const SWITCHED: &str = r#"
#include <upc.h>
#include <upc_collective.h>
#include <pupc.h>
#include <bupc_collectivev.h>
#include "helper.h"
shared int a[2 * THREADS], b[2 * THREADS], c[2 * THREADS];
upc_lock_t *lock;
#pragma pupc off
void quiet(void) {
    upc_barrier;
    a[MYTHREAD ^ 1] = 1;
}
#pragma pupc on
void loud(void) { // function
    upc_barrier; // on
    a[MYTHREAD ^ 1] = 1; // on
}
void inner(void) { // function
#pragma pupc off
    upc_barrier 3;
    upc_notify 1;
    upc_wait 1;
    upc_fence;
    int got = a[MYTHREAD ^ 1] + quiet_helper(&a[MYTHREAD ^ 1]);
    a[MYTHREAD ^ 1] += got;
    upc_memget(&got, &a[MYTHREAD ^ 1], sizeof got);
    upc_lock(lock);
    upc_unlock(lock);
    upc_all_broadcast(b, c, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_all_reduceI(b, a, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    got = bupc_allv_reduce_all(int, got, UPC_ADD);
    {
#pragma pupc on
        upc_barrier; // on
        got = bupc_allv_reduce_all(int, got, UPC_ADD); // on
    }
    upc_barrier;
    _Pragma("pupc on")
    upc_barrier; // on
}
#define BARRIER_OF_A_MACRO upc_barrier
int main(void) { // function
    unsigned event = pupc_create_event("phase", "");
    lock = upc_all_lock_alloc(); // on
    quiet();
    loud();
    inner();
    if (MYTHREAD >= 0)
#pragma pupc off
        upc_barrier;
    BARRIER_OF_A_MACRO;
    pupc_event_start(event); // on
    pupc_event_end(event);
#pragma pupc on
    BARRIER_OF_A_MACRO; // on
    return loud_helper(&a[MYTHREAD ^ 1]) * 0;
}
"#;

#[test]
fn a_pragma_switches_off_what_follows_it() {
    let place = place(&[("prog.upc", SWITCHED), ("helper.h", HEADER)]);
    let expected = |wanted: &[&str]| {
        let is_wanted = |mark: &str| wanted.contains(&mark);
        let mut places = marked("prog.upc", SWITCHED, is_wanted);
        places.extend(marked("helper.h", HEADER, is_wanted));
        places
    };
    for options in ["", "-fupc-check", "-inst-local -O2"] {
        assert_eq!(heard(&place, options), expected(&["on"]), "{options}");
    }
    assert_eq!(
        heard(&place, "-inst-functions"),
        expected(&["on", "function"])
    );
}

/// Each line, and the operation that it is in reports.
const OPERATIONS: &str = r#"
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_io.h>
#include <bupc_collectivev.h>
shared int a[2 * THREADS], b[2 * THREADS], c[2 * THREADS];
#define SYNC UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC
int main(void) {
    int got, next = MYTHREAD ^ 1;
    upc_atomicdomain_t *ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    upc_lock_t *lock = upc_all_lock_alloc(); // upc_all_lock_alloc
    upc_lock_t *own = upc_global_lock_alloc(); // upc_global_lock_alloc
    upc_lock(lock); // upc_lock
    upc_unlock(lock); // upc_unlock
    (void)upc_lock_attempt(own); // upc_lock_attempt
    upc_lock_free(own); // upc_lock_free
    upc_all_lock_free(lock); // upc_all_lock_free
    shared void *all = upc_all_alloc(THREADS, 4); // upc_all_alloc
    shared void *global = upc_global_alloc(THREADS, 4); // upc_global_alloc
    shared void *mine = upc_alloc(4); // upc_alloc
    upc_free(mine); // upc_free
    upc_free(global); // upc_free
    upc_all_free(all); // upc_all_free
    upc_notify; // upc_notify
    upc_wait; // upc_wait
    upc_barrier; // upc_barrier
    upc_fence; // upc_fence
    got = a[next]; // upc_get
    a[next] = got; // upc_put
    upc_memget(&got, &a[next], 4); // upc_memget
    upc_memput(&a[next], &got, 4); // upc_memput
    upc_memcpy(&a[next], &b[next], 4); // upc_memcpy
    upc_memset(&a[next], 0, 4); // upc_memset
    upc_sync(upc_memget_nb(&got, &a[next], 4)); // upc_memget
    upc_memput_nbi(&a[next], &got, 4); // upc_memput
    bupc_memcpy_asynci(&a[next], &b[next], 4); // upc_memcpy
    upc_atomic_relaxed(ints, &got, UPC_ADD, &a[next], &got, NULL); // upc_get
    upc_atomic_strict(ints, NULL, UPC_ADD, &a[next], &got, NULL); // upc_put
    got = bupc_atomicI_fetchadd_strict(&a[next], 1); // upc_get
    bupc_atomicI_set_relaxed(&a[next], 1); // upc_put
    upc_all_broadcast(b, c, 4, SYNC); // upc_all_broadcast
    upc_all_scatter(b, c, 4, SYNC); // upc_all_scatter
    upc_all_gather(b, c, 4, SYNC); // upc_all_gather
    upc_all_gather_all(b, c, 4, SYNC); // upc_all_gather_all
    upc_all_exchange(b, c, 4, SYNC); // upc_all_exchange
    upc_all_reduceI(b, c, UPC_ADD, THREADS, 1, NULL, SYNC); // upc_all_reduce
    upc_all_prefix_reduceI(b, c, UPC_ADD, THREADS, 1, NULL, SYNC); // upc_all_prefix_reduce
    got = bupc_allv_gather_all(int, 1, (int[2]){0}) != 0; // upc_all_gather_all
    got = bupc_allv_reduce_all(int, 1, UPC_ADD); // upc_all_reduce
    got = bupc_allv_prefix_reduce(int, 1, UPC_ADD); // upc_all_prefix_reduce
    got = bupc_allv_permute(int, 1, next); // upc_all_permute
    upc_file_t *f = upc_all_fopen("file", UPC_WRONLY | UPC_INDIVIDUAL_FP | UPC_CREATE, 0, NULL); // upc_all_fread/fwrite
    upc_all_fclose(f); // upc_all_fread/fwrite
    return 0;
}
"#;

#[test]
fn a_filter_leaves_each_operation_out() {
    let place = place(&[("prog.upc", OPERATIONS)]);
    let names: BTreeSet<&str> = OPERATIONS
        .lines()
        .filter_map(|l| Some(l.rsplit_once("// ")?.1))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    assert!(names.len() > 30, "{names:?}");
    assert_eq!(heard(&place, ""), marked("prog.upc", OPERATIONS, |_| true));
    // Any two operations are on different sides of some of these filters.
    for bit in 0..6 {
        let excluded: Vec<&str> = (0..names.len())
            .filter(|number| number >> bit & 1 == 1)
            .map(|number| names[number])
            .collect();
        place.write(
            "some.filter",
            format!(
                "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE * {}\nSCOREP_REGION_NAMES_END\n",
                excluded.join(" ")
            ),
        );
        let checked = if bit == 0 { "-fupc-check" } else { "" };
        assert_eq!(
            heard(&place, &format!("-inst-filter some.filter {checked}")),
            marked("prog.upc", OPERATIONS, |name| !excluded.contains(&name)),
            "{excluded:?}"
        );
    }
}
