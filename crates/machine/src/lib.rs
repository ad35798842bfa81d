//! Costs of a machine's operations, as `pgastool time --machine` measures them and analyses use
//! them.
