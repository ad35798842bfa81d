//! Sections that the runtime goes through from `__start_` to `__stop_`.

use super::lowering::Lowering;

impl Lowering<'_, '_> {
    /// The attribute of an object that the runtime finds in this section. LLD takes it that
    /// `__start_` and `__stop_` keep nothing, so that `--gc-sections` would take such objects away.
    pub(super) fn listed_in(&self, section: &str) -> String {
        let retain = match self.unit.src.dialect.retains {
            true => ", __retain__",
            false => "",
        };
        format!("__attribute__((__section__(\"{section}\"), __used__{retain}))")
    }
}
