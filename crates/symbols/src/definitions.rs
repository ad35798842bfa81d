//! Where functions are defined, by the addresses that they begin at. Line tables do not say: the
//! first instruction of a function belongs to any of its lines.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use addr2line::gimli::{self, AttributeValue, UnitOffset};
use object::{Object, ObjectSection};

use crate::elf::check_sizes;
use crate::{Frame, Wanted, names};

type Reader<'a> = gimli::EndianSlice<'a, gimli::RunTimeEndian>;
type Dwarf<'a> = gimli::Dwarf<Reader<'a>>;
type Unit<'a> = gimli::Unit<Reader<'a>>;
type Entry<'a, 'u> = gimli::DebuggingInformationEntry<'u, 'u, Reader<'a>>;
type Sections<'a> = gimli::DwarfSections<Cow<'a, [u8]>>;

/// References from one description of a function to another that are followed at most.
const MOST_REFERENCES: usize = 8;

/// Functions and code as debug information describes them.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    /// By the address that a function begins at.
    pub functions: BTreeMap<u64, Frame>,
    /// The directory below which everything was compiled that the addresses are in.
    pub directory: Option<String>,
}

/// Looks for functions and code in the debug information of a file. What is damaged is left out.
pub(crate) fn find(path: &Path, supplement: Option<&Path>, wanted: &Wanted) -> Definitions {
    let mut found = Definitions::default();
    // Whatever was found before an error stays.
    let _ = with_dwarf(path, supplement, |dwarf| search(dwarf, wanted, &mut found));
    found
}

/// All functions by the addresses that they begin at, each with the directory that it was compiled
/// in. What is damaged is left out.
pub(crate) fn all(
    path: &Path,
    supplement: Option<&Path>,
) -> BTreeMap<u64, (Frame, Option<String>)> {
    let mut all = BTreeMap::new();
    // Whatever was found before an error stays.
    let _ = with_dwarf(path, supplement, |dwarf| {
        let mut units = dwarf.units();
        while let Some(header) = units.next()? {
            // What is wrong with one unit says nothing of the others.
            let Ok(unit) = dwarf.unit(header) else {
                continue;
            };
            let directory = unit
                .comp_dir
                .map(|name| name.to_string_lossy().into_owned());
            let _ = functions_of(dwarf, &unit, |begin, function| {
                all.entry(begin).or_insert((function()?, directory.clone()));
                Ok(())
            });
        }
        Ok(())
    });
    all
}

fn with_dwarf(
    path: &Path,
    supplement: Option<&Path>,
    work: impl FnOnce(&Dwarf) -> gimli::Result<()>,
) -> Option<()> {
    let bytes = pgas_files::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    check_sizes(&file).ok()?;
    let sections = sections(&file)?;
    let endian = match file.is_little_endian() {
        true => gimli::RunTimeEndian::Little,
        false => gimli::RunTimeEndian::Big,
    };
    let reader = |section| gimli::EndianSlice::new(section, endian);
    let Some(supplement) = supplement else {
        return work(&sections.borrow(|section| reader(section))).ok();
    };
    let bytes = pgas_files::read(supplement).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    check_sizes(&file).ok()?;
    let shared = self::sections(&file)?;
    work(&sections.borrow_with_sup(&shared, |section| reader(section))).ok()
}

fn sections<'a>(file: &object::File<'a>) -> Option<Sections<'a>> {
    let load = |id: gimli::SectionId| {
        let section = file.section_by_name(id.name());
        section.map_or(Ok(Cow::default()), |section| section.uncompressed_data())
    };
    gimli::DwarfSections::load(load).ok()
}

fn search(dwarf: &Dwarf, wanted: &Wanted, found: &mut Definitions) -> gimli::Result<()> {
    let mut directories = BTreeSet::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        // What is wrong with one unit says nothing of the others.
        let Ok(unit) = dwarf.unit(header) else {
            continue;
        };
        let (code, functions) = within(dwarf, &unit, wanted).unwrap_or_default();
        if !code && !functions {
            continue;
        }
        directories.extend(
            unit.comp_dir
                .map(|name| name.to_string_lossy().into_owned()),
        );
        if functions {
            let _ = functions_of(dwarf, &unit, |begin, function| {
                if wanted.functions.contains(&begin) {
                    found.functions.entry(begin).or_insert(function()?);
                }
                Ok(())
            });
        }
    }
    found.directory = common(&directories);
    Ok(())
}

