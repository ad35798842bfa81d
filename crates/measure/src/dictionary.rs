//! Where in the source a region is entered, by the addresses of its strings: a hash table that the
//! hot path reads, and behind it the places by their contents, since a compiler may keep the same
//! string more than once.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use pgas_trace_format::code_address::{CODE_LINE, CodeAddress};
use pgas_trace_format::{MAX_SITES, MAX_STRING, definitions, varint};

use crate::attributes::Packed;
use crate::code_places;
use crate::exclusions::Exclusions;
use crate::known_addresses::KnownAddresses;
use crate::throttle::Watch;
use pgas_trace_format::model::Operation;

/// A place as the program names it: addresses of strings that stay where they are. For a place that
/// is known by the address of its code, that address stands for the file, marked ([`code_places`]);
/// for a function something marked also for the name, by which an Exit finds its Enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: *const c_char,
    pub(crate) name: *const c_char,
    line_and_operation: u64,
}

impl Place {
    #[inline(always)]
    pub(crate) fn new(operation: u8, file: *const c_char, line: u32, name: *const c_char) -> Self {
        Place {
            file,
            name,
            line_and_operation: u64::from(operation) << 32 | u64::from(line),
        }
    }

    /// A call of a library that returns to `caller`, which may be null: unknown.
    #[inline(always)]
    pub(crate) fn of_call(operation: u8, caller: *const c_void, name: *const c_char) -> Self {
        // The address lies behind the instruction that calls, perhaps on another line.
        let file = match caller.addr() {
            0 => std::ptr::null(),
            address => code_places::marked(address - 1),
        };
        Place::new(operation, file, 0, name)
    }

    /// A function that begins at an address, and returns to another one, which is 0 if unknown. Its
    /// name is made of both: after a `longjmp` out of a recursion, the Exit is that of the call
    /// which returns there.
    #[inline(always)]
    pub(crate) fn of_function(address: *const c_void, caller: *const c_void) -> Self {
        let place = code_places::marked(address.addr());
        let name = code_places::marked(address.addr() ^ caller.addr().rotate_left(20));
        Place::new(Operation::Function.number(), place, 0, name)
    }

    /// The address of a function that is known by it.
    pub(crate) fn function(&self) -> Option<usize> {
        let address = code_places::address_of(self.file)?;
        (self.number() == Operation::Function.number()).then_some(address as usize)
    }

    /// Operation and line, from which [`Place::of_parts`] makes this again, with the strings.
    #[inline(always)]
    pub(crate) fn parts(&self) -> u64 {
        self.line_and_operation
    }

    #[inline(always)]
    pub(crate) fn of_parts(parts: u64, file: *const c_char, name: *const c_char) -> Self {
        Place {
            file,
            name,
            line_and_operation: parts,
        }
    }

    /// Number of the operation.
    #[inline(always)]
    pub(crate) fn number(&self) -> u8 {
        (self.line_and_operation >> 32) as u8
    }

    fn operation(&self) -> Option<Operation> {
        Operation::from_number(self.number())
    }

    fn line(&self) -> u32 {
        self.line_and_operation as u32
    }
}

/// Attributes that a site's last Enter and Exit in a block had, with the number of that block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastAttributes {
    pub(crate) enter: (u32, Packed),
    pub(crate) exit: (u32, Packed),
}

#[derive(Clone, Copy)]
struct Entry {
    place: Place,
    found: Found,
}

/// A site as the table gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its number, with [`THROTTLED`] where that is so; [`NOT_FOUND`] if there is none.
    pub(crate) site: u32,
    /// How records name it.
    pub(crate) code: SiteCode,
}

/// The number of a site as a record has it: up to three bytes from the lowest one on, and in the
/// highest how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SiteCode(u32);

impl SiteCode {
    pub(crate) fn new(site: u32) -> Self {
        let (word, length) = varint::word(u64::from(site));
        debug_assert!(length <= 3);
        SiteCode(word as u32 & 0xff_ffff | (length as u32) << 24)
    }

