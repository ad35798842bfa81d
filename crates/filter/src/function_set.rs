//! Sets of functions by the addresses of their code, for programs that report functions by address:
//! the recorder does not know their names. The command that starts the program looks the names up
//! once for all processes, and leaves the addresses for them.

use std::collections::BTreeMap;

/// Beginning of a line that names a module, and what stands for a build id where there is none.
const MODULE: &str = "module ";
const NO_BUILD_ID: &str = "-";

/// Functions of a program and its libraries, such as those that a filter excludes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionSet {
    /// By build id, or by path where there is none: addresses in the file, in ascending order.
    modules: BTreeMap<String, Vec<u64>>,
}

impl FunctionSet {
    /// Adds functions of a module, by their addresses in its file.
    pub fn add(&mut self, build_id: &str, path: &str, addresses: impl IntoIterator<Item = u64>) {
        let known = self.modules.entry(key(build_id, path)).or_default();
        known.extend(addresses);
        known.sort_unstable();
        known.dedup();
    }

    /// Whether the function at an address of a module is in the set.
    pub fn contains(&self, build_id: &str, path: &str, address: u64) -> bool {
        let known = self.modules.get(&key(build_id, path));
        known.is_some_and(|addresses| addresses.binary_search(&address).is_ok())
    }

    /// As text: a line for each module, and one for each address.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (module, addresses) in &self.modules {
            text += &format!("{MODULE}{module}\n");
            for address in addresses {
                text += &format!("{address:x}\n");
            }
        }
        text
    }

    /// Reads such a text.
    ///
    /// # Errors
    /// The number of the first line that is not part of one.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut read = Self::default();
        let mut current: Option<&mut Vec<u64>> = None;
        for (index, line) in text.lines().enumerate() {
            if let Some(module) = line.strip_prefix(MODULE) {
                current = Some(read.modules.entry(module.to_owned()).or_default());
                continue;
            }
            let address = u64::from_str_radix(line, 16);
            match (current.as_mut(), address) {
                (Some(addresses), Ok(address)) => addresses.push(address),
                _ => return Err(index + 1),
            }
        }
        read.modules
            .values_mut()
            .for_each(|all| all.sort_unstable());
        Ok(read)
    }
}

/// A build id says what is in a file, wherever that is.
fn key(build_id: &str, path: &str) -> String {
    match build_id {
        "" => format!("{NO_BUILD_ID} {}", path.replace('\n', " ")),
        build_id => build_id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut all = FunctionSet::default();
        all.add("c0ffee", "/home/me/prog", [0x30, 0x10]);
        all.add("", "/lib/my lib.so", [0x20]);
        all.add("ab", "/lib/none.so", []);
        let read = FunctionSet::parse(&all.to_text()).unwrap();
        assert_eq!(read, all);
        assert!(read.contains("c0ffee", "/elsewhere/prog", 0x10));
        assert!(read.contains("c0ffee", "", 0x30));
        assert!(!read.contains("c0ffee", "/home/me/prog", 0x20));
        assert!(read.contains("", "/lib/my lib.so", 0x20));
        assert!(!read.contains("", "/lib/other.so", 0x20));
        assert!(!read.contains("ab", "/lib/none.so", 0x20));
    }

    #[test]
    fn other_texts_are_refused() {
        assert_eq!(FunctionSet::parse("10\n"), Err(1));
        assert_eq!(FunctionSet::parse("module ab\n10\nmain\n"), Err(3));
        assert_eq!(FunctionSet::parse(""), Ok(Default::default()));
    }
}
