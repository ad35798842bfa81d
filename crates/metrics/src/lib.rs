//! Definitions of metrics, such as `slow = time(upc_memget) if inside(solve) and phase == 2`.
//!
//! The tool parses them to report errors before a program starts, the recorder to evaluate them
//! ([`Definitions`]). The grammar, in which `{}` repeats and `[]` may be absent:
//!
//! ```text
//! metric     = name "=" measure [ "if" any ]
//! measure    = "time" "(" [ region ] ")" | "count" "(" region ")" | "bytes" "(" region ")"
//! any        = all { "or" all }
//! all        = one { "and" one }
//! one        = "not" one | "(" any ")" | "inside" "(" region ")" | value comparison value
//! comparison = "==" | "!=" | "<" | "<=" | ">" | ">="
//! value      = number [ "ns" | "us" | "ms" | "s" ] | "thread" | "threads" | name
//! region     = name with wildcards, or any text with wildcards in double quotes
//! name       = letter or "_", then letters, digits, "_"
//! ```

mod condition;
mod definition;
mod definitions;
mod error;
mod file;
mod parser;
mod token;

pub use condition::{Comparison, Condition, Value, Values};
pub use definition::{Definition, MOST_REGIONS, Measure, Region};
pub use definitions::Definitions;
pub use error::DefinitionError;
pub use file::{lines, parse_file};
