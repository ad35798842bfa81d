//! Files that appear whole or not at all, also when the machine stops meanwhile: written beside
//! their place, then renamed. The temporary file has a random name and must be new, so that in a
//! directory of several users nothing is written through a link that somebody puts there.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Bytes of the file's name that the temporary name ends with: the longest name that file systems
/// take has 255.
const TAIL: usize = 60;

/// Creates or replaces `path` with what `write` writes. On failure the old file is untouched and no
/// temporary file is left.
///
/// # Errors
/// The first one of the operating system or of `write`.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut new = NewFile::beside(path)?;
    write(new.file())?;
    new.finish()
}

/// As [`replace`], through a buffer for many small writes.
///
/// # Errors
/// As [`replace`].
pub fn replace_buffered(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, |file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        out.flush()
    })
}

/// A file that is not in its place yet; it is removed unless it is finished.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl NewFile {
    /// Begins what is to become `target`, in the same directory, with the mode that the mask leaves
    /// of any new file.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn beside(target: &Path) -> io::Result<Self> {
        // The end of the name stays, since an extension means something to compilers.
        let mut suffix = OsString::from("-");
        suffix.push(tail(target.file_name().unwrap_or_default()));
        let temporary = tempfile::Builder::new()
            .prefix(".pgas-tmp-")
            .suffix(&suffix)
            .rand_bytes(12)
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(directory(target))
            .map_err(without_temporary_name)?;
        Ok(Self {
            temporary,
            target: target.to_owned(),
        })
    }

    /// Where to write.
    pub fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// The temporary name, for other programs to write to.
    pub fn path(&self) -> PathBuf {
        let name = self.temporary.path().file_name().unwrap_or_default();
        self.target.with_file_name(name)
    }

    /// Puts the file in its place. Once that has succeeded, the file outlives a failure of the
    /// machine.
    ///
    /// # Errors
    /// Those of the operating system; the old file is untouched then.
    pub fn finish(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        let directory = directory(&self.target).to_owned();
        self.finish_unsynced()?;
        // The file is in its place. Not every directory can be read, nor every file system do this.
        match File::open(directory).and_then(|directory| directory.sync_all()) {
            Err(error) if error.raw_os_error() == Some(libc::EIO) => Err(error),
            _ => Ok(()),
        }
    }

    /// Puts the file in its place without waiting for the disk, for what can be made again.
    ///
    /// # Errors
    /// Those of the operating system; the old file is untouched then.
    pub fn finish_unsynced(self) -> io::Result<()> {
        let persisted = self.temporary.persist(&self.target);
        persisted.map(drop).map_err(|error| error.error)
    }
}

fn directory(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The end of a name, not within a character.
fn tail(name: &OsStr) -> OsString {
    let bytes = name.as_bytes();
    let is_continued = |byte: &u8| byte & 0xc0 == 0x80;
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    let skipped = tail.iter().take_while(|byte| is_continued(byte)).count();
    OsString::from_vec(tail[skipped..].to_vec())
}

/// The operating system's answer without the name of the temporary file, which no user has given.
fn without_temporary_name(error: io::Error) -> io::Error {
    // Its cause is in its text alone: "No such file or directory (os error 2) at path "/tmp/x"".
    let text = error.to_string();
    let number = text
        .split_once("(os error ")
        .and_then(|(_, rest)| rest.split_once(')'));
    match number.and_then(|(number, _)| number.parse().ok()) {
        Some(number) => io::Error::from_raw_os_error(number),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::{ErrorKind, Write};
    use std::os::unix::fs::{MetadataExt, symlink};
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    fn names(directory: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        replace(&path, |file| file.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let failed = replace(&path, |file| {
            file.write_all(b"half")?;
            Err(ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(names(here.path()), ["file"]);
        let ordinary = here.path().join("ordinary");
        fs::write(&ordinary, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&ordinary));
        for long in ["x".repeat(255), format!("x{}", "é".repeat(127))] {
            let long = here.path().join(long);
            replace(&long, |file| file.write_all(b"two")).unwrap();
            assert_eq!(fs::read(&long).unwrap(), b"two");
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let here = tempfile::tempdir().unwrap();
        let precious = here.path().join("precious");
        fs::write(&precious, "mine").unwrap();
        let path = here.path().join("file");
        symlink(&precious, &path).unwrap();
        replace(&path, |file| file.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"mine");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
    }

    #[test]
    fn what_cannot_take_its_place_is_removed() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        fs::create_dir_all(path.join("full")).unwrap();
        assert!(replace(&path, |file| file.write_all(b"one")).is_err());
        assert_eq!(names(here.path()), ["file"]);
        let nowhere = replace(Path::new("/nothing/file"), |_| Ok(())).unwrap_err();
        assert_eq!(
            nowhere.to_string(),
            "No such file or directory (os error 2)"
        );
    }

    #[test]
    fn another_program_can_write_it() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("a.o");
        let [one, two] = [(); 2].map(|()| NewFile::beside(&path).unwrap());
        assert_ne!(one.path(), two.path());
        assert_eq!(one.path().extension(), Some(OsStr::new("o")));
        // As assemblers and linkers do.
        fs::remove_file(one.path()).unwrap();
        fs::write(one.path(), "object").unwrap();
        one.finish_unsynced().unwrap();
        drop(two);
        assert_eq!(fs::read(&path).unwrap(), b"object");
        assert_eq!(names(here.path()), ["a.o"]);
    }

    /// Names the file that [`child`] is to replace.
    const FILE: &str = "PGAS_TEST_FILE";
    /// More than the limit of its process.
    const MUCH: usize = 1 << 20;

    /// The other side of the tests below, which run it in a process of its own.
    #[test]
    fn child() {
        if let Some(path) = std::env::var_os(FILE) {
            let replaced = replace(Path::new(&path), |file| file.write_all(&[b'x'; MUCH]));
            let code = replaced.err().and_then(|error| error.raw_os_error());
            std::process::exit(code.unwrap_or(0));
        }
    }

    /// A process that replaces `path`, started by a shell after `preparation`; `program` is this
    /// one, or a copy.
    fn replacing(program: &Path, preparation: &str, path: &Path) -> Command {
        let run = r#"exec "$0" --exact replacing::tests::child --test-threads=1"#;
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("{preparation}; {run}")])
            .arg(program)
            .env(FILE, path);
        shell
    }

    /// The number of the operating system's error, or 0.
    fn ended(mut process: Command) -> i32 {
        let output = process.output().unwrap();
        let code = output.status.code();
        code.unwrap_or_else(|| panic!("{:?}", output.status))
    }

    #[test]
    fn a_disk_that_is_full_leaves_the_old_file() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        fs::write(&path, "old").unwrap();
        let own = std::env::current_exe().unwrap();
        let limited = replacing(&own, "trap '' XFSZ; ulimit -f 8", &path);
        assert_eq!(ended(limited), libc::EFBIG);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(here.path()), ["file"]);
        assert_eq!(ended(replacing(&own, ":", &path)), 0);
        assert_eq!(fs::metadata(&path).unwrap().len(), MUCH as u64);
    }

    #[test]
    fn a_directory_that_cannot_be_written_to_keeps_the_old_file() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        fs::write(&path, "old").unwrap();
        // Nothing is forbidden to root, and root's programs may lie where nobody else gets to.
        let program = here.path().join("program");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        fs::set_permissions(here.path(), Permissions::from_mode(0o555)).unwrap();
        let mut process = replacing(&program, ":", &path);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            process.uid(65534).gid(65534).current_dir("/");
        }
        assert_eq!(ended(process), libc::EACCES);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}
