//! Names of topologies and their dimensions, which CUBE 3 has no place for: they are kept as
//! attributes of the file.

use std::collections::BTreeMap;

use crate::model::Cube;
use crate::topology::Topology;

/// Prefix of the attributes' keys.
const PREFIX: &str = "topology ";

fn key_of(topology: usize) -> String {
    format!("{PREFIX}{topology}")
}

fn key_of_dimension(topology: usize, dimension: usize) -> String {
    format!("{PREFIX}{topology} dimension {dimension}")
}

/// The attributes of the cube, and those for the names.
pub(super) fn attributes(cube: &Cube) -> BTreeMap<String, String> {
    let mut attributes = cube.attributes.clone();
    let mut add = |key, name: &String| {
        if !name.is_empty() {
            attributes.insert(key, name.clone());
        }
    };
    for (number, topology) in cube.topologies.iter().enumerate() {
        add(key_of(number), &topology.name);
        for (index, dimension) in topology.dimensions.iter().enumerate() {
            add(key_of_dimension(number, index), &dimension.name);
        }
    }
    attributes
}

/// Gives the topologies their names and takes the attributes away.
pub(super) fn take(cube: &mut Cube) {
    let Cube {
        attributes,
        topologies,
        ..
    } = cube;
    let mut name = |key, target: &mut String| {
        if let Some(name) = attributes.remove(&key) {
            *target = name;
        }
    };
    for (number, topology) in topologies.iter_mut().enumerate() {
        let Topology {
            name: own,
            dimensions,
            ..
        } = topology;
        name(key_of(number), own);
        for (index, dimension) in dimensions.iter_mut().enumerate() {
            name(key_of_dimension(number, index), &mut dimension.name);
        }
    }
}
