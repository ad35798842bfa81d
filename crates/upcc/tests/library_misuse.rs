//! Wrong calls of the optional libraries end the program with one message that says which call, on
//! which thread, and what is wrong with it. One program has all the cases.

use std::fs;
use std::process::Command;

/// Statement, and what the message says. Thread 0 of two executes it, except where `ALL` begins it.
const CASES: &[(&str, &str)] = &[
    (
        "upc_atomic_relaxed(ints, &i, UPC_GET | UPC_ADD, x, &i, NULL);",
        "thread 0: upc_atomic_relaxed of UPC_GET|UPC_ADD on UPC_INT is more than one operation",
    ),
    (
        "upc_atomic_relaxed(ints, &i, 1 << 20, x, &i, NULL);",
        "of 0x100000 on UPC_INT is not in the domain, which has UPC_GET|UPC_CSWAP|UPC_ADD",
    ),
    (
        "upc_atomic_strict(ints, NULL, UPC_GET, x, NULL, NULL);",
        "upc_atomic_strict of UPC_GET on UPC_INT has nowhere to store the value",
    ),
    (
        "upc_atomic_strict(ints, NULL, UPC_ADD, x, NULL, NULL);",
        "of UPC_ADD on UPC_INT has no first operand",
    ),
    (
        "upc_atomic_strict(ints, NULL, UPC_CSWAP, x, &i, NULL);",
        "of UPC_CSWAP on UPC_INT has no second operand",
    ),
    (
        "upc_atomic_strict(NULL, NULL, UPC_ADD, x, &i, NULL);",
        "upc_atomic_strict with a null pointer for its domain",
    ),
    (
        "upc_atomic_strict((upc_atomicdomain_t *)x, NULL, UPC_ADD, x, &i, NULL);",
        "upc_atomic_strict with something that is not an atomic domain, or was freed",
    ),
    (
        "ALL upc_all_atomicdomain_free(ints); upc_barrier; upc_atomic_strict(ints, NULL, UPC_ADD, \
         x, &i, NULL);",
        "something that is not an atomic domain, or was freed",
    ),
    (
        "ALL upc_all_atomicdomain_alloc(UPC_CHAR, UPC_ADD, 0);",
        "upc_all_atomicdomain_alloc for the type 1, which has no atomic operations",
    ),
    (
        "ALL upc_all_atomicdomain_alloc(UPC_INT, 0, 0);",
        "upc_all_atomicdomain_alloc for UPC_INT with the operations 0x0, which are none",
    ),
    (
        "ALL upc_all_atomicdomain_alloc(MYTHREAD ? UPC_INT : UPC_LONG, UPC_ADD, 0);",
        "thread 1: upc_all_atomicdomain_alloc with other arguments than on thread 0",
    ),
    (
        "upc_handle_t h; *(long *)&h = 7; upc_sync_attempt(h);",
        "upc_sync_attempt of a handle (0x7) that no transfer has returned",
    ),
    (
        "bupc_handle_t h[2] = {0}; *(long *)&h[1] = 9; bupc_waitsync_all(h, 2);",
        "bupc_waitsync_all of a handle (0x9) that no transfer has returned",
    ),
    (
        "bupc_end_accessregion();",
        "bupc_end_accessregion, but no region has begun",
    ),
    (
        "bupc_begin_accessregion(); bupc_begin_accessregion();",
        "bupc_begin_accessregion, but the region before has not ended",
    ),
    (
        "bupc_memget_fstrided(own, 4, 4, 3, x, 8, 8, 1);",
        "bupc_memget_fstrided with more bytes at its destination than at its source",
    ),
    (
        "bupc_memput_ilist(1, &x, 8, 3, (const void *const *)lists, 4);",
        "bupc_memput_ilist with more bytes at its source than at its destination",
    ),
    ("bupc_sem_wait(NULL);", "bupc_sem_wait of a null pointer"),
    (
        "bupc_sem_post((bupc_sem_t *)x);",
        "bupc_sem_post of something that is not a semaphore, or was freed",
    ),
    (
        "bupc_sem_free(sem); bupc_sem_try(sem);",
        "bupc_sem_try of something that is not a semaphore, or was freed",
    ),
    (
        "bupc_sem_postN(sem, BUPC_SEM_MAXVALUE); bupc_sem_post(sem);",
        "bupc_sem_post raises a semaphore's value to 2147483648, more than BUPC_SEM_MAXVALUE",
    ),
    (
        "bupc_sem_waitN(bupc_sem_alloc(BUPC_SEM_BOOLEAN), 2);",
        "bupc_sem_waitN for a value of 2, but the semaphore's value cannot be more than 1",
    ),
    (
        "bupc_sem_alloc(BUPC_SEM_BOOLEAN | BUPC_SEM_INTEGER);",
        "bupc_sem_alloc with both BUPC_SEM_BOOLEAN and BUPC_SEM_INTEGER",
    ),
    (
        "ALL bupc_allv_broadcast(int, 1, 2);",
        "bupc_allv_broadcast (misuse.upc:12) with the thread 2, expected 0 to 1",
    ),
    (
        "ALL bupc_allv_reduce_all(double, 1, UPC_XOR);",
        "bupc_allv_reduce_all (misuse.upc:12) has no operator 16 for this type of values",
    ),
    (
        "ALL if (MYTHREAD) upc_barrier; else bupc_allv_reduce_all(int, 1, UPC_ADD);",
        "is at a bupc_allv_ operation",
    ),
    (
        "ALL upc_all_sort(NULL, 4, 4, 1, compare, 0);",
        "the array of upc_all_sort is a null pointer",
    ),
    (
        "ALL upc_all_sort(data, 4, 4, 1, NULL, 0);",
        "upc_all_sort has no function",
    ),
    (
        "bupc_thread_distance(0, THREADS);",
        "bupc_thread_distance of the threads 0 and 2, expected 0 to 1",
    ),
    (
        "bupc_local_to_shared(own, 0, 0);",
        "on thread 0, which is not shared memory",
    ),
];

