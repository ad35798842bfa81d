//! The embedded UPC compiler: preprocessed UPC in, C out.
//!
//! It understands all of C99 and C11 with the GNU extensions that system headers and programs use,
//! and UPC 1.3. Only tokens that concern shared data are replaced; every other token is copied to
//! its line, so that messages of the C compiler and debuggers show the user's source. The runtime's
//! `LOWERING.md` describes the functions that the C relies on.
//!
//! # From tokens to C
//!
//! There is one pass over the tokens and no tree of the whole unit: statements leave no nodes. Each
//! external declaration is parsed, checked and lowered before the next one is read. Modules use
//! only those above them:
//!
//! | module | what it does | its state |
//! |---|---|---|
//! | `syntax` | tokens: lexer, contextual keywords, keywords of UPC 1.0, literals | `Source`: tokens, names, files |
//! | `diagnostic` | messages as the user sees them | |
//! | `sema` | types, symbols, typed expressions, constants, constraints | `sema::unit::Unit`, which has a `Source` |
//! | `locate`, `origins` | places in the user's files, of messages and of the C | |
//! | `emit` | C text in place of tokens | `emit::lowering::Emission`: edits, and what is to be lowered |
//! | `parse` | recursive descent, recovery after errors | `parse::parser::Parser`, which has a `Unit` and an `Emission` |
//!
//! `Unit` consists of parts with state of their own: `Types` (the type table), `Symbols` (symbol
//! table and scopes), `Exprs` (expressions in the order in which they were built), `Messages`, and
//! `Flow` (loops and the last synchronisation). `emit::lowering::Lowering` borrows a `Unit` and an
//! `Emission` for as long as it lowers something.
//!
//! The way of `a[i] = x;` with a shared array `a`:
//!
//! 1. `parse::stmt` sees no keyword and asks `parse::expr` for an expression, which calls
//!    `sema::build` for each node. There the node gets its type, constraints are checked, and it is
//!    decided whether its tokens can be copied; here they cannot.
//! 2. `parse::stmt` adds the full expression to `emit::work::Work`, with the use that is made of
//!    its value.
//! 3. At the end of the function, `emit::function` takes each full expression from there.
//!    `emit::expr` writes those that cannot be copied as a `Rope`, a list of generated text and
//!    ranges of tokens; `emit::transfer` writes the access to `a[i]`, and `emit::access` its
//!    address. The rope becomes an edit of the token range in `emit::rope::Edits`.
//! 4. After the last declaration, `emit::printer` prints the tokens with all edits applied, nested
//!    ones too.
//!
//! Declarations of shared data, which must precede their use in C, are replaced while they are
//! parsed (`parse::decl`, `emit::object`); statements of UPC likewise (`parse::stmt`,
//! `emit::quiet`), apart from `upc_forall`, whose form depends on its body and is chosen at the end
//! of the function (`emit::forall`, `emit::own`).

mod diagnostic;
mod emit;
mod locate;
mod origins;
mod parse;
mod sema;
mod syntax;
mod unseen;

use emit::lowering::Lowering;
use parse::parser::Parser;
use sema::unit::Unit;
use syntax::contextual_keywords::{self, UseOfUpc};

pub use diagnostic::{Diagnostic, Note, Place, Severity};
pub use origins::{Origin, Origins, Replaced};
pub use unseen::Unseen;

/// `UPC_MAX_BLOCK_SIZE`: the largest number of elements in a block.
pub const MAX_BLOCK_SIZE: u64 = (1 << 31) - 1;

/// Decides whether a user function, given its name and file, is recorded.
pub type FunctionFilter = Box<dyn Fn(&str, &str) -> bool + Sync>;

/// Decides whether an operation of the runtime, given its name in reports such as `upc_memget`, is
/// recorded.
pub type OperationFilter = Box<dyn Fn(&str) -> bool + Sync>;

/// How to compile.
#[derive(Default)]
pub struct Options {
    /// Static number of threads; `None`: it is given when the program starts.
    pub threads: Option<u32>,
    /// Add the calls that report events.
    pub instrument: bool,
    /// Report also accesses of own affinity. The runtime's header decides this; here it only keeps
    /// accesses that are known to be own ones reported.
    pub instrument_local: bool,
    /// Count single accesses to shared data where they happen instead of reporting each.
    pub count_accesses: bool,
    /// Check accesses, pointers and calls of the library at run time.
    pub check: bool,
    /// Threads may be on several nodes: shared data is accessed by calls where it is not mapped.
    /// The text was preprocessed with `UPCR_MPI`.
    pub several_nodes: bool,
    /// Report begin and end of the user's functions.
    pub instrument_functions: bool,
    /// Leave out functions that are small and do nothing that is reported.
    pub leave_out_small: bool,
    /// Asked for each user function.
    pub function_filter: Option<FunctionFilter>,
    /// Asked for each statement, call and access that would report an operation.
    pub operation_filter: Option<OperationFilter>,
    /// Main source file, for messages.
    pub name: String,
    /// The source may be plain C: then `shared`, `THREADS` and the like are names, and what the
    /// compiler does not understand is for the C compiler to judge.
    pub maybe_c: bool,
    /// `barrier` and the like are keywords, as in UPC 1.0.
    pub old_keywords: bool,
}

