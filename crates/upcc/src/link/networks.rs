//! Objects for different networks do not meet in a program: they reach shared data in different
//! ways.

use pgas_instrument::network::Network;

use crate::Error;
use crate::unit_note::UnitNote;

/// Checks that the objects with these notes are for `network`, which this command links for.
/// Objects of other compilers have no note and fit every network.
pub fn check(network: Network, notes: &[UnitNote]) -> Result<(), Error> {
    let (fitting, others): (Vec<&UnitNote>, Vec<&UnitNote>) =
        notes.iter().partition(|note| note.network == network);
    if others.is_empty() {
        return Ok(());
    }
    let word = network.word();
    let mut message = match fitting.is_empty() {
        true => format!("these were not compiled for the network that is linked for, {word}:"),
        false => "these were compiled for different networks and cannot be linked together:".into(),
    };
    for note in others.iter().chain(&fitting) {
        message += &format!("\n  {}: {}", note.object, note.network.word());
    }
    message += &format!("\n  this command: {word}\n");
    message += &match fitting.is_empty() {
        true => {
            let theirs = match network {
                Network::Smp => Network::Mpi,
                Network::Mpi => Network::Smp,
            };
            format!(
                "Link them with -network={}, or compile them with -network={word}",
                theirs.word()
            )
        }
        false => "Compile and link all of them with -network=smp, or all with -network=mpi".into(),
    };
    Err(Error::Link(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(object: &str, network: Network) -> UnitNote {
        UnitNote {
            object: object.to_string(),
            threads: None,
            network,
            instrumented: false,
            checked: false,
        }
    }

    #[test]
    fn objects_must_be_for_one_network() {
        let (a, b) = (note("a.o", Network::Mpi), note("b.o", Network::Smp));
        assert!(check(Network::Mpi, &[]).is_ok());
        assert!(check(Network::Mpi, std::slice::from_ref(&a)).is_ok());
        let message = |network, notes: &[UnitNote]| check(network, notes).unwrap_err().to_string();
        let mixed = message(Network::Smp, &[a.clone(), b.clone()]);
        for part in [
            "different networks",
            "a.o: mpi\n  b.o: smp\n  this command: smp",
            "all with -network=mpi",
        ] {
            assert!(mixed.contains(part), "{mixed}");
        }
        let other = message(Network::Smp, std::slice::from_ref(&a));
        assert!(other.contains("Link them with -network=mpi"), "{other}");
        let other = message(Network::Mpi, &[b]);
        assert!(other.contains("b.o: smp\n  this command: mpi"), "{other}");
        assert!(other.contains("compile them with -network=mpi"), "{other}");
    }
}
