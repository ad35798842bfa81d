//! Arguments of a case, and what an operation tells the driver about it: the functions that
//! `pgas_operation.h` declares.

use crate::interface::{Case, Operation, text};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_long};

/// Arguments that an operation declares: names, each with the values that it may have.
struct Declared<'a>(Vec<(&'a str, Vec<&'a str>)>);

/// Stands for a number among the values of a declaration.
const NUMBER: &str = "N";
/// Stands for any text, which the operation reads itself.
const TEXT: &str = "TEXT";

impl<'a> Declared<'a> {
    fn parse(words: &'a str) -> Self {
        let pairs = words.split_whitespace().filter_map(|w| w.split_once('='));
        Declared(
            pairs
                .map(|(name, v)| (name, v.split('|').collect()))
                .collect(),
        )
    }

    fn values(&self, name: &str) -> Option<&[&'a str]> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, values)| values.as_slice())
    }

    /// Why a name or a value does not fit, if so.
    fn refuse(&self, name: &str, value: &str) -> Option<String> {
        let Some(values) = self.values(name) else {
            let names: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
            return Some(match names.is_empty() {
                true => format!("has no arguments, but `{name}` was given"),
                false => format!("has no argument `{name}`; it has {}", names.join(", ")),
            });
        };
        let fits = |known: &&str| match *known {
            NUMBER => value.parse::<c_long>().is_ok(),
            TEXT => true,
            word => word == value,
        };
        match values.iter().any(fits) {
            true => None,
            false => Some(format!(
                "argument {name} is `{value}`; it may be {}",
                alternatives(values)
            )),
        }
    }
}

/// "a, b or a number".
fn alternatives(values: &[&str]) -> String {
    let named = |value: &&str| match *value {
        NUMBER => "a number".to_string(),
        word => word.to_string(),
    };
    let words: Vec<_> = values.iter().map(named).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Why an operation does not take some arguments, if so.
pub fn refuse(operation: &Operation, arguments: &BTreeMap<String, String>) -> Option<String> {
    // SAFETY: a string of C, or null.
    let words = unsafe { text(operation.arguments) };
    let declared = Declared::parse(&words);
    let mut reasons = arguments.iter().filter_map(|(n, v)| declared.refuse(n, v));
    reasons.next()
}

/// One case as driver and operation share it: arguments in, complaints out.
pub struct Told {
    values: BTreeMap<CString, CString>,
    /// Index of each value among those that were declared.
    choices: BTreeMap<CString, usize>,
    complaints: RefCell<Vec<String>>,
    repeats: Cell<u64>,
}

impl Told {
    /// The arguments must have been found good by [`refuse`].
    pub fn new(operation: &Operation, arguments: &BTreeMap<String, String>) -> Self {
        // SAFETY: a string of C, or null.
        let words = unsafe { text(operation.arguments) };
        let declared = Declared::parse(&words);
        // Values that came as JSON may hold a zero byte; those that are declared do not.
        let string = |text: &String| CString::new(text.as_str()).unwrap_or_default();
        let index = |name: &String, value: &String| {
            let values = declared.values(name).unwrap_or_default();
            let word = values.iter().position(|known| known == value);
            word.or(values
                .iter()
                .position(|known| [NUMBER, TEXT].contains(known)))
        };
        let choice = |(name, value)| Some((string(name), index(name, value)?));
        Told {
            values: arguments
                .iter()
                .map(|(n, v)| (string(n), string(v)))
                .collect(),
            choices: arguments.iter().filter_map(choice).collect(),
            complaints: RefCell::default(),
            repeats: Cell::new(1),
        }
    }

    pub fn has_complaints(&self) -> bool {
        !self.complaints.borrow().is_empty()
    }

    /// Complaints since the last call.
    pub fn take_complaints(&self) -> Vec<String> {
        self.complaints.take()
    }

    /// How often a launch performs the operation.
    pub fn repeats(&self) -> u64 {
        self.repeats.get()
    }
}

/// The arguments of a case.
///
/// # Safety
/// `case` is one that the driver made, and lives for as long as the result is used.
unsafe fn told<'a>(case: *const Case) -> &'a Told {
    // SAFETY: `driver` of every case points to its `Told`, which lives as long.
    unsafe { &*((*case).driver as *const Told) }
}

/// # Safety
/// `case` is one that the driver made and `name` a string of C.
unsafe fn value<'a>(case: *const Case, name: *const c_char) -> Option<&'a CStr> {
    // SAFETY: as the caller promises.
    let (told, name) = unsafe { (told(case), CStr::from_ptr(name)) };
    told.values.get(name).map(CString::as_c_str)
}

/// # Safety
/// As `pgas_operation.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_argument(
    case: *const Case,
    name: *const c_char,
    otherwise: c_long,
) -> c_long {
    // SAFETY: as the caller promises.
    let value = unsafe { value(case, name) };
    let number = value.and_then(|v| v.to_str().ok()?.parse().ok());
    number.unwrap_or(otherwise)
}

/// # Safety
/// As `pgas_operation.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_argument_text(
    case: *const Case,
    name: *const c_char,
    otherwise: *const c_char,
) -> *const c_char {
    // SAFETY: as the caller promises.
    unsafe { value(case, name) }.map_or(otherwise, CStr::as_ptr)
}

/// # Safety
/// As `pgas_operation.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_argument_choice(case: *const Case, name: *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    let (told, name) = unsafe { (told(case), CStr::from_ptr(name)) };
    told.choices.get(name).map_or(0, |index| *index as c_int)
}

/// # Safety
/// As `pgas_operation.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_repeats(case: *const Case, count: c_long) {
    // SAFETY: as the caller promises.
    unsafe { told(case) }.repeats.set(count.max(1) as u64);
}

/// # Safety
/// As `pgas_operation.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pgas_complain_text(case: *const Case, reason: *const c_char) {
    // SAFETY: as the caller promises.
    let (told, reason) = unsafe { (told(case), text(reason)) };
    told.complaints.borrow_mut().push(reason.into_owned());
}

#[cfg(test)]
mod tests {
    use super::Declared;

    #[test]
    fn names_and_values_that_are_not_declared_are_refused() {
        let declared = Declared::parse("in=all|my|no root=N partner=near|far|N dims=auto|TEXT");
        let refused = |name, value| declared.refuse(name, value).unwrap_or_default();
        for (name, value) in [
            ("in", "my"),
            ("root", "3"),
            ("partner", "far"),
            ("partner", "1"),
            ("dims", "2x2"),
        ] {
            assert_eq!(refused(name, value), "");
        }
        assert_eq!(
            refused("in", "none"),
            "argument in is `none`; it may be all, my or no"
        );
        assert_eq!(
            refused("root", "x"),
            "argument root is `x`; it may be a number"
        );
        assert_eq!(
            refused("partner", "own"),
            "argument partner is `own`; it may be near, far or a number"
        );
        assert_eq!(
            refused("rot", "1"),
            "has no argument `rot`; it has in, root, partner, dims"
        );
        assert_eq!(
            Declared::parse("").refuse("in", "my").unwrap(),
            "has no arguments, but `in` was given"
        );
    }
}
