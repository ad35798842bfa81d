//! The sites of one stream, each once. A recorder may describe a site again under a new number (a
//! dictionary that started afresh, two copies of a file name at different addresses); analyses
//! compare regions by number, so equal descriptions get one number here.

use pgas_trace::model::{Operation, Site, SiteId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Number of a distinct [`Site`] in a [`SiteTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceSite(pub u32);

const UNKNOWN: SourceSite = SourceSite(u32::MAX);

/// Distinct sites, and which of them each site number of the stream means.
#[derive(Debug, Default)]
pub struct SiteTable {
    sites: Vec<Site>,
    operations: Vec<Operation>,
    numbers: FxHashMap<Site, SourceSite>,
    of_stream: Vec<SourceSite>,
}

impl SiteTable {
    /// Definition of a site of this table.
    pub fn site(&self, site: SourceSite) -> &Site {
        &self.sites[site.0 as usize]
    }

    /// Kind of region that is entered at a site of this table.
    pub fn operation(&self, site: SourceSite) -> Operation {
        self.operations[site.0 as usize]
    }

    /// Number of distinct sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether no site was added yet.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The number of an equal site, which is added if there is none.
    pub fn intern(&mut self, site: &Site) -> SourceSite {
        if let Some(&known) = self.numbers.get(site) {
            return known;
        }
        let number = SourceSite(self.sites.len() as u32);
        self.sites.push(site.clone());
        self.operations.push(site.operation);
        self.numbers.insert(site.clone(), number);
        number
    }

    /// Number of the stream's site `id` in this table; calls `definition` if the id is new. `None`
    /// if the site is undefined.
    #[inline]
    pub fn resolve<'a>(
        &mut self,
        id: SiteId,
        definition: impl FnOnce(SiteId) -> Option<&'a Site>,
    ) -> Option<SourceSite> {
        match self.of_stream.get(id.0 as usize) {
            Some(&site) if site != UNKNOWN => Some(site),
            _ => self.resolve_first(id, definition(id)?),
        }
    }

    #[cold]
    fn resolve_first(&mut self, id: SiteId, definition: &Site) -> Option<SourceSite> {
        let site = match definition.source_file() == definition.file {
            true => self.intern(definition),
            false => self.intern(&Site {
                file: definition.source_file().to_owned(),
                ..definition.clone()
            }),
        };
        let index = id.0 as usize;
        if index >= self.of_stream.len() {
            self.of_stream.resize(index + 1, UNKNOWN);
        }
        self.of_stream[index] = site;
        Some(site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(line: u32) -> Site {
        Site {
            operation: Operation::Get,
            file: "a.upc".into(),
            line,
            name: String::new(),
        }
    }

    #[test]
    fn words_of_the_runtime_are_no_files() {
        let mut table = SiteTable::default();
        for (id, word) in ["_FINAL_BARRIER", "_STARTUP", "<unknown>"]
            .iter()
            .enumerate()
        {
            let definition = Site {
                operation: Operation::Barrier,
                file: (*word).into(),
                line: 0,
                name: String::new(),
            };
            let id = SiteId(id as u32);
            let site = table.resolve(id, |_| Some(&definition)).unwrap();
            assert_eq!(table.site(site).file, "", "{word}");
        }
    }

    #[test]
    fn equal_descriptions_are_one_site() {
        let definitions = [site(3), site(4), site(3)];
        let mut table = SiteTable::default();
        let mut resolve = |n: u32| table.resolve(SiteId(n), |id| definitions.get(id.0 as usize));
        let first = resolve(0);
        assert_eq!(first, resolve(2));
        assert_ne!(first, resolve(1));
        assert_eq!(first, resolve(0));
        assert_eq!(resolve(3), None);
        assert_eq!(table.len(), 2);
    }
}
