//! Searches a trace for wait states, profiles it, and ranks findings.
