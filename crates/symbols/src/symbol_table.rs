//! Functions of a symbol table, by address. Unlike a search for the symbol before an address, an
//! address between two functions has none: code of functions that were stripped is not taken for
//! that of others.

use object::{Object, ObjectSymbol, SymbolKind};

use crate::names;

/// Functions by address.
#[derive(Debug, Default)]
pub(crate) struct SymbolTable {
    /// Begin, end (exclusive) and name, by begin; ranges of one begin are one entry.
    functions: Vec<(u64, u64, String)>,
}

impl SymbolTable {
    pub fn of(file: &object::File) -> Self {
        let mut table = SymbolTable::default();
        let symbols = file.symbols().chain(file.dynamic_symbols());
        let functions = symbols.filter(|symbol| {
            symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.size() > 0
        });
        for symbol in functions {
            let (begin, end) = (
                symbol.address(),
                symbol.address().checked_add(symbol.size()),
            );
            if let (Some(end), Ok(name)) = (end, symbol.name()) {
                table.functions.push((begin, end, name.to_owned()));
            }
        }
        table.sort();
        table
    }

    /// Adds the functions of another table of the same code.
    pub fn extend(&mut self, other: SymbolTable) {
        self.functions.extend(other.functions);
        self.sort();
    }

    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The addresses that functions begin at.
    pub fn begins(&self) -> impl Iterator<Item = u64> {
        self.functions.iter().map(|&(begin, ..)| begin)
    }

    /// The function at an address, as its source names it.
    pub fn name(&self, address: u64) -> Option<String> {
        let after = self
            .functions
            .partition_point(|&(begin, ..)| begin <= address);
        let (_, end, name) = self.functions.get(after.checked_sub(1)?)?;
        (address < *end).then(|| names::of_symbol(name))
    }

    /// Of several names of one function, the plainest stays: `qsort`, not `__qsort_internal`.
    fn sort(&mut self) {
        let underscores = |name: &str| name.len() - name.trim_start_matches('_').len();
        self.functions.sort_by(|a, b| {
            let plain = |name: &str| (underscores(name), name.len());
            (a.0, plain(&a.2), &a.2).cmp(&(b.0, plain(&b.2), &b.2))
        });
        self.functions.dedup_by_key(|&mut (begin, ..)| begin);
    }
}
