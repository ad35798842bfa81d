//! Calls of the optional libraries, and of what Berkeley UPC has beyond the specification, reach a
//! performance tool: each line of a program makes one call, and a tool that prints its events says
//! what the line was to it.

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Prints line, number of the event and bytes of each beginning.
const ON_EVENT: &str = r#"  size_t bytes = 0;
  int flags = -1;
  if (type != GASP_START) return;
  switch (tag) {
  case GASP_UPC_GET: case GASP_UPC_PUT: flags = va_arg(a, int); /* and the rest as of a copy */
  case GASP_UPC_MEMCPY: case GASP_UPC_MEMGET: case GASP_UPC_MEMPUT: case GASP_UPC_ALL_BROADCAST:
  case GASP_UPC_ALL_SCATTER: case GASP_UPC_ALL_GATHER: case GASP_UPC_ALL_GATHER_ALL:
    va_arg(a, void *), va_arg(a, void *), bytes = va_arg(a, size_t); break;
  case GASP_UPC_MEMSET: va_arg(a, void *), va_arg(a, int), bytes = va_arg(a, size_t); break;
  case GASP_UPC_ALL_PERMUTE: va_arg(a, void *), va_arg(a, void *), va_arg(a, void *), bytes = va_arg(a, size_t); break;
  case GASP_UPC_ALL_REDUCE: case GASP_UPC_ALL_PREFIX_REDUCE:
    va_arg(a, void *), va_arg(a, void *), flags = va_arg(a, int), bytes = va_arg(a, size_t); break;
  default: return;
  }
  printf("event %d %u %d %zu\n", line, tag, flags, bytes);"#;

/// A call, and what it is to a tool: number of the event, the integer among its arguments (whether
/// it is relaxed, the operator; -1 if there is none), and bytes (or elements, of a reduction).
const CALLS: &[(&str, u32, i32, u64)] = &[
    (
        "upc_atomic_relaxed(ints, &i, UPC_ADD, x, &i, NULL)",
        GET,
        1,
        4,
    ),
    (
        "upc_atomic_strict(ints, NULL, UPC_ADD, x, &i, NULL)",
        PUT,
        0,
        4,
    ),
    ("bupc_atomicI_read_strict(x)", GET, 0, 4),
    ("bupc_atomicL_set_relaxed(x, 3)", PUT, 1, 8),
    ("bupc_atomicU32_mswap_relaxed(x, 1, 1)", GET, 1, 4),
    ("bupc_atomicD_fetchadd_strict(x, 1)", GET, 0, 8),
    ("upc_sync(upc_memcpy_nb(x, y, 8))", MEMCPY, -1, 8),
    ("upc_memget_nb(own, x, 12)", MEMGET, -1, 12),
    ("upc_memput_nb(x, own, 16)", MEMPUT, -1, 16),
    ("upc_memset_nb(x, 1, 20)", MEMSET, -1, 20),
    ("upc_memcpy_nbi(x, y, 8)", MEMCPY, -1, 8),
    ("upc_memget_nbi(own, x, 12)", MEMGET, -1, 12),
    ("upc_memput_nbi(x, own, 16)", MEMPUT, -1, 16),
    ("upc_memset_nbi(x, 1, 20)", MEMSET, -1, 20),
    ("bupc_waitsync(bupc_memcpy_async(x, y, 8))", MEMCPY, -1, 8),
    ("bupc_memget_asynci(own, x, 12)", MEMGET, -1, 12),
    ("bupc_memput_async(x, own, 16)", MEMPUT, -1, 16),
    ("bupc_memset_async(x, 1, 20)", MEMSET, -1, 20),
    ("bupc_memget_vlist(1, to, 2, from)", MEMGET, -1, 12),
    ("bupc_memput_vlist_async(2, from, 1, to)", MEMPUT, -1, 12),
    (
        "bupc_memcpy_ilist(2, places, 4, 1, places, 8)",
        MEMCPY,
        -1,
        8,
    ),
    (
        "bupc_memget_fstrided(own, 4, 8, 4, x, 16, 16, 1)",
        MEMGET,
        -1,
        16,
    ),
    (
        "bupc_memput_strided(x, strides, own, strides, count, 1)",
        MEMPUT,
        -1,
        12,
    ),
    ("bupc_memput_signal(x, own, 8, sem, 2)", MEMPUT, -1, 8),
    ("bupc_allv_broadcast(double, 1.5, 0)", 1300, -1, 8),
    ("bupc_allv_scatter(int, 0, own)", 1310, -1, 4),
    ("bupc_allv_gather(int, 1, 0, own)", 1320, -1, 4),
    ("bupc_allv_gather_all(short, 1, shorts)", 1330, -1, 2),
    ("bupc_allv_permute(long, 1, MYTHREAD)", 1350, -1, 8),
    ("bupc_allv_reduce(int, 1, 0, UPC_MAX)", 1400, 256, 2),
    ("bupc_allv_reduce_all(int, 1, UPC_ADD)", 1400, 1, 2),
    ("bupc_allv_prefix_reduce(int, 1, UPC_MULT)", 1410, 2, 2),
];

