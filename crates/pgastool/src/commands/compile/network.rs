//! The network of a `compile` command: the options it adds for the compiler, and what the tool
//! itself derives from it.

use crate::failure::Failure;
use pgas_instrument::compiler::Compiler;
use pgas_instrument::flavour::Flavour;
use pgas_instrument::invocation::Invocation;
use pgas_instrument::network::Network;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The compiler's arguments for the network and the compiler of the MPI that the user has named.
///
/// # Errors
/// If this compiler has no such choice, or its programs no such network.
pub fn arguments(
    compiler: &Compiler,
    network: Option<&str>,
    mpicc: Option<&Path>,
) -> Result<Vec<OsString>, Failure> {
    let embedded = compiler.flavour == Flavour::Embedded;
    let mut arguments = Vec::new();
    if let Some(word) = network {
        let option = option_of(compiler, word)?;
        if embedded {
            Network::parse(word).map_err(|error| Failure::new(error.to_string()))?;
        }
        arguments.push(format!("{option}{word}").into());
    }
    if let Some(path) = mpicc {
        if !embedded {
            return Err(Failure::new(format!(
                "--mpicc is for the compiler that belongs to pgastool, {} given",
                compiler.flavour.table().name
            ))
            .help(
                "leave it out: that compiler knows its MPI; `--upcc embedded` uses the tool's own",
            ));
        }
        let mut argument = OsString::from("-mpicc=");
        argument.push(path);
        arguments.push(argument);
    }
    Ok(arguments)
}

fn option_of(compiler: &Compiler, word: &str) -> Result<&'static str, Failure> {
    let table = compiler.flavour.table();
    table.network.ok_or_else(|| {
        Failure::new(format!(
            "--network {word}: {} has no choice of a network",
            table.name
        ))
        .help(
            "leave --network out, and programs are for the network that this compiler was built \
             for; `--upcc embedded` uses the tool's own, which knows smp and mpi",
        )
    })
}

/// Whether a program of the embedded compiler is linked for MPI: as the option says, else
/// the compiler's own arguments, else the environment. The compiler reports what is wrong there.
pub(super) fn is_over_mpi(network: Option<&str>, invocation: &Invocation) -> bool {
    let given = network.map(String::from).or_else(|| last_named(invocation));
    let network = match given {
        Some(word) => Network::parse(&word).ok(),
        None => Network::of_environment().ok().flatten(),
    };
    network == Some(Network::Mpi)
}

/// The network that the compiler's own arguments name.
fn last_named(invocation: &Invocation) -> Option<String> {
    let is_name = |word: &OsStr| word == "-network" || word == "--network";
    let options = &invocation.options;
    let mut named = options.iter().enumerate().filter_map(|(at, option)| {
        let text = option.to_string_lossy();
        match text.split_once('=') {
            Some((name, value)) if is_name(name.as_ref()) => Some(value.to_string()),
            _ if is_name(option) => Some(options.get(at + 1)?.to_string_lossy().into_owned()),
            _ => None,
        }
    });
    named.next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiler(flavour: Flavour) -> Compiler {
        Compiler {
            path: "upcc".into(),
            flavour,
            version: String::new(),
        }
    }

    #[test]
    fn compilers_with_a_choice_get_it_in_their_spelling() {
        let of = |flavour, network, mpicc: Option<&str>| {
            arguments(&compiler(flavour), network, mpicc.map(Path::new))
                .map_err(|failure| failure.message)
        };
        assert_eq!(
            of(Flavour::Embedded, Some("mpi"), Some("/opt/mpicc")),
            Ok(vec!["-network=mpi".into(), "-mpicc=/opt/mpicc".into()])
        );
        assert_eq!(
            of(Flavour::Berkeley, Some("udp"), None),
            Ok(vec!["-network=udp".into()])
        );
        assert_eq!(of(Flavour::Gnu, None, None), Ok(Vec::new()));
        let refused = |flavour, network, mpicc| of(flavour, network, mpicc).unwrap_err();
        assert!(refused(Flavour::Embedded, Some("udp"), None).contains("'udp' is not a network"));
        assert!(refused(Flavour::Gnu, Some("mpi"), None).contains("GNU UPC has no choice"));
        assert!(refused(Flavour::Berkeley, None, Some("mpicc")).contains("Berkeley UPC given"));
    }

    #[test]
    fn what_the_tool_knows_of_the_network_is_what_counts_for_the_compiler() {
        let over_mpi = |network, line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            is_over_mpi(network, &Invocation::of(&words, Flavour::Embedded.table()))
        };
        assert!(over_mpi(Some("mpi"), "a.upc"));
        assert!(!over_mpi(Some("smp"), "a.upc"));
        for line in ["-network=mpi a.upc", "-O2 -network mpi a.upc"] {
            assert!(over_mpi(None, line), "{line}");
        }
        assert!(!over_mpi(None, "-network=mpi a.upc -network=smp"));
    }
}
