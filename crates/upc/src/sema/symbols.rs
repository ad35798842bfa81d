//! Symbol table: identifiers and tags, and what they mean in the current scope.

use super::types::*;
use crate::syntax::token::*;

/// Kind of a declared identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymKind {
    /// An object.
    Object,
    /// A function.
    Function,
    /// A typedef name.
    Typedef,
    /// An enumeration constant, with its value if it is known.
    EnumConst(Option<i128>),
}

/// A declared identifier.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: Name,
    /// Its kind.
    pub kind: SymKind,
    /// Its type.
    pub ty: QualTy,
    /// Token of the name in its (first) declaration.
    pub token: TokIdx,
    /// It has internal linkage.
    pub internal: bool,
    /// It was defined (functions with their body; shared objects also tentatively).
    pub defined: bool,
    /// A shared object with an initialiser.
    pub initialised: bool,
    /// Declared in a block or parameter list.
    pub local: bool,
    /// Name by which generated code refers to it, where it is not its own.
    pub renamed: Option<String>,
    /// `upcr_obj_...` was declared at file scope.
    pub object_declared: bool,
}

impl Symbol {
    /// A symbol with external linkage that is declared at file scope and not yet defined.
    pub fn new(kind: SymKind, name: Name, token: TokIdx, ty: QualTy) -> Symbol {
        Symbol {
            name,
            kind,
            ty,
            token,
            internal: false,
            defined: false,
            initialised: false,
            local: false,
            renamed: None,
            object_declared: false,
        }
    }
}

/// Storage-class specifiers of a declaration.
#[derive(Clone, Copy, Default, Debug)]
pub struct Storage {
    /// `typedef`
    pub typedef: bool,
    /// `extern`
    pub external: bool,
    /// `static`
    pub internal: bool,
    /// `__attribute__` that asks for no instrumentation of the function.
    pub no_instrument: bool,
}

/// The type that a tag names, as an index in the type table's records or enumerations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// A structure or union.
    Record(u32),
    /// An enumeration.
    Enum(u32),
}

/// A meaning that a scope has hidden, to be restored at its end.
enum Hidden {
    Symbol(Name, Option<u32>),
    Tag(Name, Option<Tag>),
}

/// All symbols, and the scopes that are open.
pub struct Symbols {
    list: Vec<Symbol>,
    /// By name: the current symbol.
    visible: Vec<Option<u32>>,
    /// By name: the current tag.
    tags: Vec<Option<Tag>>,
    /// The scopes of blocks and parameter lists, inner ones last.
    scopes: Vec<Vec<Hidden>>,
}

impl Symbols {
    /// A table for this number of different names, at file scope.
    pub fn new(names: usize) -> Symbols {
        Symbols {
            list: Vec::new(),
            visible: vec![None; names],
            tags: vec![None; names],
            scopes: Vec::new(),
        }
    }

    /// The symbol of that number.
    #[inline]
    pub fn get(&self, number: u32) -> &Symbol {
        &self.list[number as usize]
    }

    /// The symbol of that number, to be changed.
    pub fn get_mut(&mut self, number: u32) -> &mut Symbol {
        &mut self.list[number as usize]
    }

    /// Opens a scope.
    pub fn open_scope(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes the innermost scope.
    pub fn close_scope(&mut self) {
        for hidden in self.scopes.pop().unwrap_or_default().into_iter().rev() {
            match hidden {
                Hidden::Symbol(name, old) => self.visible[name as usize] = old,
                Hidden::Tag(name, old) => self.tags[name as usize] = old,
            }
        }
    }

    /// Number of scopes that are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Whether no scope is open.
    pub fn at_file_scope(&self) -> bool {
        self.scopes.is_empty()
    }

    /// The symbol that a name means here.
    #[inline]
    pub fn lookup(&self, name: Name) -> Option<u32> {
        self.visible[name as usize]
    }

    /// By name: the symbol that it means here.
    pub fn visible(&self) -> &[Option<u32>] {
        &self.visible
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, symbol: Symbol) -> u32 {
        let name = symbol.name;
        let number = self.list.len() as u32;
        self.list.push(symbol);
        let old = self.visible[name as usize].replace(number);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Hidden::Symbol(name, old));
        }
        number
    }

    /// Takes back the declaration of a name at file scope.
    pub fn forget(&mut self, name: Name) {
        self.visible[name as usize] = None;
    }

    /// The type that a tag names here.
    pub fn tag(&self, name: Name) -> Option<Tag> {
        self.tags[name as usize]
    }

    /// Declares a tag in the innermost scope.
    pub fn declare_tag(&mut self, name: Name, tag: Tag) {
        let old = self.tags[name as usize].replace(tag);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Hidden::Tag(name, old));
        }
    }

    /// Whether the tag was declared in the innermost scope.
    pub fn tag_in_this_scope(&self, name: Name) -> bool {
        match self.scopes.last() {
            Some(scope) => scope
                .iter()
                .any(|hidden| matches!(hidden, Hidden::Tag(n, _) if *n == name)),
            None => true,
        }
    }
}
