//! Command lines of every launcher, with many processes on several nodes and with a program that is
//! one process.

use super::*;
use pgas_base::shell::shown;
use std::ffi::OsString;

const MANY: Shape = Shape {
    tasks: 10,
    nodes: Some(4),
    cores: 1,
};
const ONE: Shape = Shape {
    tasks: 1,
    nodes: Some(1),
    cores: 8,
};

/// Words after the name of a command, as a person would type them.
fn options_shown(words: &[OsString]) -> String {
    let command = [&[OsString::from("command")], words].concat();
    shown(&command)
        .trim_start_matches("command")
        .trim_start()
        .to_string()
}

fn options(launcher: &Launcher, shape: Shape) -> String {
    (launcher.shape)(&shape).join(" ")
}

#[test]
fn processes_and_nodes() {
    let even = Shape { tasks: 8, ..MANY };
    let anywhere = Shape {
        nodes: None,
        ..MANY
    };
    for (launcher, shape, expected) in [
        (&srun::TABLE, MANY, "--ntasks=10 --nodes=4"),
        (
            &srun::TABLE,
            even,
            "--ntasks=8 --nodes=4 --ntasks-per-node=2",
        ),
        (&srun::TABLE, ONE, "--ntasks=1 --nodes=1 --cpus-per-task=8"),
        (&srun::TABLE, anywhere, "--ntasks=10"),
        (&open_mpi::TABLE, MANY, "-np 10 --map-by ppr:3:node"),
        (&open_mpi::TABLE, ONE, "-np 1 --bind-to none"),
        (&hydra::TABLE, MANY, "-n 10 -ppn 3"),
        (&hydra::TABLE, ONE, "-n 1"),
        (&aprun::TABLE, MANY, "-n 10 -N 3"),
        (&aprun::TABLE, ONE, "-n 1 -d 8"),
        (
            &jsrun::TABLE,
            even,
            "--nrs=8 --tasks_per_rs=1 --cpu_per_rs=1 --rs_per_host=2",
        ),
        (
            &jsrun::TABLE,
            ONE,
            "--nrs=1 --tasks_per_rs=1 --cpu_per_rs=8 --bind=none",
        ),
        (&flux::TABLE, MANY, "--ntasks=10 --nodes=4"),
        (&flux::TABLE, ONE, "--ntasks=1 --nodes=1 --cores-per-task=8"),
        (&upcrun::TABLE, MANY, "-n 10 -N 4"),
        (&upcrun::TABLE, anywhere, "-n 10"),
    ] {
        assert_eq!(options(launcher, shape), expected, "{}", launcher.name);
    }
}

#[test]
fn variables_reach_other_nodes() {
    let variables = [
        ("PGAS_EXPERIMENT".to_string(), OsString::from("/a b,c=d")),
        ("PGAS_THREADS".to_string(), OsString::from("4")),
    ];
    for (launcher, expected) in [
        (&srun::TABLE, "--export=ALL"),
        (&open_mpi::TABLE, "-x PGAS_EXPERIMENT -x PGAS_THREADS"),
        (
            &hydra::TABLE,
            "-genv PGAS_EXPERIMENT '/a b,c=d' -genv PGAS_THREADS 4",
        ),
        (
            &aprun::TABLE,
            "-e 'PGAS_EXPERIMENT=/a b,c=d' -e PGAS_THREADS=4",
        ),
        (
            &jsrun::TABLE,
            "-E 'PGAS_EXPERIMENT=/a b,c=d' -E PGAS_THREADS=4",
        ),
    ] {
        let words = (launcher.environment)(&variables, &mut Vec::new());
        assert_eq!(options_shown(&words), expected, "{}", launcher.name);
    }
    for (given, expected) in [
        (
            &["--export=NONE"][..],
            "--export=PGAS_EXPERIMENT,PGAS_THREADS",
        ),
        (
            &["--export", "HOME"],
            "--export=HOME,PGAS_EXPERIMENT,PGAS_THREADS",
        ),
        (&["-v", "--export=ALL,A=1"], "--export=ALL,A=1"),
    ] {
        let mut options: Vec<OsString> = given.iter().map(OsString::from).collect();
        let words = (srun::TABLE.environment)(&variables, &mut options);
        assert_eq!(options_shown(&words), expected);
        assert!(!options_shown(&options).contains("export"), "{options:?}");
    }
}

#[test]
fn statuses_are_explained() {
    let said = |launcher: &Launcher, status| (launcher.status)(status).unwrap_or_default();
    assert!(said(&srun::TABLE, 139).contains("SIGSEGV"));
    assert!(said(&srun::TABLE, 253).contains("memory"));
    assert_eq!(said(&srun::TABLE, 3), "");
    assert!(said(&hydra::TABLE, 11).contains("SIGSEGV"));
    assert!(said(&hydra::TABLE, 3).contains("\"or\""));
    for launcher in ALL {
        for status in 1..=255 {
            let _ = (launcher.status)(status);
        }
    }
}
