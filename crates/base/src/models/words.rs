//! The word that a program has for its threads, and their numbers.

use super::Model;

/// The word for one thread of a program, and for several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// "thread", "PE", "image", "rank".
    pub one: &'static str,
    /// "threads", "PEs", "images", "ranks".
    pub many: &'static str,
    /// "a" or "an": what stands before [`Words::one`].
    pub article: &'static str,
    /// The number of the first one for people: images count from 1. Files count from 0.
    pub first: u32,
}

/// The word of UPC, and that of programs in which several models have words of their own.
pub(super) const THREADS: Words = Words {
    one: "thread",
    many: "threads",
    article: "a",
    first: 0,
};

impl Default for Words {
    fn default() -> Self {
        THREADS
    }
}

impl Words {
    /// The words of one model.
    fn of_model(model: Model) -> Self {
        let (one, many) = match model {
            Model::Upc => return THREADS,
            Model::OpenShmem => ("PE", "PEs"),
            Model::Coarrays => {
                return Words {
                    one: "image",
                    many: "images",
                    article: "an",
                    first: 1,
                };
            }
            Model::Mpi => ("rank", "ranks"),
            Model::Tasks => ("processor", "processors"),
        };
        Words {
            one,
            many,
            ..THREADS
        }
    }

    /// The words of a program of these models. Calls of MPI beside those of another model do not
    /// count; where two other models have a word each, it is "thread".
    pub fn of(models: &[Model]) -> Self {
        let mut words: Vec<Words> = Vec::new();
        for model in models.iter().filter(|&&model| model != Model::Mpi) {
            let of_model = Words::of_model(*model);
            if !words.contains(&of_model) {
                words.push(of_model);
            }
        }
        match (&words[..], models) {
            ([only], _) => *only,
            ([], [Model::Mpi, ..]) => Words::of_model(Model::Mpi),
            _ => THREADS,
        }
    }

    /// The words of a program whose first thread has this name, such as "image 1"; those of UPC if
    /// it is another one.
    pub fn of_first_name(name: &str) -> Self {
        let mut all = Model::ALL.into_iter().map(Words::of_model);
        all.find(|words| words.name(0) == name).unwrap_or(THREADS)
    }

    /// The number of the thread with this index.
    pub fn number(&self, thread: u32) -> u32 {
        thread.saturating_add(self.first)
    }

    /// "thread 3", "PE 3", "image 4".
    pub fn name(&self, thread: u32) -> String {
        format!("{} {}", self.one, self.number(thread))
    }

    /// "Thread 3", "PE 3", "Image 4".
    pub fn title(&self, thread: u32) -> String {
        format!("{} {}", capital(self.one), self.number(thread))
    }

    /// "1 thread", "4 PEs".
    pub fn count(&self, number: usize) -> String {
        match number {
            1 => format!("1 {}", self.one),
            n => format!("{n} {}", self.many),
        }
    }
}

/// The word as a sentence begins with it.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Model::{Coarrays, Mpi, OpenShmem, Upc};

    #[test]
    fn a_program_has_the_word_of_its_model() {
        for (models, expected) in [
            (&[][..], "thread"),
            (&[Upc], "thread"),
            (&[OpenShmem], "PE"),
            (&[Coarrays], "image"),
            (&[Mpi], "rank"),
            (&[Upc, Mpi], "thread"),
            (&[OpenShmem, Mpi], "PE"),
            (&[Coarrays, Mpi], "image"),
            (&[Upc, OpenShmem], "thread"),
            (&[OpenShmem, Coarrays, Mpi], "thread"),
        ] {
            assert_eq!(Words::of(models).one, expected, "{models:?}");
        }
    }

    #[test]
    fn images_count_from_one() {
        let (pe, image) = (Words::of(&[OpenShmem]), Words::of(&[Coarrays]));
        assert_eq!((pe.name(3), pe.title(0)), ("PE 3".into(), "PE 0".into()));
        assert_eq!(image.name(3), "image 4");
        assert_eq!(image.title(0), "Image 1");
        assert_eq!(
            (pe.count(1), image.count(4)),
            ("1 PE".into(), "4 images".into())
        );
    }
}