const GET: u32 = 1111;
const PUT: u32 = 1110;
const MEMGET: u32 = 1030;
const MEMPUT: u32 = 1031;
const MEMCPY: u32 = 1032;
const MEMSET: u32 = 1033;

const DECLARATIONS: &str = r#"
#include <upc.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <bupc_collectivev.h>
shared [] long data[64], other[64];
int main(void) {
    upc_atomicdomain_t *ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    bupc_sem_t *sem = bupc_sem_alloc(0);
    shared void *x = data, *y = other;
    int own[64], i = 1;
    short shorts[64];
    bupc_pmemvec_t to[1] = {{own, 12}};
    bupc_smemvec_t from[2] = {{data, 4}, {other, 8}};
    shared void *places[2] = {data, other};
    size_t strides[1] = {8}, count[2] = {4, 3};
"#;

fn compile(place: &Path, options: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
        .args(options)
        .current_dir(place)
        .status()
        .expect("to start the compiler");
    assert!(status.success(), "{options:?}");
}

#[test]
fn a_tool_sees_calls_of_the_optional_libraries() {
    let place = tempfile::tempdir().expect("a folder");
    let mut text = DECLARATIONS.to_string();
    let mut lines = HashMap::new();
    for call in CALLS {
        lines.insert(text.lines().count() + 1, call);
        text += &format!("    (void)({});\n", call.0);
    }
    text += "    return 0;\n}\n";
    fs::write(place.path().join("calls.upc"), text).expect("to write");
    fs::write(place.path().join("tool.c"), common::gasp_tool(ON_EVENT)).expect("to write");
    compile(place.path(), &["-c", "-w", "tool.c"]);
    compile(
        place.path(),
        &["-inst", "calls.upc", "tool.o", "-o", "calls"],
    );
    let output = Command::new(place.path().join("calls"))
        .env("PGAS_THREADS", "2")
        .output()
        .expect("to start the program");
    assert!(output.status.success(), "{output:?}");
    let mut seen: HashMap<usize, Vec<(u32, i32, u64)>> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, line, tag, flags, bytes] = words[..] else {
            panic!("not understood: {line}");
        };
        let event = (
            tag.parse().expect("a number"),
            flags.parse().expect("a number"),
            bytes.parse().expect("a number"),
        );
        seen.entry(line.parse().expect("a line"))
            .or_default()
            .push(event);
    }
    for (line, &&(call, tag, flags, bytes)) in &lines {
        let events = seen.remove(line).unwrap_or_default();
        assert_eq!(events, vec![(tag, flags, bytes); 2], "{call}");
    }
    assert!(seen.is_empty(), "{seen:?}");
}
