//! Reading and writing files of experiments and results. Only regular files are opened: a FIFO,
//! socket or device of that name, put there by accident or by somebody else, is an error at once,
//! where reading it would wait for ever. A written file appears whole or not at all.

#[cfg(feature = "replacing")]
mod overwriting;
#[cfg(feature = "replacing")]
mod replacing;

#[cfg(feature = "replacing")]
pub use overwriting::replace_or_overwrite;
#[cfg(feature = "replacing")]
pub use replacing::{NewFile, replace, replace_buffered};

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
/// Those of the operating system; that it is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a FIFO waits for a writer unless it must not block; of a terminal, it does not become
    // this process's own.
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    // Of what is open: a name can mean another file by now.
    let kind = file.metadata()?.file_type();
    match kind.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(
            if kind.is_dir() {
                io::ErrorKind::IsADirectory
            } else {
                io::ErrorKind::InvalidInput
            },
            format!("it is a {}, not a regular file", name(kind)),
        )),
    }
}

/// The content of a regular file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    // A file system may state a wrong length.
    let expected = usize::try_from(length.min(1 << 30)).unwrap_or(0);
    bytes
        .try_reserve_exact(expected)
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a regular file.
///
/// # Errors
/// As [`open`]; that it is not in UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not in UTF-8"))
}

fn name(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "directory"
    } else if kind.is_fifo() {
        "pipe"
    } else if kind.is_socket() {
        "socket"
    } else {
        "device"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let here = tempfile::tempdir().unwrap();
        let fifo = here.path().join("fifo");
        let name = CString::new(fifo.as_os_str().as_bytes()).unwrap();
        // SAFETY: the name is a text that ends with a zero.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let socket = here.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        for (path, expected) in [
            (fifo.as_path(), "it is a pipe, not a regular file"),
            (Path::new("/dev/zero"), "it is a device, not a regular file"),
            (here.path(), "it is a directory, not a regular file"),
        ] {
            assert_eq!(read(path).unwrap_err().to_string(), expected);
        }
        assert!(open(&socket).is_err());
        assert_eq!(
            open(Path::new("/nothing")).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
    }

    #[test]
    fn regular_files_are_read() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("file");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "text");
        std::fs::write(&path, [0xff]).unwrap();
        assert!(read_to_string(&path).is_err());
    }
}
