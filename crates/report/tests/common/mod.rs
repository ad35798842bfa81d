//! Results as an analysis would give them, made by code: a run of the integer sort with waiting,
//! and variations of it.
#![allow(dead_code, unused_imports)]

mod advice;
mod iterations;
mod live;
mod measuring;
mod nodes;
pub mod page;
mod run;
mod shapes;
mod sort;
mod tasks;

pub use advice::{neighbours, too_much_synchronization};
pub use iterations::{growing, throttled_loop};
pub use live::{searched, searched_only};
pub use measuring::{inflated, several_nodes, tiny_functions, without_trace};
pub use nodes::{little_known, neighbours_on};
pub use run::Run;
pub use shapes::{balanced, hostile, many, wide};
pub use sort::{integer_sort, killed};
pub use tasks::of_tasks;