    /// The bytes, with zeros after the last one.
    #[inline(always)]
    pub(crate) fn bytes(self) -> u64 {
        u64::from(self.0 & 0xff_ffff)
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn length(self) -> usize {
        (self.0 >> 24) as usize
    }
}

const EMPTY: u32 = u32::MAX;
/// The place was not seen before. Like a site with a mark, it is not below [`FIRST_MARK`].
pub(crate) const NOT_FOUND: u32 = EMPTY;
/// Calls of the site are only summed.
pub(crate) const THROTTLED: u32 = 1 << 31;
/// A filter excludes the place: it has no site.
pub(crate) const FILTERED: u32 = EMPTY - 1;
/// Numbers below it are of sites that are recorded as usual.
pub(crate) const FIRST_MARK: u32 = MAX_SITES as u32;
/// Takes off the marks.
pub(crate) const SITE_MASK: u32 = THROTTLED - 1;
const FIRST_CAPACITY: usize = 1 << 10;
/// A program that keeps giving new addresses for its strings must not fill the memory: beyond this
/// the table starts anew. Contents still lead to the same sites.
const LARGEST_CAPACITY: usize = 1 << 20;

/// Bytes that must be left for other things where there are new sites.
const SPARE: usize = 32 << 10;

/// The sites of one thread.
pub(crate) struct Dictionary {
    /// Open addressing with linear probing, at most half full; the length is a power of two.
    table: Vec<Entry>,
    used: usize,
    shift: u32,
    contents: HashMap<(u64, Vec<u8>, Vec<u8>), u32>,
    last: Vec<LastAttributes>,
    pub(crate) known_addresses: KnownAddresses,
    watches: Vec<Watch>,
    /// Calls with which a new watch begins.
    calls_watched: u32,
    /// Filter of regions that are not recorded.
    filter: Option<Arc<Exclusions>>,
    /// Definitions that no block has carried yet, as the payload of a definition block, and how
    /// many.
    pub(crate) new: Vec<u8>,
    pub(crate) new_count: u32,
}

impl Dictionary {
    /// An empty dictionary, which examines a site after `calls_watched` calls (0: never); regions
    /// that `filter` excludes have no site.
    pub(crate) fn new(calls_watched: u32, filter: Option<Arc<Exclusions>>) -> Self {
        Dictionary {
            table: vec![empty_entry(); FIRST_CAPACITY],
            used: 0,
            shift: shift_of(FIRST_CAPACITY),
            contents: HashMap::new(),
            last: Vec::new(),
            known_addresses: KnownAddresses::default(),
            watches: Vec::new(),
            calls_watched,
            filter,
            new: Vec::new(),
            new_count: 0,
        }
    }

    /// The site of a place, with its marks; [`NOT_FOUND`] if it was not seen before.
    #[inline(always)]
    pub(crate) fn find(&self, place: Place) -> Found {
        let mask = self.table.len() - 1;
        let mut index = self.first_index(place);
        loop {
            // SAFETY: the length is a power of two, so the mask leaves an index below it.
            let entry = unsafe { self.table.get_unchecked(index & mask) };
            // No place is like that of an empty entry.
            if entry.place == place || entry.found.site == EMPTY {
                return entry.found;
            }
            index += 1;
        }
    }

