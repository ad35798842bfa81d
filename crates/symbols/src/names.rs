//! Names of functions as their sources have them.

use std::borrow::Cow;

use addr2line::gimli::{self, DwLang};

/// The name in the source of a function whose linker's name, or name itself, is `name`.
pub(crate) fn of_source(name: &str, language: Option<DwLang>) -> String {
    match language {
        Some(language) if is_fortran(language) => of_fortran(name).into_owned(),
        _ => demangled(name, language),
    }
}

/// The same of a symbol, whose language is unknown.
pub(crate) fn of_symbol(name: &str) -> String {
    of_module(name).unwrap_or_else(|| demangled(name, None))
}

fn demangled(name: &str, language: Option<DwLang>) -> String {
    addr2line::demangle_auto(Cow::Borrowed(name), language).into_owned()
}

fn is_fortran(language: DwLang) -> bool {
    matches!(
        language,
        gimli::DW_LANG_Fortran77
            | gimli::DW_LANG_Fortran90
            | gimli::DW_LANG_Fortran95
            | gimli::DW_LANG_Fortran03
            | gimli::DW_LANG_Fortran08
            | gimli::DW_LANG_Fortran18
    )
}

/// Compilers append an underscore to the names of procedures that are in no module.
fn of_fortran(name: &str) -> Cow<'_, str> {
    match of_module(name) {
        Some(name) => name.into(),
        None => {
            let plain = name.strip_suffix('_').filter(|plain| !plain.is_empty());
            let is_program = name == "MAIN__";
            plain.filter(|_| !is_program).unwrap_or(name).into()
        }
    }
}

/// `__module_MOD_procedure`, as GNU Fortran names procedures of modules.
fn of_module(name: &str) -> Option<String> {
    let (module, procedure) = name.strip_prefix("__")?.split_once("_MOD_")?;
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('_');
    (is_name(module) && is_name(procedure)).then(|| format!("{module}::{procedure}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fortran() {
        let name = |name| of_source(name, Some(gimli::DW_LANG_Fortran08));
        assert_eq!(name("__solver_MOD_step"), "solver::step");
        assert_eq!(name("external_one_"), "external_one");
        assert_eq!(name("hello"), "hello");
        assert_eq!(name("MAIN__"), "MAIN__");
        assert_eq!(name("_"), "_");
        assert_eq!(of_symbol("__solver_MOD_step"), "solver::step");
        assert_eq!(of_symbol("external_one_"), "external_one_");
    }

    #[test]
    fn other_languages() {
        let name = |name| of_source(name, Some(gimli::DW_LANG_C_plus_plus_14));
        assert_eq!(name("_ZN3abc1fEi"), "abc::f(int)");
        assert_eq!(name("main"), "main");
        assert_eq!(of_source("f_", Some(gimli::DW_LANG_C11)), "f_");
        assert_eq!(of_symbol("_ZN3abc1fEi"), "abc::f(int)");
        assert_eq!(of_source("__f_MOD_", None), "__f_MOD_");
    }
}
