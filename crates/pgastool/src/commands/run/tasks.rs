//! Programs of tasks: their processors, and the mapping of tasks to these.

use crate::failure::Failure;
use crate::launch::target::Target;
use pgas_tasks::Mapping;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The mapping in a file, which the program would only refuse when it has started.
///
/// # Errors
/// If the program is none of tasks, or the file cannot be read or has a line that is none of a
/// mapping.
pub fn map(file: Option<&Path>, target: &Target) -> Result<Option<PathBuf>, Failure> {
    let Some(file) = file else {
        return Ok(None);
    };
    if !target.is_of_tasks {
        return Err(Failure::new(format!(
            "--map is for programs of tasks, and `{}` is none",
            Path::new(&target.named).display()
        ))
        .help("leave it out: threads of other programs run where the launcher puts them"));
    }
    Mapping::file(file).map_err(|failure| Failure::new(failure.to_string()))?;
    Ok(Some(std::path::absolute(file)?))
}

/// Environment variables that the program reads.
pub fn variables(processors: u32, map: Option<&Path>) -> Vec<(&'static str, OsString)> {
    let mut set = vec![("PGAS_TASK_PROCESSORS", processors.to_string().into())];
    set.extend(map.map(|map| ("PGAS_TASK_MAP", map.into())));
    set
}
