//! Networks of programs of the embedded compiler: what the threads of a program are, and how they
//! reach each other's shared data.

/// The environment variable that says for which network to compile where no option does.
pub const VARIABLE: &str = "PGAS_NETWORK";

/// A network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Network {
    /// The threads are processes of one machine, which map the same memory.
    #[default]
    Smp,
    /// Each thread is a process of an MPI program, on one or several nodes.
    Mpi,
}

/// Something else than the word of a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{given}'{source_shown} is not a network; there are smp (all threads on one machine) and mpi \
     (each thread a process that MPI's launcher starts, on one or several nodes)"
)]
pub struct NoNetwork {
    given: String,
    source_shown: &'static str,
}

impl Network {
    /// The word for it in options and notes.
    pub fn word(self) -> &'static str {
        match self {
            Network::Smp => "smp",
            Network::Mpi => "mpi",
        }
    }

    /// The network with this word.
    ///
    /// # Errors
    /// If there is none; the message lists the words.
    pub fn parse(word: &str) -> Result<Self, NoNetwork> {
        [Network::Smp, Network::Mpi]
            .into_iter()
            .find(|network| network.word() == word)
            .ok_or_else(|| NoNetwork {
                given: word.to_string(),
                source_shown: "",
            })
    }

    /// The one that [`VARIABLE`] names; `None` where it is not set.
    ///
    /// # Errors
    /// As [`Network::parse`].
    pub fn of_environment() -> Result<Option<Self>, NoNetwork> {
        let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        let found = Self::parse(&value.to_string_lossy());
        found.map(Some).map_err(|error| NoNetwork {
            source_shown: " (from PGAS_NETWORK)",
            ..error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_others_are_answered_with_the_list() {
        for network in [Network::Smp, Network::Mpi] {
            assert_eq!(Network::parse(network.word()), Ok(network));
        }
        for wrong in ["", "MPI", "udp"] {
            let message = Network::parse(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("'{wrong}' is not a network")));
            assert!(message.contains("smp (") && message.contains("mpi ("));
        }
    }
}