/// Whether calls that are wanted lie in a unit, and functions.
fn within(dwarf: &Dwarf, unit: &Unit, wanted: &Wanted) -> gimli::Result<(bool, bool)> {
    let mut ranges = dwarf.unit_ranges(unit)?;
    let (mut code, mut functions) = (false, false);
    while let Some(range) = ranges.next()? {
        if range.begin < range.end {
            let has = |all: &BTreeSet<u64>| all.range(range.begin..range.end).next().is_some();
            code |= has(&wanted.calls);
            functions |= has(&wanted.functions);
        }
    }
    Ok((code, functions))
}

/// Calls `found` for each function with the address that it begins at, and with what says where it
/// is defined.
fn functions_of(
    dwarf: &Dwarf,
    unit: &Unit,
    mut found: impl FnMut(u64, &dyn Fn() -> gimli::Result<Frame>) -> gimli::Result<()>,
) -> gimli::Result<()> {
    let mut entries = unit.entries();
    while let Some((_, entry)) = entries.next_dfs()? {
        if entry.tag() != gimli::DW_TAG_subprogram {
            continue;
        }
        let mut ranges = dwarf.die_ranges(unit, entry)?;
        while let Some(range) = ranges.next()? {
            if range.begin < range.end {
                found(range.begin, &|| {
                    let mut description = Description::default();
                    description.add(dwarf, unit, entry, MOST_REFERENCES)?;
                    Ok(description.frame())
                })?;
            }
        }
    }
    Ok(())
}

/// The entries of a function, merged.
#[derive(Default)]
struct Description {
    name: Option<String>,
    linkers_name: Option<String>,
    /// An entry leaves out the file where that is the same as of the entry that it refers to.
    file: Option<String>,
    line: Option<u32>,
}

impl Description {
    /// Adds what an entry says, and those that it refers to, as far as it is not known yet.
    fn add(
        &mut self,
        dwarf: &Dwarf,
        unit: &Unit,
        entry: &Entry,
        references: usize,
    ) -> gimli::Result<()> {
        let language = language(unit)?;
        let text = |name: gimli::DwAt| -> gimli::Result<Option<String>> {
            let value = entry.attr_value(name)?;
            let text = value.and_then(|value| dwarf.attr_string(unit, value).ok());
            Ok(text.map(|text| names::of_source(&text.to_string_lossy(), language)))
        };
        if self.name.is_none() {
            self.name = text(gimli::DW_AT_name)?;
        }
        if self.linkers_name.is_none() {
            let name = text(gimli::DW_AT_linkage_name)?;
            self.linkers_name = name.or(text(gimli::DW_AT_MIPS_linkage_name)?);
        }
        if self.line.is_none() {
            let line = entry.attr_value(gimli::DW_AT_decl_line)?;
            self.line = line.and_then(|line| u32::try_from(line.udata_value()?).ok());
        }
        if self.file.is_none() {
            self.file = file(dwarf, unit, entry)?;
        }
        for reference in [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification] {
            let value = entry.attr_value(reference)?;
            if let Some(value) = value.filter(|_| references > 0) {
                self.follow(dwarf, unit, value, references - 1)?;
            }
        }
        Ok(())
    }