const BEGIN: &str = "#include <upc.h>
#include <upc_atomic.h>
#include <upc_nb.h>
#include <bupc_collectivev.h>
#include <stdlib.h>
shared [] int data[64]; shared void *x; int own[64], i; const void *lists[3] = {own, own, own};
int compare(shared void *a, shared void *b) { return 0; }
int main(int argc, char **argv) {
upc_atomicdomain_t *ints = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET | UPC_CSWAP, 0);
bupc_sem_t *sem = bupc_sem_alloc(0); x = data;
switch (atoi(argv[1])) {
";

#[test]
fn wrong_calls_end_with_a_message() {
    let place = tempfile::tempdir().expect("a folder");
    let mut text = BEGIN.to_string();
    for (number, (statement, _)) in CASES.iter().enumerate() {
        let (condition, statement) = match statement.strip_prefix("ALL ") {
            Some(rest) => ("", rest),
            None => ("if (MYTHREAD == 0) ", *statement),
        };
        text += &format!("#line 12\ncase {number}: {condition}{{ {statement} }} break;\n");
    }
    text += "}\nupc_barrier; return 0;\n}\n";
    fs::write(place.path().join("misuse.upc"), text).expect("to write");
    let status = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"))
        .args(["-w", "misuse.upc", "-o", "misuse"])
        .current_dir(place.path())
        .status()
        .expect("to start the compiler");
    assert!(status.success());
    for (number, (statement, message)) in CASES.iter().enumerate() {
        let output = Command::new(place.path().join("misuse"))
            .arg(number.to_string())
            .env("PGAS_THREADS", "2")
            .output()
            .expect("to start the program");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{statement}: {said}");
        assert!(
            said.contains(message) && said.lines().count() == 1,
            "{statement}\nexpected: {message}\nfound: {said}"
        );
    }
}
