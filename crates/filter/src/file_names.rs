//! The names of a source file by which rules may mean it.

use std::path::Path;

/// The name of a file as a compiler knows it, its absolute one, and those from the `directory` that
/// it was compiled in and from each directory above that one: reports name it from the directory
/// that all parts of a program have in common.
pub fn file_names(file: &str, directory: Option<&str>) -> Vec<String> {
    let absolute = Path::new(directory.unwrap_or_default()).join(file);
    let mut names = vec![file.to_owned(), absolute.to_string_lossy().into_owned()];
    let above = directory.map(Path::new);
    let above = above.into_iter().flat_map(Path::ancestors);
    let below = above.filter_map(|above| absolute.strip_prefix(above).ok());
    names.extend(below.map(|name| name.to_string_lossy().into_owned()));
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_names_from_each_directory_above() {
        assert_eq!(
            file_names("/home/me/lib/b.c", Some("/home/me/lib")),
            [
                "/home/me/lib/b.c",
                "b.c",
                "lib/b.c",
                "me/lib/b.c",
                "home/me/lib/b.c"
            ]
        );
        assert_eq!(
            file_names("src/b.c", Some("/p"))[..3],
            ["src/b.c", "/p/src/b.c", "p/src/b.c"]
        );
        assert_eq!(file_names("/usr/x.h", Some("/p")), ["/usr/x.h", "usr/x.h"]);
        assert_eq!(file_names("a.c", None), ["a.c"]);
    }
}
