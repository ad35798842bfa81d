//! Functions of a program that reports functions by their addresses: looked up in the program and
//! its libraries by the names that reports have.

use crate::terminal::Ui;
use object::{Object, ObjectSection};
use pgas_base::helper;
use pgas_filter::{FunctionSet, file_names};
use pgas_symbols::{Detail, Functions};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reports each function of code that was compiled for it, from the same file or another one.
const HOOK: &str = "__cyg_profile_func_enter";

/// Chooses functions by their name and the names of their file.
pub(super) type Choice<'a> = &'a dyn Fn(&str, &[&str]) -> bool;

/// The chosen functions of a program and of the libraries that are loaded with it. Warnings say that
/// functions of a file have this `consequence`.
pub(super) fn find(choice: Choice, program: &Path, consequence: &str, ui: &Ui) -> FunctionSet {
    let mut chosen = FunctionSet::default();
    let files = [program.to_path_buf()]
        .into_iter()
        .chain(libraries(program));
    for file in files {
        match Functions::of(&file, HOOK) {
            Ok(Some(functions)) => add(&mut chosen, choice, &functions, consequence, ui),
            Ok(None) => {}
            Err(why) => ui.warning(format_args!(
                "functions in {} {consequence}: {why}",
                file.display()
            )),
        }
    }
    chosen
}

fn add(
    chosen: &mut FunctionSet,
    choice: Choice,
    functions: &Functions,
    consequence: &str,
    ui: &Ui,
) {
    let module = &functions.module;
    if functions.detail == Detail::Nothing {
        ui.warning(format_args!(
            "functions in {} {consequence}: it has no symbols",
            module.path
        ));
    }
    let all = functions.all.iter().filter(|function| {
        let file = function.file.as_deref().unwrap_or_default();
        let names = file_names(file, function.directory.as_deref());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        choice(&function.name, &names)
    });
    let addresses: Vec<u64> = all.map(|function| function.address).collect();
    if !addresses.is_empty() {
        chosen.add(&module.build_id, &module.path, addresses);
    }
}

/// The libraries that a program is loaded with, as the dynamic linker lists them. One that is
/// linked statically has none.
fn libraries(program: &Path) -> Vec<PathBuf> {
    let Some(loader) = loader(program) else {
        return Vec::new();
    };
    let mut command = Command::new(loader);
    let program = std::path::absolute(program).unwrap_or_else(|_| program.to_path_buf());
    command.arg("--list").arg(program);
    let Ok(output) = helper::output(&mut command, helper::QUESTION) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    listed(&text).into_iter().map(PathBuf::from).collect()
}

/// The dynamic loader of a program, as the program names it.
fn loader(program: &Path) -> Option<PathBuf> {
    let bytes = pgas_files::read(program).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let name = file.section_by_name(".interp")?.data().ok()?;
    let name = name.split(|&byte| byte == 0).next()?;
    name.starts_with(b"/")
        .then(|| PathBuf::from(OsStr::from_bytes(name)))
}

/// The files in lines such as `libm.so.6 => /lib/libm.so.6 (0x00007f00)`.
fn listed(text: &str) -> Vec<&str> {
    let files = text.lines().filter_map(|line| {
        let (_, file) = line.split_once("=> ")?;
        let (file, _) = file.rsplit_once(" (")?;
        Some(file.trim())
    });
    files.filter(|file| file.starts_with('/')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_listed() {
        let text = "\tlinux-vdso.so.1 (0x00007ffc)\n\tlibm.so.6 => /lib/my lib/libm.so.6 (0x00007f0)\n\
                    \tlibx.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x00007f1)\n";
        assert_eq!(listed(text), ["/lib/my lib/libm.so.6"]);
        let own = std::env::current_exe().unwrap();
        assert!(
            libraries(&own)
                .iter()
                .any(|file| file.to_string_lossy().contains("libc.so"))
        );
    }
}
