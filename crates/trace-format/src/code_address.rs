//! Places that a recorder knows by the address of their code alone, and how sites state them until
//! debug information has given their lines.

use crate::model::Site;

/// The line number that marks a site whose file is a [`CodeAddress`]. No source file has it.
pub const CODE_LINE: u32 = u32::MAX;

/// An address in the file that the code was loaded from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CodeAddress {
    /// Address in the file, as its debug information states it: of a function its entry, of a call
    /// a byte of the instruction that calls.
    pub address: u64,
    /// Build id of the file in hexadecimal digits; empty if it has none.
    pub build_id: String,
    /// Its path; empty if the code is of no file.
    pub path: String,
}

/// Stands for a build id where there is none.
const NO_BUILD_ID: &str = "-";

impl CodeAddress {
    /// As it stands for the file of a site: address, build id and path with blanks between.
    pub fn to_text(&self) -> String {
        let build_id = match self.build_id.as_str() {
            "" => NO_BUILD_ID,
            build_id => build_id,
        };
        format!("{:#x} {build_id} {}", self.address, self.path)
    }

    /// The place of a site that has no other one.
    pub fn of(site: &Site) -> Option<Self> {
        if site.line != CODE_LINE {
            return None;
        }
        let mut parts = site.file.splitn(3, ' ');
        let address = parts.next()?.strip_prefix("0x")?;
        let build_id = match parts.next()? {
            NO_BUILD_ID => "",
            build_id => build_id,
        };
        Some(CodeAddress {
            address: u64::from_str_radix(address, 16).ok()?,
            build_id: build_id.to_owned(),
            path: parts.next()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_come_back_from_sites() {
        for (build_id, path) in [("c0ffee", "/home/me/my program"), ("", "/bin/a"), ("", "")] {
            let place = CodeAddress {
                address: 0x1234,
                build_id: build_id.into(),
                path: path.into(),
            };
            let site = Site::function("", &place.to_text(), CODE_LINE);
            assert_eq!(CodeAddress::of(&site), Some(place));
        }
    }

    #[test]
    fn other_sites_have_none() {
        for (file, line) in [
            ("0x12 - /bin/a", 7),
            ("a.c", CODE_LINE),
            ("0x12", CODE_LINE),
            ("0x12 -", CODE_LINE),
            ("0xg - /bin/a", CODE_LINE),
        ] {
            assert_eq!(CodeAddress::of(&Site::function("", file, line)), None);
        }
    }
}
