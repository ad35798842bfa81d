//! OpenCoarrays' `cafrun`, a script that calls an MPI's launcher. It takes the number of images as
//! its first option, and passes the rest on.

use super::table::{Launcher, all_by_itself, as_shells};

pub(super) const TABLE: Launcher = Launcher {
    name: "OpenCoarrays' cafrun",
    commands: &["cafrun"],
    recognises: None,
    first: &[],
    only: Some("coarrays"),
    shape: |shape| vec!["-n".to_string(), shape.tasks.to_string()],
    // Which launcher it calls is not known: its processes on this node get all variables.
    environment: all_by_itself,
    own_environment: &[],
    crowded: &[
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ],
    status: as_shells,
};
