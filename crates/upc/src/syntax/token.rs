//! Tokens of preprocessed UPC: what kind each one is, where it stands in the text, and which source
//! line it came from. Keywords are recognised in all their GNU spellings, UPC's own without any
//! header.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Index of a token in [`crate::syntax::lex::Source::tokens`].
pub type TokIdx = u32;

/// Number of an interned identifier.
pub type Name = u32;

macro_rules! punctuators {
    ($($variant:ident $text:literal),* $(,)?) => {
        /// A punctuator.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs)]
        pub enum P { $($variant),* }
        impl P {
            /// The usual spelling.
            pub fn text(self) -> &'static str { match self { $(P::$variant => $text),* } }
        }
    };
}

punctuators! {
    LParen "(", RParen ")", LBrace "{", RBrace "}", LBracket "[", RBracket "]", Semi ";", Comma ",", Dot ".",
    Arrow "->", Ellipsis "...", Question "?", Colon ":", Tilde "~", Not "!", Plus "+", Minus "-", Star "*",
    Slash "/", Percent "%", Amp "&", Pipe "|", Caret "^", Shl "<<", Shr ">>", Lt "<", Gt ">", Le "<=", Ge ">=",
    EqEq "==", Ne "!=", AndAnd "&&", OrOr "||", Inc "++", Dec "--", Assign "=", PlusAssign "+=",
    MinusAssign "-=", StarAssign "*=", SlashAssign "/=", PercentAssign "%=", AmpAssign "&=", PipeAssign "|=",
    CaretAssign "^=", ShlAssign "<<=", ShrAssign ">>=", Hash "#", HashHash "##", At "@", Backslash "\\",
}

macro_rules! keywords {
    ($($variant:ident: $($text:literal)*;)*) => {
        /// A keyword, whichever way it is spelled.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs)]
        pub enum K { $($variant),* }
        /// All spellings of all keywords.
        pub const KEYWORDS: &[(&str, K)] = &[$($(($text, K::$variant)),*),*];
    };
}

keywords! {
    Auto: "auto"; AutoType: "__auto_type"; Break: "break"; Case: "case"; Char: "char";
    Const: "const" "__const" "__const__"; Continue: "continue"; Default: "default"; Do: "do"; Double: "double";
    Else: "else"; Enum: "enum"; Extern: "extern"; Float: "float"; For: "for"; Goto: "goto"; If: "if";
    Inline: "inline" "__inline" "__inline__"; Int: "int"; Long: "long"; Register: "register";
    Restrict: "restrict" "__restrict" "__restrict__"; Return: "return"; Short: "short";
    Signed: "signed" "__signed" "__signed__"; Sizeof: "sizeof"; Static: "static"; Struct: "struct";
    Switch: "switch"; Typedef: "typedef"; Union: "union"; Unsigned: "unsigned"; Void: "void";
    Volatile: "volatile" "__volatile" "__volatile__"; While: "while"; Bool: "_Bool";
    Complex: "_Complex" "__complex" "__complex__"; Imaginary: "_Imaginary";
    Alignas: "_Alignas"; Alignof: "_Alignof" "__alignof" "__alignof__"; Atomic: "_Atomic"; Generic: "_Generic";
    Noreturn: "_Noreturn"; StaticAssert: "_Static_assert"; ThreadLocal: "_Thread_local" "__thread";
    Typeof: "typeof" "__typeof" "__typeof__"; Attribute: "__attribute__" "__attribute";
    Asm: "asm" "__asm" "__asm__"; Extension: "__extension__"; Label: "__label__";
    Real: "__real__" "__real"; Imag: "__imag__" "__imag"; VaArg: "__builtin_va_arg";
    Offsetof: "__builtin_offsetof"; TypesCompatible: "__builtin_types_compatible_p";
    ChooseExpr: "__builtin_choose_expr"; HasAttribute: "__builtin_has_attribute"; Int128: "__int128" "__int128__";
    FloatN: "_Float128" "__float128" "_Float16" "_Float32" "_Float64" "_Float32x" "_Float64x" "_Float128x"
        "__bf16" "__ibm128" "__float80" "_Decimal32" "_Decimal64" "_Decimal128";
    VaList: "__builtin_va_list" "__builtin_sysv_va_list" "__builtin_ms_va_list" "__int128_t" "__uint128_t";
    Shared: "shared"; Strict: "strict"; Relaxed: "relaxed"; Forall: "upc_forall"; Barrier: "upc_barrier";
    Notify: "upc_notify"; Wait: "upc_wait"; Fence: "upc_fence"; LocalSizeof: "upc_localsizeof";
    BlockSizeof: "upc_blocksizeof"; ElemSizeof: "upc_elemsizeof"; MyThread: "MYTHREAD"; Threads: "THREADS";
    MaxBlockSize: "UPC_MAX_BLOCK_SIZE";
}

/// The keyword that `text` spells, if it is one.
pub fn keyword(text: &str) -> Option<K> {
    static TABLE: OnceLock<HashMap<&'static str, K>> = OnceLock::new();
    TABLE
        .get_or_init(|| KEYWORDS.iter().copied().collect())
        .get(text)
        .copied()
}

/// Kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tok {
    /// An identifier that is not a keyword.
    Ident,
    /// A preprocessing number.
    Number,
    /// A character constant.
    Char,
    /// A string literal.
    Str,
    /// A punctuator.
    Punct(P),
    /// A keyword of C, GNU C or UPC.
    Kw(K),
    /// A character that begins no token of C.
    Other,
    /// The end of the text.
    Eof,
}

/// The default of shared accesses here is strict (`#pragma upc strict`).
pub const STRICT_DEFAULT: u8 = 1;
/// The token comes from a system header.
pub const SYSTEM: u8 = 2;
/// `#pragma pupc off` is in force.
pub const INST_OFF: u8 = 4;
/// White space stands before the token.
pub const SPACE: u8 = 8;
/// The token comes from one of the headers that belong to the embedded compiler.
pub const OURS: u8 = 16;

/// One token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Tok,
    /// Combination of [`STRICT_DEFAULT`], [`SYSTEM`], [`INST_OFF`], [`SPACE`], [`OURS`].
    pub flags: u8,
    /// Interned spelling of identifiers and keywords.
    pub name: Name,
    /// First byte in the preprocessed text.
    pub start: u32,
    /// One after the last byte.
    pub end: u32,
    /// Line in the user's source, from 1.
    pub line: u32,
    /// Column in the preprocessed line, from 1.
    pub column: u32,
    /// Index in [`crate::syntax::lex::Source::files`].
    pub file: u32,
}
