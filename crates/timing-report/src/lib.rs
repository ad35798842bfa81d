//! Results of timed operations for people and other programs: tables, CSV, JSON, plots, a page,
//! comparisons.
