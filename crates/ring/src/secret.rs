//! The secret of a run, by which its agents and its manager know each other.

use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, Mac};
use sha2::Sha256;

const LENGTH: usize = 32;

/// A secret. Its bytes are in no message.
#[derive(Clone)]
pub struct Secret([u8; LENGTH]);

/// A secret that cannot be made, written or read.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The system has no random numbers.
    #[error("cannot make a secret: {0}")]
    Random(getrandom::Error),
    /// The file cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// Others could have read or written the file.
    #[error(
        "{}: found mode {found:o}, expected 600 and this user: others could know the secret; start \
         the run again",
        path.display()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        found: u32,
    },
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    /// [`SecretError::Random`].
    pub fn new() -> Result<Self, SecretError> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(SecretError::Random)?;
        Ok(Secret(bytes))
    }

    /// Writes it into a new file that only this user can read.
    ///
    /// # Errors
    /// If there is such a file, or the system refuses.
    pub fn save(&self, path: &Path) -> Result<(), SecretError> {
        let mut options = std::fs::OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(path);
        let written = file.and_then(|mut file| file.write_all(&self.0));
        written.map_err(|error| in_file(path, error))
    }

    /// Reads it.
    ///
    /// # Errors
    /// If the file is not there, is not this user's alone, or has another length.
    pub fn load(path: &Path) -> Result<Self, SecretError> {
        let read = || {
            let mut file = std::fs::File::open(path)?;
            let status = file.metadata()?;
            let mut bytes = [0; LENGTH];
            file.read_exact(&mut bytes)?;
            Ok((bytes, status.mode() & 0o777, status.uid()))
        };
        let (bytes, found, user) = read().map_err(|error| in_file(path, error))?;
        let path = path.to_owned();
        match found & 0o077 == 0 && user == own_user() {
            true => Ok(Secret(bytes)),
            false => Err(SecretError::Open { path, found }),
        }
    }

    /// The signature of a message to this path, in hexadecimal digits.
    pub fn sign(&self, path: &str, body: &[u8]) -> String {
        let bytes = self.mac(path, body).finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether this is the signature, in a time that does not depend on how much of it is right.
    pub(crate) fn has_signed(&self, path: &str, body: &[u8], signature: &str) -> bool {
        let digits = signature.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> = digits
            .map(|pair| {
                let text = std::str::from_utf8(pair).ok()?;
                u8::from_str_radix(text, 16).ok()
            })
            .collect();
        bytes.is_some_and(|bytes| self.mac(path, body).verify_slice(&bytes).is_ok())
    }

    fn mac(&self, path: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(&self.0)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        mac.update(path.as_bytes());
        mac.update(&[0]);
        mac.update(body);
        mac
    }
}

fn in_file(path: &Path, error: io::Error) -> SecretError {
    let path = path.to_owned();
    SecretError::File { path, error }
}

/// The user whose directory `/proc/self` is: this one.
fn own_user() -> u32 {
    std::fs::metadata("/proc/self").map_or(u32::MAX, |status| status.uid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_the_same_message_has_the_same_signature() {
        let (one, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        let signature = one.sign("/round", b"body");
        assert!(one.has_signed("/round", b"body", &signature));
        assert!(!one.has_signed("/round", b"bodY", &signature));
        assert!(!one.has_signed("/end", b"body", &signature));
        assert!(!other.has_signed("/round", b"body", &signature));
        for wrong in ["", "zz", "ä", &signature[2..]] {
            assert!(!one.has_signed("/round", b"body", wrong));
        }
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("secret");
        let secret = Secret::new().unwrap();
        secret.save(&path).unwrap();
        assert!(secret.save(&path).is_err());
        let same = Secret::load(&path).unwrap();
        assert!(same.has_signed("/", b"x", &secret.sign("/", b"x")));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        let error = Secret::load(&path).unwrap_err().to_string();
        assert!(error.contains("found mode 640"), "{error}");
    }
}