    /// The site of a place that is new, with its marks, or [`FILTERED`]; `None` if its operation is
    /// unknown or the tables are full.
    ///
    /// # Safety
    /// The place's strings are null or end with a zero byte.
    #[cold]
    pub(crate) unsafe fn define(&mut self, place: Place) -> Option<u32> {
        let operation = place.operation()?;
        let code = match code_places::address_of(place.file) {
            Some(address) => Some(code_places::place_of(address)?),
            None => None,
        };
        // SAFETY: promised by the caller.
        let (file, name) = unsafe { (text_of(place.file), text_of(place.name)) };
        let code_text = code.as_ref().map(CodeAddress::to_text);
        let (file, line) = match &code_text {
            Some(code) => (code.as_bytes(), CODE_LINE),
            None => (file, place.line()),
        };
        if !self.can_grow(file.len() + name.len()) {
            // The program has no memory left: what it does there is not recorded as long as that is
            // so.
            return None;
        }
        let of_line = Place::new(operation.number(), std::ptr::null(), line, std::ptr::null());
        let key = (of_line.line_and_operation, file.to_vec(), name.to_vec());
        let site = match self.contents.get(&key) {
            Some(&site) => site,
            None if self.is_excluded(operation, file, name, code.as_ref()) => {
                self.contents.insert(key, FILTERED);
                FILTERED
            }
            None => {
                if self.last.len() >= MAX_SITES {
                    return None;
                }
                let site = self.last.len() as u32;
                definitions::push_site(&mut self.new, operation, file, line, name);
                self.new_count += 1;
                self.last.push(LastAttributes {
                    enter: (0, Packed::NONE),
                    exit: (0, Packed::NONE),
                });
                self.watches.push(Watch::new(self.calls_watched));
                self.contents.insert(key, site);
                site
            }
        };
        let site = match self.watches.get(site as usize) {
            Some(watch) if watch.is_throttled() => site | THROTTLED,
            _ => site,
        };
        self.insert(place, site);
        Some(site)
    }

    /// Whether there is memory for another site with `text` bytes of names, in every table that
    /// must grow for it. Checked first, so that a site is entered in all tables or in none.
    fn can_grow(&self, text: usize) -> bool {
        fn growth<T>(all: &Vec<T>, more: usize) -> usize {
            match all.len() + more > all.capacity() {
                true => 2 * (all.capacity() + more) * size_of::<T>(),
                false => 0,
            }
        }
        let table = match 2 * (self.used + 1) > self.table.len() {
            true => 2 * self.table.len() * size_of::<Entry>(),
            false => 0,
        };
        let contents = match self.contents.len() == self.contents.capacity() {
            true => 4 * (self.contents.len() + 1) * size_of::<((u64, Vec<u8>, Vec<u8>), u32)>(),
            false => 0,
        };
        let lists = growth(&self.last, 1)
            + growth(&self.watches, 1)
            + growth(&self.known_addresses.0, 1)
            + growth(&self.new, text + 64);
        // Twice what is needed, since it is had piece by piece.
        crate::memory::has(2 * (text + table + contents + lists) + SPARE)
    }

    fn is_excluded(
        &self,
        operation: Operation,
        file: &[u8],
        name: &[u8],
        code: Option<&CodeAddress>,
    ) -> bool {
        let Some(exclusions) = &self.filter else {
            return false;
        };
        if let (Operation::Function, Some(code)) = (operation, code) {
            return exclusions.has_function(code);
        }
        let filter = &exclusions.rules;
        match operation {
            Operation::Function | Operation::UserRegion => !filter.includes_function_of(
                &String::from_utf8_lossy(name),
                &[&String::from_utf8_lossy(file)],
            ),
            Operation::MeasurementStall | Operation::NoCore => false,
            // The ends of recordings, whatever their calls are named.
            Operation::CollectiveExit | Operation::NoncollectiveExit => false,
            _ if !name.is_empty() => !filter.includes_operation(&String::from_utf8_lossy(name)),
            _ => !filter.includes_operation(operation.in_source().name()),
        }
    }

    /// The attributes that a site of this dictionary had last.
    #[inline(always)]
    pub(crate) fn last_of(&mut self, site: u32) -> &mut LastAttributes {
        &mut self.last[site as usize]
    }

    /// The watch on the calls of a site of this dictionary.
    #[inline(always)]
    pub(crate) fn watch(&mut self, site: u32) -> &mut Watch {
        &mut self.watches[site as usize]
    }

