//! Checksums of the files of a result, and the run that they are of: numbers that were changed, and
//! files of another run, are not taken for the result of this one. Files of earlier versions have
//! none.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The first fields of a JSON file of a result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    /// SHA-256 of the file without the line that has this field.
    pub checksum: Option<String>,
    /// The run: `id` of `experiment.json`.
    pub run: Option<String>,
    /// SHA-256 of `profile.cube`.
    pub profile: Option<String>,
}

impl Seal {
    /// A seal of the experiment in `directory`.
    pub fn of_run(directory: &Path) -> Self {
        Seal {
            run: run_of(directory),
            ..Seal::default()
        }
    }

    /// The JSON object `text`, written with line breaks, with the fields of this seal before its
    /// own.
    pub fn close(&self, text: &str) -> String {
        let mut sealed = String::from("{\n");
        for (name, value) in [("run", &self.run), ("profile", &self.profile)] {
            if let Some(value) = value {
                sealed += &format!("  \"{name}\": \"{value}\",\n");
            }
        }
        sealed += text.strip_prefix("{\n").unwrap_or(text);
        sealed.push('\n');
        let line = checksum_line(&digest(sealed.as_bytes()));
        sealed.insert_str(2, &line);
        sealed
    }

    /// The seal of a JSON file; `None` if the file was changed after it was written.
    pub fn open(bytes: &[u8]) -> Option<Self> {
        // Of what is no such file, another one says what is wrong.
        let seal: Seal = serde_json::from_slice(bytes).unwrap_or_default();
        let Some(checksum) = &seal.checksum else {
            return Some(seal);
        };
        let rest = bytes.strip_prefix(b"{\n")?;
        let rest = rest.strip_prefix(checksum_line(checksum).as_bytes())?;
        (digest_of(&[b"{\n", rest]) == *checksum).then_some(seal)
    }

    /// Reason why the file cannot be of the experiment in `directory`; `None` without a
    /// contradiction.
    pub fn contradiction(&self, directory: &Path) -> Option<String> {
        let (own, expected) = (self.run.as_ref()?, run_of(directory)?);
        (*own != expected)
            .then(|| format!("it is of run {own}, and experiment.json of run {expected}"))
    }
}

fn checksum_line(checksum: &str) -> String {
    format!("  \"checksum\": \"{checksum}\",\n")
}

/// Identifier of the run of the experiment in `directory`; `None` in experiments of earlier
/// versions.
fn run_of(directory: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Run {
        id: Option<String>,
    }
    let text = pgas_files::read(&directory.join("experiment.json")).ok()?;
    let run: Run = serde_json::from_slice(&text).ok()?;
    let is_plain = |id: &String| id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    run.id.filter(is_plain)
}

/// SHA-256 in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    digest_of(&[bytes])
}

fn digest_of(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hex(hash)
}

fn hex(hash: Sha256) -> String {
    let digest = hash.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes on and computes the digest of what goes through.
pub(crate) struct Hashing<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> Hashing<W> {
    pub fn new(out: W) -> Self {
        let hash = Sha256::new();
        Hashing { out, hash }
    }

    pub fn digest(self) -> String {
        hex(self.hash)
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_breaks_the_seal_wherever_it_is() {
        let seal = Seal {
            checksum: None,
            run: Some("ab12".into()),
            profile: Some("00".into()),
        };
        let text = seal.close("{\n  \"number\": 12\n}");
        let opened = Seal::open(text.as_bytes()).unwrap();
        assert_eq!((&opened.run, &opened.profile), (&seal.run, &seal.profile));
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            let opened = Seal::open(&changed).filter(|seal| seal.checksum.is_some());
            assert_eq!(opened, None, "{at}");
        }
    }

    #[test]
    fn files_without_a_seal_are_as_they_are() {
        for text in ["{\"number\": 1}", "", "7"] {
            assert_eq!(Seal::open(text.as_bytes()), Some(Seal::default()), "{text}");
        }
    }
}