    fn follow(
        &mut self,
        dwarf: &Dwarf,
        unit: &Unit,
        reference: AttributeValue<Reader>,
        references: usize,
    ) -> gimli::Result<()> {
        match reference {
            AttributeValue::UnitRef(offset) => {
                self.add(dwarf, unit, &unit.entry(offset)?, references)
            }
            AttributeValue::DebugInfoRef(offset) => match unit_of(dwarf, offset)? {
                Some((unit, offset)) => self.add(dwarf, &unit, &unit.entry(offset)?, references),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn frame(self) -> Frame {
        Frame {
            function: self.linkers_name.or(self.name).map(Into::into),
            line: self.line.filter(|_| self.file.is_some()).unwrap_or(0),
            file: self.file.map(Into::into),
        }
    }
}

/// The unit that an entry lies in, and where: with optimisation at link time, entries refer to
/// those of other units.
fn unit_of<'a>(
    dwarf: &Dwarf<'a>,
    offset: gimli::DebugInfoOffset,
) -> gimli::Result<Option<(Unit<'a>, UnitOffset)>> {
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        if let Some(within) = offset.to_unit_offset(&header) {
            return Ok(Some((dwarf.unit(header)?, within)));
        }
    }
    Ok(None)
}

fn language(unit: &Unit) -> gimli::Result<Option<gimli::DwLang>> {
    let mut entries = unit.entries();
    entries.next_dfs()?;
    let root = entries.current();
    let language = root.map(|root| root.attr_value(gimli::DW_AT_language));
    Ok(match language.transpose()?.flatten() {
        Some(AttributeValue::Language(language)) => Some(language),
        _ => None,
    })
}

/// The file of a declaration.
fn file(dwarf: &Dwarf, unit: &Unit, entry: &Entry) -> gimli::Result<Option<String>> {
    let Some(AttributeValue::FileIndex(file)) = entry.attr_value(gimli::DW_AT_decl_file)? else {
        return Ok(None);
    };
    let Some(program) = unit.line_program.as_ref().map(|program| program.header()) else {
        return Ok(None);
    };
    let Some(file) = program.file(file) else {
        return Ok(None);
    };
    let mut path = unit.comp_dir.map_or_else(String::new, |directory| {
        directory.to_string_lossy().into_owned()
    });
    // Directory 0 is that of the compilation.
    if file.directory_index() != 0 {
        if let Some(directory) = file.directory(program) {
            push(
                &mut path,
                &dwarf.attr_string(unit, directory)?.to_string_lossy(),
            );
        }
    }
    push(
        &mut path,
        &dwarf.attr_string(unit, file.path_name())?.to_string_lossy(),
    );
    Ok(Some(path))
}

fn push(path: &mut String, name: &str) {
    if name.starts_with('/') {
        path.clear();
    } else if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(name);
}

/// The longest directory that all these are below or equal to, if it is not one that programs of
/// different origin have in common.
fn common(directories: &BTreeSet<String>) -> Option<String> {
    const FEWEST_PARTS: usize = 2;
    let mut directories = directories.iter();
    let mut common: Vec<&str> = directories.next()?.split('/').collect();
    for directory in directories {
        let both = common.iter().zip(directory.split('/'));
        let same = both.take_while(|(a, b)| **a == *b).count();
        common.truncate(same);
    }
    let named = common.iter().filter(|part| !part.is_empty()).count();
    let directory = common.join("/");
    let directory = directory.trim_end_matches('/');
    (named >= FEWEST_PARTS && directory.starts_with('/')).then(|| directory.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_have_the_longest_beginning_in_common() {
        let common = |all: &[&str]| common(&all.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(common(&["/home/me/p"]).as_deref(), Some("/home/me/p"));
        assert_eq!(common(&["/home/me/p/"]).as_deref(), Some("/home/me/p"));
        let below = common(&["/home/me/p/src", "/home/me/p/srcs", "/home/me/p"]);
        assert_eq!(below.as_deref(), Some("/home/me/p"));
        assert_eq!(common(&["/home/me", "/build/lib"]), None);
        assert_eq!(common(&["/home/me", "/home/you"]), None);
        assert_eq!(common(&[]), None);
        assert_eq!(common(&["a/b/c"]), None);
    }

    #[test]
    fn names_are_joined() {
        let mut path = String::new();
        for (name, joined) in [
            ("/a", "/a"),
            ("b", "/a/b"),
            ("c.c", "/a/b/c.c"),
            ("/d", "/d"),
        ] {
            push(&mut path, name);
            assert_eq!(path, joined);
        }
    }
}