/// A compiled source file.
#[derive(Debug)]
pub struct Output {
    /// The C text, with line markers; it is not to be preprocessed again.
    pub c: String,
    /// Where tokens of the source begin in `c` and in the preprocessed text.
    pub copied: Vec<(u32, u32)>,
    /// Pieces of `c` that stand in place of other tokens of the source, inner ones before those
    /// around them.
    pub replaced: Vec<Replaced>,
    /// Warnings about the program.
    pub warnings: Vec<Diagnostic>,
    /// It is plain C: nothing in it is of UPC.
    pub is_c: bool,
    /// It converts pointers to one type to pointers to another, so memory may be accessed as both.
    pub puns: bool,
    /// Its operations on shared data that are not reported.
    pub unseen: Unseen,
}

/// Stack of the thread that compiles: nesting and long chains of operators are limited so that this
/// is enough.
const STACK: usize = 1 << 29;

/// Compiles the preprocessor's output. Errors come with all messages about the program, warnings
/// included.
pub fn compile(preprocessed: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    // Function filters need not be `Send`; the scope keeps all that is borrowed alive.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || compile_here(preprocessed, options));
        match worker.map(|w| w.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => compile_here(preprocessed, options),
        }
    })
}

fn compile_here(preprocessed: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    if preprocessed.len() > u32::MAX as usize / 2 {
        return Err(vec![Diagnostic {
            severity: Severity::Error,
            file: options.name.clone(),
            line: 1,
            column: 0,
            length: 1,
            message: "the preprocessed source is larger than 2 GiB".to_owned(),
            rule: None,
            hint: None,
            source_line: None,
            included_from: Vec::new(),
            notes: Vec::new(),
        }]);
    }
    let mut source = syntax::lex::lex(preprocessed, &options.name);
    if options.old_keywords {
        syntax::upc10_keywords::promote(&mut source);
    }
    let use_of_upc = match options.maybe_c {
        true => contextual_keywords::use_of_upc(&source),
        false => UseOfUpc::Certain,
    };
    if use_of_upc == UseOfUpc::Nothing {
        return Ok(compile_c(preprocessed, options)
            .unwrap_or_else(|_| pass_on(syntax::lex::lex(preprocessed, &options.name))));
    }
    contextual_keywords::demote_identifiers(&mut source);
    let upc = compile_tokens(source, options);
    match use_of_upc {
        // An error of the program is shown as one of UPC only if it is no C either.
        UseOfUpc::Contextual if upc.is_err() => compile_c(preprocessed, options).or(upc),
        _ => upc,
    }
}

/// Compiles as C, in which contextual keywords are identifiers.
fn compile_c(preprocessed: &str, options: &Options) -> Result<Output, Vec<Diagnostic>> {
    let mut source = syntax::lex::lex(preprocessed, &options.name);
    contextual_keywords::demote_all(&mut source);
    let output = compile_tokens(source, options)?;
    Ok(Output {
        is_c: true,
        ..output
    })
}

/// Leaves all to the C compiler.
fn pass_on(source: syntax::lex::Source<'_>) -> Output {
    let printed = emit::printer::print(&source, &Default::default());
    Output {
        c: printed.text,
        copied: printed.copied,
        replaced: printed.replaced,
        warnings: Vec::new(),
        is_c: true,
        puns: true,
        unseen: Unseen::default(),
    }
}

fn compile_tokens(
    source: syntax::lex::Source<'_>,
    options: &Options,
) -> Result<Output, Vec<Diagnostic>> {
    let mut unit = Unit::new(source, options);
    unit.check_pragmas();
    let mut parser = Parser::new(unit);
    parser.translation_unit();
    let (mut unit, mut emission) = parser.into_parts();
    let pending = unit.messages.take();
    let mut locator = locate::Locator::new(&unit.src);
    let messages = pending.into_iter().map(|p| locator.finish(p)).collect();
    if unit.messages.errors() > 0 {
        return Err(messages);
    }
    Lowering::new(&mut unit, &mut emission).finish_unit();
    let printed = emit::printer::print(&unit.src, &emission.edits);
    Ok(Output {
        c: printed.text,
        copied: printed.copied,
        replaced: printed.replaced,
        warnings: messages,
        is_c: false,
        puns: unit.has_puns(),
        unseen: emission.take_unseen(),
    })
}
