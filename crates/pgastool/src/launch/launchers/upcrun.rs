//! Berkeley UPC's `upcrun`, which calls the launcher that it was installed for. It counts UPC
//! threads, not processes, and passes on variables whose names begin with UPC_, BUPC_ or GASNET_,
//! and with what UPC_ENVPREFIX says.

use super::table::{Launcher, Shape, all_by_itself, as_shells};

pub(super) const TABLE: Launcher = Launcher {
    name: "upcrun",
    commands: &["upcrun"],
    recognises: None,
    // Without what the runtime says about itself at the start.
    first: &["-q"],
    only: Some("berkeley"),
    shape,
    environment: all_by_itself,
    own_environment: &[("UPC_ENVPREFIX", "PGAS_")],
    crowded: &[],
    status: as_shells,
};

fn shape(shape: &Shape) -> Vec<String> {
    let mut options = vec!["-n".to_string(), shape.tasks.to_string()];
    if let Some(nodes) = shape.nodes {
        options.extend(["-N".to_string(), nodes.to_string()]);
    }
    options
}
