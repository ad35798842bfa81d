//! Collects the source text that a result is about: every file that a call path names, where it can
//! be found, within bounds. Files that are not read are listed with the reason. Only plain files
//! are opened, so that nothing waits and no device is touched, whatever a program calls its
//! sources; and since a program can call any file a source, only those are kept that are known to
//! be sources: below its directory, below one that the user names, or with the content that was
//! compiled.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use pgas_cube::model::Cube;

use super::{SourceContent, SourceFile, SourceNote, Sources};
use crate::files::digest;

/// Bytes of the largest file that is kept.
pub const MOST_OF_A_FILE: u64 = 4 << 20;
/// Bytes of all files together.
pub const MOST_OF_ALL: u64 = 64 << 20;
/// Where files lie that belong to the system, not to the program.
const OF_THE_SYSTEM: [&str; 4] = ["/usr/include", "/usr/lib", "/usr/local/include", "/opt/rh"];

/// Begins the reason of a file that was found and is not kept.
pub(super) const LEFT_OUT: &str = "left out: ";
/// Read permission of the group and of all others.
const OTHERS_READ: u32 = 0o044;

/// Where to look, and what there is to compare with.
#[derive(Debug, Default)]
pub struct Gathering<'a> {
    /// Directories that the user named, in which also files lie that were compiled elsewhere: they
    /// are looked for by ever shorter ends of their names.
    pub named: Vec<PathBuf>,
    /// Directories that relative names may be relative to, best first.
    pub relative_to: Vec<PathBuf>,
    /// Directories whose files are sources of the program.
    pub own: Vec<PathBuf>,
    /// Digests of the files that the program was compiled from, SHA-256 in hexadecimal digits:
    /// they are its sources wherever they lie.
    pub compiled: &'a [String],
    /// All files that this user can read may be taken: the text is only shown to them, and kept
    /// nowhere.
    pub any_file: bool,
    /// When the run began; files that are newer have been changed.
    pub started: Option<SystemTime>,
    /// Texts that an earlier analysis of the same run kept. A file that is gone or changed since
    /// is taken from there.
    pub earlier: Option<&'a Sources>,
}

