//! Several filters that hold together, as that of a run and those that its program was compiled
//! with: what one of them excludes is not recorded.

use crate::{Filter, FilterError};

/// Stands between two filters in one text.
const AND: &str = "# ---- and the rules of another filter ----\n";

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllOf(Vec<Filter>);

impl AllOf {
    /// The text of several filters.
    pub fn text<'a>(filters: impl IntoIterator<Item = &'a str>) -> String {
        let with_end = |text: &str| match text.ends_with('\n') {
            true => text.to_owned(),
            false => format!("{text}\n"),
        };
        let texts: Vec<String> = filters.into_iter().map(with_end).collect();
        texts.join(AND)
    }

    /// Reads such a text, or that of one filter; `name` is its name for messages.
    ///
    /// # Errors
    /// As [`Filter::parse`].
    pub fn parse(text: &str, name: &str) -> Result<Self, FilterError> {
        let texts = text.split(AND);
        let filters = texts.map(|text| Filter::parse(text, name));
        filters.collect::<Result<_, _>>().map(AllOf)
    }

    /// As [`Filter::includes_function_of`].
    pub fn includes_function_of(&self, function: &str, file: &[&str]) -> bool {
        let mut filters = self.0.iter();
        filters.all(|filter| filter.includes_function_of(function, file))
    }

    /// As [`Filter::includes_operation`].
    pub fn includes_operation(&self, name: &str) -> bool {
        self.0.iter().all(|filter| filter.includes_operation(name))
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Filter::is_empty)
    }
}

impl From<Filter> for AllOf {
    fn from(filter: Filter) -> Self {
        AllOf(vec![filter])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_F: &str = "SCOREP_REGION_NAMES_BEGIN EXCLUDE f upc_get SCOREP_REGION_NAMES_END";
    const ONLY_G: &str = "SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE g f SCOREP_REGION_NAMES_END";

    #[test]
    fn what_one_excludes_is_excluded() {
        let text = AllOf::text([NO_F, ONLY_G]);
        let both = AllOf::parse(&text, "both").unwrap();
        let included = |name: &str| both.includes_function_of(name, &[""]);
        assert_eq!(["f", "g", "h"].map(included), [false, true, false]);
        assert!(!both.includes_operation("upc_get") && both.includes_operation("upc_put"));
    }

    #[test]
    fn one_filter_is_itself() {
        let one = AllOf::parse(NO_F, "one").unwrap();
        assert_eq!(one, Filter::parse(NO_F, "one").unwrap().into());
        assert_eq!(AllOf::text([NO_F]).trim_end(), NO_F);
        assert!(AllOf::parse("", "none").unwrap().is_empty());
        assert!(AllOf::text([]).is_empty());
    }
}
