//! The tar archive: what is where in it. Check sums of its headers are not looked at, for some
//! versions of CUBE's own writer get them wrong.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

const BLOCK: u64 = 512;

/// The members of an archive, by name.
pub(super) struct Archive<R> {
    source: R,
    members: HashMap<String, (u64, u64)>,
    /// Whether the mark at its end is there.
    pub ended: bool,
}

/// Why it is no archive.
pub(super) enum NoArchive {
    Io(io::Error),
    Damaged {
        offset: u64,
        found: String,
        expected: &'static str,
    },
}

impl From<io::Error> for NoArchive {
    fn from(error: io::Error) -> Self {
        NoArchive::Io(error)
    }
}

impl<R: Read + Seek> Archive<R> {
    pub fn open(mut source: R) -> Result<Self, NoArchive> {
        let length = source.seek(SeekFrom::End(0))?;
        let mut members = HashMap::new();
        let mut at = 0;
        let mut ended = false;
        while at + BLOCK <= length {
            let mut header = tar::Header::new_old();
            source.seek(SeekFrom::Start(at))?;
            source.read_exact(header.as_mut_bytes())?;
            if header.as_bytes().iter().all(|&byte| byte == 0) {
                ended = true;
                break;
            }
            let is_tar = &header.as_bytes()[257..262] == b"ustar";
            let size = header.entry_size().ok().filter(|_| is_tar);
            let Some(size) = size else {
                return Err(NoArchive::Damaged {
                    offset: at,
                    found: "something else".into(),
                    expected: "the header of a tar archive's member",
                });
            };
            let begin = at + BLOCK;
            let Some(end) = begin.checked_add(size).filter(|&end| end <= length) else {
                return Err(NoArchive::Damaged {
                    offset: at,
                    found: format!("a member of {size} bytes"),
                    expected: "one that ends before the file (the file was cut off)",
                });
            };
            if header.entry_type().is_file() {
                let name = String::from_utf8_lossy(&header.path_bytes()).into_owned();
                let name = name.trim_start_matches("./").to_owned();
                members.insert(name, (begin, size));
            }
            at = end.next_multiple_of(BLOCK);
        }
        Ok(Archive {
            source,
            members,
            ended,
        })
    }

    /// Where a member is, in bytes from the beginning of the file.
    pub fn offset(&self, name: &str) -> u64 {
        self.members.get(name).map_or(0, |&(begin, _)| begin)
    }

    /// The content of a member.
    pub fn member(&mut self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(&(begin, size)) = self.members.get(name) else {
            return Ok(None);
        };
        self.source.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        (&mut self.source).take(size).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

/// Appends a member. The same content gives the same bytes: no time, no owner.
pub(super) fn append(
    archive: &mut tar::Builder<impl Write>,
    name: &str,
    content: &[u8],
) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    archive.append(&header, content)
}