impl Gathering<'_> {
    /// The texts of all files that call paths of `cube` name.
    pub fn gather(&self, cube: &Cube) -> Sources {
        let names = cube.call_paths.iter().map(|path| path.file.as_str());
        let names: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
        let mut left = MOST_OF_ALL;
        let files = names.into_iter().map(|name| self.file(name, &mut left));
        Sources {
            files: files.collect(),
        }
    }

    fn file(&self, name: &str, left: &mut u64) -> SourceFile {
        let now = self.read(name, left);
        let (content, notes) = match now {
            Ok((text, notes)) => (SourceContent::Text(text), notes),
            Err(why) => (SourceContent::Missing(why), Vec::new()),
        };
        let found = SourceFile {
            name: name.to_owned(),
            content,
            notes,
        };
        let is_right = matches!(found.content, SourceContent::Text(_))
            && !found.notes.contains(&SourceNote::Changed);
        // That is in the result already, so that nothing more gets into it.
        let earlier = self.earlier.and_then(|earlier| earlier.file(name));
        let kept = earlier.filter(|file| matches!(file.content, SourceContent::Text(_)));
        match kept {
            // One that was changed even then is no better than what is there now.
            Some(kept) if !is_right && !kept.notes.contains(&SourceNote::Changed) => kept.clone(),
            Some(kept) if matches!(found.content, SourceContent::Missing(_)) => kept.clone(),
            _ => found,
        }
    }

    /// The text of a file and what there is to know about it, or why there is none.
    fn read(&self, name: &str, left: &mut u64) -> Result<(String, Vec<SourceNote>), String> {
        if OF_THE_SYSTEM
            .iter()
            .any(|place| Path::new(name).starts_with(place))
        {
            return Err("it belongs to the system, not to the program".to_owned());
        }
        let places = self.places(name);
        let mut refused = None;
        let mut left_out = None;
        for place in &places {
            match open(place) {
                Ok(file) => match self.text(place, file, left) {
                    // A file of that name may be the source at another place.
                    Err(why) if why.starts_with(LEFT_OUT) => {
                        left_out.get_or_insert(why);
                    }
                    text => return text,
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // The entry there is not the file; another place may have it.
                Err(error) => refused = refused.or(Some((place, error))),
            }
        }
        if let Some(why) = left_out {
            return Err(why);
        }
        Err(match refused {
            Some((place, error)) => format!("cannot read {}: {error}", place.display()),
            None => {
                let places: Vec<_> = places.iter().map(|p| p.display().to_string()).collect();
                format!(
                    "not found as {}; `pgastool analyze --source-dir DIR` looks for it in DIR",
                    places.join(", ")
                )
            }
        })
    }

    /// Where a file of that name may lie, best first.
    fn places(&self, name: &str) -> Vec<PathBuf> {
        let mut places = Vec::new();
        for directory in &self.named {
            let parts: Vec<_> = Path::new(name)
                .components()
                .filter(|part| matches!(part, Component::Normal(_)))
                .collect();
            for first in 0..parts.len() {
                places.push(directory.join(parts[first..].iter().collect::<PathBuf>()));
            }
        }
        if Path::new(name).is_absolute() {
            places.push(name.into());
        } else {
            places.extend(
                self.relative_to
                    .iter()
                    .map(|directory| directory.join(name)),
            );
        }
        let mut met = BTreeSet::new();
        places.retain(|place| met.insert(place.clone()));
        places
    }

    fn text(
        &self,
        place: &Path,
        file: File,
        left: &mut u64,
    ) -> Result<(String, Vec<SourceNote>), String> {
        let real = real(place, &file);
        let asked = self.any_file || is_below(&self.named, &real);
        let place = place.display();
        let cannot = |error: io::Error| format!("cannot read {place}: {error}");
        let metadata = file.metadata().map_err(cannot)?;
        if !asked && metadata.permissions().mode() & OTHERS_READ == 0 {
            return Err(format!("{LEFT_OUT}{place} is readable only to its owner"));
        }
        let too_large = |size: u64, limit: u64, what: &str| {
            format!("{place} is not kept: {size} bytes, and {what} at most {limit}")
        };
        let size = metadata.len();
        if size > MOST_OF_A_FILE {
            return Err(too_large(size, MOST_OF_A_FILE, "a file may have"));
        }
        if size > *left {
            return Err(too_large(size, MOST_OF_ALL, "all files together may have"));
        }
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        let bound = MOST_OF_A_FILE.min(*left);
        file.take(bound).read_to_end(&mut bytes).map_err(cannot)?;
        let changed = metadata.modified().ok().zip(self.started);
        let is_changed = changed.is_some_and(|(changed, started)| changed > started);
        if !asked && !is_below(&self.own, &real) && !self.compiled.contains(&digest(&bytes)) {
            let why = match is_changed {
                true => {
                    "has changed since the run, and a file that is not below the program's \
                     directory is kept only with the content that was compiled"
                }
                false => {
                    "is neither below the program's directory nor has it the content that was \
                     compiled"
                }
            };
            return Err(format!("{LEFT_OUT}{place} {why}"));
        }
        if bytes.contains(&0) {
            return Err(format!("{place} is not text: it contains zero bytes"));
        }
        *left -= bytes.len() as u64;
        let mut notes = Vec::new();
        if is_changed {
            notes.push(SourceNote::Changed);
        }
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            notes.push(SourceNote::NotUtf8);
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        Ok((text, notes))
    }
}

/// The path of an open file, without symbolic links.
fn real(place: &Path, file: &File) -> PathBuf {
    // Of what is open: a name can mean another file by now.
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
        .or_else(|_| fs::canonicalize(place))
        .unwrap_or_default()
}

fn is_below(directories: &[PathBuf], file: &Path) -> bool {
    directories
        .iter()
        .filter_map(|directory| fs::canonicalize(directory).ok())
        .any(|directory| file.starts_with(directory))
}

/// Opens a plain file. Anything else is not opened, and never waited for should it be put there
/// meanwhile.
fn open(path: &Path) -> io::Result<File> {
    let plain = |metadata: fs::Metadata| match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::other("it is not a plain file")),
    };
    plain(fs::metadata(path)?)?;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits() as i32)
        .open(path)?;
    plain(file.metadata()?)?;
    Ok(file)
}

#[cfg(test)]
mod tests;
