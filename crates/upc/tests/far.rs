//! The C for several nodes: where accesses have tests, and what cannot be compiled.

mod common;

use pgas_upc::{Options, compile};

/// The C of a program, without the runtime's header; or the messages.
fn compiled(text: &str, several_nodes: bool) -> Result<String, Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.upc");
    std::fs::write(&path, text).expect("a file");
    let source = common::preprocess(&path, None, false);
    let options = Options {
        name: path.display().to_string(),
        several_nodes,
        ..Default::default()
    };
    let output = compile(&source, &options)
        .map_err(|messages| messages.into_iter().map(|m| m.message).collect::<Vec<_>>())?;
    let mark = format!("\"{}\"", path.display());
    let begin = output.c.rfind(&mark).expect("the program's own lines");
    Ok(output.c[begin..].to_owned())
}

fn far(text: &str) -> String {
    compiled(text, true).expect("a program")
}

#[test]
fn numbers_go_through_functions_with_a_test() {
    let c = far("shared double x; double f(void) { x = 1; return x; }\n");
    assert!(c.contains("upcr_write_double(upcr_obj_x.addr,  1)"), "{c}");
    assert!(
        c.contains("return upcr_read_double(upcr_obj_x.addr)"),
        "{c}"
    );
}

#[test]
fn own_elements_have_none() {
    let c = far(
        "shared double x[8 * THREADS]; void f(void) { int i; upc_forall (i = 0; i < 8 * \
                 THREADS; i++; &x[i]) x[i] = i; }\n",
    );
    assert_eq!(c.matches("upcr_write_double").count(), 1, "{c}");
    assert!(c.contains("[upcr_x"), "{c}");
}

#[test]
fn operands_that_are_not_evaluated_have_none() {
    let c = far(
        "shared int x[THREADS]; unsigned long n = sizeof(x[0]); shared int *f(void) { \
                 __typeof__(x[1]) y; (void)sizeof(y = x[0]); return &x[1]; }\n",
    );
    assert!(!c.contains("upcr_read"), "{c}");
    assert!(!c.contains("upcr_is_near"), "{c}");
}

#[test]
fn shared_data_is_no_operand_that_assembly_writes() {
    for (constraint, is_wrong) in [("=r", true), ("+r", true), ("m", true), ("r", false)] {
        let operands = match constraint.starts_with(['=', '+']) {
            true => format!("\"{constraint}\"(x)"),
            false => format!(": \"{constraint}\"(x)"),
        };
        let text =
            format!("shared int x; void f(void) {{ __asm__ volatile(\"\" : {operands}); }}\n");
        assert_eq!(compiled(&text, true).is_err(), is_wrong, "{constraint}");
        assert!(compiled(&text, false).is_ok(), "{constraint}");
    }
}