    /// Marks a site, `until_timed` calls before the first one that is timed.
    #[cold]
    pub(crate) fn throttle(&mut self, site: u32, until_timed: u32) {
        self.watches[site as usize].until_timed = until_timed;
        for entry in self
            .table
            .iter_mut()
            .filter(|entry| entry.found.site == site)
        {
            entry.found.site |= THROTTLED;
        }
    }

    /// Number of sites that blocks have carried or are about to.
    pub(crate) fn defined(&self) -> u32 {
        self.last.len() as u32
    }

    fn insert(&mut self, place: Place, site: u32) {
        if 2 * (self.used + 1) > self.table.len() {
            let kept = if self.table.len() < LARGEST_CAPACITY {
                let larger = vec![empty_entry(); 2 * self.table.len()];
                std::mem::replace(&mut self.table, larger)
            } else {
                self.table.fill(empty_entry());
                Vec::new()
            };
            self.shift = shift_of(self.table.len());
            self.used = 0;
            for entry in kept.into_iter().filter(|entry| entry.found.site != EMPTY) {
                self.put(entry);
            }
        }
        // A filtered site is in no record.
        let code = SiteCode::new(if site == FILTERED {
            0
        } else {
            site & SITE_MASK
        });
        let found = Found { site, code };
        self.put(Entry { place, found });
    }

    fn put(&mut self, entry: Entry) {
        let mask = self.table.len() - 1;
        let mut index = self.first_index(entry.place);
        while self.table[index & mask].found.site != EMPTY {
            index += 1;
        }
        self.table[index & mask] = entry;
        self.used += 1;
    }

    /// Fibonacci hashing: the high bits of a product depend on all bits of the factors.
    #[inline(always)]
    fn first_index(&self, place: Place) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let words = (place.file as u64).rotate_left(20) ^ (place.name as u64).rotate_left(40);
        ((words ^ place.line_and_operation).wrapping_mul(GOLDEN) >> self.shift) as usize
    }
}

fn shift_of(capacity: usize) -> u32 {
    64 - capacity.trailing_zeros()
}

fn empty_entry() -> Entry {
    Entry {
        place: Place::new(u8::MAX, std::ptr::null(), 0, std::ptr::null()),
        found: Found {
            site: EMPTY,
            code: SiteCode(0),
        },
    }
}

/// The string; empty where a code address stands in its place.
///
/// # Safety
/// `text` is null, a marked address of the code, or points to a string that ends with a zero byte.
unsafe fn text_of<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() || code_places::address_of(text).is_some() {
        return &[];
    }
    // SAFETY: promised by the caller; the slice is used only while the program waits in this call.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    &bytes[..bytes.len().min(MAX_STRING)]
}

