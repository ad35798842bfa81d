//! Values of `--launcher` that are accepted or refused.

use super::*;
use pgas_base::shell::shown;

#[test]
fn what_is_no_launcher_is_refused() {
    for (text, expected) in [
        ("frobnicate -x", "no launcher that pgastool knows"),
        ("srun 'a", "quote"),
        ("", "missing"),
        ("/no/such/mpirun", "cannot ask the launcher"),
    ] {
        match understood(text) {
            Err(failure) => assert!(failure.message.contains(expected), "{}", failure.message),
            Ok(_) => panic!("{text} was taken"),
        }
    }
}

#[test]
fn something_may_stand_in_front_of_a_launcher() {
    match understood("numactl -i all /opt/bin/upcrun -v") {
        Ok(Wish::By(By::Known(launcher, words))) => {
            assert_eq!(launcher.name, "upcrun");
            assert_eq!(shown(&words), "numactl -i all /opt/bin/upcrun -q -v");
        }
        _ => panic!("another launcher"),
    }
}
