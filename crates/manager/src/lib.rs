//! Keeps what is known of a running program, and offers it to other programs over HTTP on the
//! loopback interface.
//!
//! A [`Manager`] gets a [`pgas_monitor::Picture`] each period, and the findings of
//! [`pgas_search`]. It keeps [matrices](Matrix) of objects by metrics ([`Level`], [`Metric`]) with
//! totals and history, all of bounded size, and answers requests: docs/watch-api.md has the
//! endpoints, docs/schema/manager-1.json the form of answers.

mod announcement;
mod bounds;
mod forest;
mod fresh;
mod history;
mod journal;
mod locations;
mod locks;
mod manager;
mod matrix;
mod metric;
mod objects;
mod open_metrics;
mod operations;
mod paths;
mod problem;
mod server;
mod store;
mod tasks;

pub use fresh::{Fresh, Question};
pub use manager::{Manager, Options};
pub use matrix::Matrix;
pub use metric::{Metric, Rule};
pub use pgas_monitor::{Kind, Level};
pub use problem::ManagerError;