/// Whether two names are the same, where their addresses differ. Functions that are known by the
/// addresses of their code are not.
///
/// # Safety
/// As for [`Dictionary::define`].
#[cold]
pub(crate) unsafe fn same_text(a: *const c_char, b: *const c_char) -> bool {
    let is_text = |name| code_places::address_of(name).is_none();
    // SAFETY: promised by the caller.
    is_text(a) && is_text(b) && unsafe { text_of(a) == text_of(b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgas_filter::Filter;

    fn define(dictionary: &mut Dictionary, file: &CStr, line: u32, name: &CStr) -> Option<u32> {
        let place = Place::new(0, file.as_ptr(), line, name.as_ptr());
        assert_eq!(dictionary.find(place).site, NOT_FOUND);
        // SAFETY: both are C strings.
        let site = unsafe { dictionary.define(place) };
        assert_eq!(Some(dictionary.find(place).site), site);
        site
    }

    #[test]
    fn equal_contents_are_one_site() {
        let mut dictionary = Dictionary::new(0, None);
        let (a, also_a) = (c"a.c".to_owned(), c"a.c".to_owned());
        assert_eq!(define(&mut dictionary, &a, 1, c"f"), Some(0));
        assert_eq!(define(&mut dictionary, &a, 2, c"f"), Some(1));
        assert_eq!(define(&mut dictionary, &also_a, 1, c"f"), Some(0));
        assert_eq!((dictionary.defined(), dictionary.new_count), (2, 2));
    }

    #[test]
    fn it_grows_and_keeps_what_it_had() {
        let mut dictionary = Dictionary::new(0, None);
        for line in 0..10_000 {
            assert_eq!(define(&mut dictionary, c"a.c", line, c"g"), Some(line));
        }
        let file = c"b.c".to_owned();
        for line in 0..10_000 {
            define(&mut dictionary, &file, line, c"g");
        }
        let again = Place::new(0, file.as_ptr(), 77, c"g".as_ptr());
        assert_eq!(dictionary.find(again).site, 10_077);
    }

    #[test]
    fn a_throttled_site_is_so_under_all_its_addresses() {
        let mut dictionary = Dictionary::new(0, None);
        let (a, also_a, late_a) = (c"a.c".to_owned(), c"a.c".to_owned(), c"a.c".to_owned());
        let (f_name, g_name) = (c"f", c"g");
        for file in [&a, &also_a] {
            assert_eq!(define(&mut dictionary, file, 1, f_name), Some(0));
        }
        define(&mut dictionary, &a, 2, g_name);
        dictionary.throttle(0, 1);
        let f = |file: &CStr| Place::new(0, file.as_ptr(), 1, f_name.as_ptr());
        assert_eq!(dictionary.find(f(&a)).site, THROTTLED);
        assert_eq!(dictionary.find(f(&also_a)).site, THROTTLED);
        let g = Place::new(0, a.as_ptr(), 2, g_name.as_ptr());
        assert_eq!(dictionary.find(g).site, 1);
        assert_eq!(define(&mut dictionary, &late_a, 1, f_name), Some(THROTTLED));
    }

    #[test]
    fn what_a_filter_excludes_has_no_site() {
        let rules = "SCOREP_FILE_NAMES_BEGIN EXCLUDE lib/* SCOREP_FILE_NAMES_END \
                     SCOREP_REGION_NAMES_BEGIN EXCLUDE tiny_* upc_mem* upc_get SCOREP_REGION_NAMES_END";
        let filter = Arc::new(Filter::parse(rules, "test").unwrap().into());
        let mut dictionary = Dictionary::new(0, Some(filter));
        let (a, lib) = (c"a.c".to_owned(), c"lib/b.c".to_owned());
        assert_eq!(define(&mut dictionary, &a, 1, c"f"), Some(0));
        assert_eq!(define(&mut dictionary, &a, 2, c"tiny_step"), Some(FILTERED));
        assert_eq!(define(&mut dictionary, &lib, 1, c"f"), Some(FILTERED));
        assert_eq!(define(&mut dictionary, &a, 3, c"g"), Some(1));
        assert_eq!((dictionary.defined(), dictionary.new_count), (2, 2));
        let mut operation = |operation: Operation, file: &CStr| {
            let place = Place::new(operation.number(), file.as_ptr(), 9, std::ptr::null());
            // SAFETY: a C string and null.
            unsafe { dictionary.define(place) }
        };
        assert_eq!(operation(Operation::Memget, &a), Some(FILTERED));
        // Whether an access waits for another node makes no difference.
        assert_eq!(operation(Operation::RemoteGet, &a), Some(FILTERED));
        // Operations are not excluded by their file.
        assert_eq!(operation(Operation::Barrier, &lib), Some(2));
    }

    #[test]
    fn unknown_operations_are_not_sites() {
        let mut dictionary = Dictionary::new(0, None);
        let place = Place::new(255, std::ptr::null(), 0, std::ptr::null());
        // SAFETY: null is allowed.
        assert_eq!(unsafe { dictionary.define(place) }, None);
    }
}
