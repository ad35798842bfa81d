//! Tables of the studies and of the programs of each.

use crate::Error;
use crate::model::Model;
use crate::published::{self, Gain, Overhead};
use crate::settings::Settings;

/// A study: a page of its own.
#[derive(Debug)]
pub struct Study {
    /// Of the command, and of the page's file.
    pub name: &'static str,
    /// Heading of the page.
    pub title: &'static str,
    /// The question, in Markdown.
    pub question: &'static str,
    /// Question that the study answers: cost, size, or gain by versions of a program.
    pub subject: Subject,
    /// Problem class unless the user says otherwise, and the one of the short form.
    pub class: &'static str,
    /// Problem class of the short form.
    pub short_class: &'static str,
    /// Runs of each program unless the user says otherwise.
    pub runs: u32,
    /// Numbers of threads unless the user says otherwise.
    pub threads: &'static [u32],
}

impl Study {
    /// Programming model of its programs.
    pub(crate) fn model(&self) -> Model {
        match &self.subject {
            Subject::Cost | Subject::Size => Model::Upc,
            Subject::Gain(improved) => improved.model,
        }
    }

    /// The compiler that its programs need and that is not here.
    ///
    /// # Errors
    /// [`Error::Missing`].
    pub fn demand_compiler(&self) -> Result<(), Error> {
        self.model().demand()
    }

    /// Its problem class with these settings.
    pub fn class(&self, settings: &Settings) -> String {
        let default = if settings.short {
            self.short_class
        } else {
            self.class
        };
        settings
            .class
            .clone()
            .unwrap_or_else(|| default.to_string())
    }
}

/// Kind of figures that a study collects.
#[derive(Debug)]
pub enum Subject {
    /// Time that recording takes, for [`COSTS`].
    Cost,
    /// Bytes of traces, for [`SIZES`].
    Size,
    /// Time that following the advice saves.
    Gain(Improved),
}

/// Versions of one program, each made from the one before by following the report.
#[derive(Debug)]
pub struct Improved {
    /// The first is the naive one, the last the optimised one.
    pub versions: &'static [Version],
    /// Programming model and network.
    pub(crate) model: Model,
    /// The first one's reports also tell waiting and messages, and are compared.
    pub recordings: &'static [Recording],
    /// Gains that others published for the same program.
    pub published: &'static [Gain],
    /// Why what reports say differs from what was gained, a paragraph each.
    pub explanations: &'static [&'static str],
}

/// How the versions are recorded: what a report says depends on what is recorded, and on the size
/// of the problem.
#[derive(Debug)]
pub struct Recording {
    /// Problem class, if it is not the one that is timed.
    pub class: Option<&'static str>,
    /// For `pgastool compile`.
    pub compile_options: &'static [&'static str],
    /// Whether the run gets the costs of the machine, measured before.
    pub with_machine: bool,
}

const AS_TIMED: Recording = Recording {
    class: None,
    compile_options: &[],
    with_machine: false,
};
const WITH_MACHINE: Recording = Recording {
    with_machine: true,
    ..AS_TIMED
};
/// The smallest class with each access an event: larger ones have a hundred million.
const SMALL: Recording = Recording {
    class: Some("S"),
    compile_options: &["--accesses", "all"],
    ..AS_TIMED
};
const SMALL_WITH_OWN_ACCESSES: Recording = Recording {
    class: Some("S"),
    compile_options: &["--inst-local"],
    ..AS_TIMED
};

/// One version of a program.
#[derive(Debug)]
pub struct Version {
    /// Name of the version, as tables and commands show it.
    pub name: &'static str,
    /// From the top directory of the clone.
    pub source: &'static str,
    /// The file that is compared with other versions, where the source does nothing but include
    /// it.
    pub text: &'static str,
}

/// A program as NAS defines it, and how it is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// Short name, also of the executable.
    pub name: &'static str,
    /// Extent of the recording, for tables.
    pub recorded: &'static str,
    /// Source files, from the top directory of the clone.
    pub sources: &'static [&'static str],
    /// Options for `pgastool compile`.
    pub compile_options: &'static [&'static str],
    /// Options for `pgastool run`.
    pub run_options: &'static [&'static str],
    /// Overhead that others published for the same kernel, recorded in the same way.
    pub published: Option<Overhead>,
    /// Class when sizes are measured, where the study's own would fill disks: class A of IS has 67
    /// million events.
    pub size_class: Option<&'static str>,
}

macro_rules! versions {
    ($folder:literal) => {
        versions!($folder, concat!("studies/", $folder, "/naive.upc"), "upc")
    };
    // The naive version is a program that is there already.
    ($folder:literal, $naive:expr) => {
        versions!($folder, $naive, "upc")
    };
    ($folder:literal, $naive:expr, $suffix:literal) => {
        &[
            Version {
                name: "naive",
                source: concat!("studies/", $folder, "/naive.", $suffix),
                text: $naive,
            },
            Version {
                name: "optimised",
                source: concat!("studies/", $folder, "/optimised.", $suffix),
                text: concat!("studies/", $folder, "/optimised.", $suffix),
            },
        ]
    };
}

const fn of_jacobi(name: &'static str, source: &'static str) -> Version {
    Version {
        name,
        source,
        text: source,
    }
}

/// One more version than elsewhere: that own rows go through pointers-to-shared is among the first
/// findings when neighbours' rows are fetched as blocks.
const JACOBI: &[Version] = &[
    of_jacobi("naive", "studies/jacobi/naive.upc"),
    of_jacobi("blocks", "studies/jacobi/blocks.upc"),
    of_jacobi("optimised", "studies/jacobi/optimised.upc"),
];

const SCALING: &[u32] = &[1, 2, 4, 8, 16, 32];

const fn gain(
    name: &'static str,
    title: &'static str,
    question: &'static str,
    class: &'static str,
    improved: Improved,
) -> Study {
    Study {
        name,
        title,
        question,
        subject: Subject::Gain(improved),
        class,
        short_class: "S",
        runs: 7,
        threads: SCALING,
    }
}

/// All studies, in the order of `all`.
pub const STUDIES: &[Study] = &[
    Study {
        name: "cost",
        title: "The cost of recording",
        question: "How much longer do programs run when they are recorded? The same NAS kernels \
                   as in the publications, with all events and with a filter, with and without a \
                   helper thread, with and without compression.",
        subject: Subject::Cost,
        class: "A",
        short_class: "S",
        runs: 5,
        threads: &[2],
    },
    Study {
        name: "size",
        title: "How large traces are",
        question: "How many bytes does an event take, in the native format and in the two formats \
                   of the field?",
        subject: Subject::Size,
        class: "A",
        short_class: "S",
        runs: 1,
        threads: &[2],
    },
    Study {
        // Its runs are short.
        runs: 15,
        ..gain(
            "is",
            "Integer sort",
            "NAS IS sorts integer keys by buckets, and each iteration makes and hands over \
             buffers anew. What does the tool find in it, and what does following it bring?",
            "A",
            Improved {
                model: Model::Upc,
                versions: versions!("is", "npb-fixtures/is/is.c"),
                recordings: &[AS_TIMED, SMALL],
                published: published::IS_GAIN,
                explanations: &[
                    "Reports say what all of the copying of own keys costs. The optimised version \
                     does not copy them, but reads them where they lie, which takes a part of \
                     that time then: they no longer come into the caches by the copy. So it gains \
                     about half of what was said.",
                ],
            },
        )
    },
    Study {
        // Its gain is no larger than its runs differ from each other.
        runs: 41,
        ..gain(
            "ft",
            "Fourier transform",
            "NAS FT transforms a cube of complex numbers, and transposes it between the \
             dimensions. What does the tool find in it, and what does following it bring?",
            "A",
            Improved {
                model: Model::Upc,
                versions: versions!("ft", "npb-fixtures/ft/ft.c"),
                recordings: &[AS_TIMED],
                published: published::FT_GAIN,
                explanations: &[],
            },
        )
    },
    Study {
        // Its runs are short.
        runs: 15,
        ..gain(
            "jacobi",
            "Jacobi's iteration",
            "An iteration in which each point becomes the mean of its neighbours, written with \
             pointers-to-shared throughout. What does the tool find in it, and what does \
             following it bring?",
            "W",
            Improved {
                model: Model::Upc,
                versions: JACOBI,
                recordings: &[SMALL, SMALL_WITH_OWN_ACCESSES],
                published: published::JACOBI_GAIN,
                explanations: &[
                    "A single access here takes less time than recording it, so that next to \
                     nothing of what the findings are about is left once recording is taken off, \
                     and that is the difference of two figures that are both estimates. Most of \
                     what plain builds gain is not in any finding: the C compiler vectorises the \
                     loops once they read private memory.",
                    "From the second version to the third, own rows are used through pointers to \
                     private. Accesses to own data are recorded only with `--inst-local`; without \
                     it the report cannot say anything about them.",
                ],
            },
        )
    },
    gain(
        "queue",
        "A shared work queue",
        "Threads take tasks from a common queue, which a lock guards. The publications have no \
         program with locks. What does the tool find in it, and what does following it bring?",
        "W",
        Improved {
            model: Model::Upc,
            versions: versions!("queue"),
            recordings: &[AS_TIMED],
            published: &[],
            explanations: &[
                "Each saving at a call of the locks is that without this call alone, the waiting \
                 for its lock included. Without one of them threads come to the next one earlier \
                 and wait there, so that the sum of all counts some waiting more than once. Which \
                 thread gets a lock next is not known to a replay either, so that savings at \
                 locks are larger bounds than others.",
            ],
        },
    ),
    gain(
        "prefix",
        "A prefix reduction",
        "Each thread needs the sums of all threads before it, again and again. The publications \
         have no such program. What does the tool find in it, and what does following it bring?",
        "W",
        Improved {
            model: Model::Upc,
            versions: versions!("prefix"),
            recordings: &[AS_TIMED],
            published: &[],
            explanations: &[],
        },
    ),
    Study {
        threads: &[1, 2],
        ..gain(
            "heat",
            "Heat in OpenSHMEM",
            "PEs that need rows of their neighbours fetch them element by element. The report says \
             what block transfers would save at most. How close does that come to what they do \
             save, with and without measured costs of the machine?",
            "W",
            Improved {
                versions: versions!("heat", "studies/heat/naive.c", "c"),
                recordings: TRANSFERS,
                published: &[],
                explanations: &[
                    "A single get through shared memory takes less time than recording it, so that most of what \
                     the recorded run would save is recording: recorded, as much was gained as was \
                     said. What is left of the findings once recording is taken off is the \
                     difference of two figures that are both estimates.",
                ],
                model: Model::OpenShmem,
            },
        )
    },
    Study {
        threads: &[2],
        ..gain(
            "bodies",
            "Bodies on several nodes",
            "Threads on several nodes fetch records of others one by one, in UPC over MPI. The \
             report says what block transfers would save at most. How close does that come to what \
             they do save, with and without measured costs of the machine?",
            "W",
            Improved {
                versions: versions!("bodies"),
                recordings: TRANSFERS,
                published: &[],
                explanations: &[],
                model: Model::UpcBetweenNodes,
            },
        )
    },
];

/// Savings by assumed costs, and by measured ones.
const TRANSFERS: &[Recording] = &[AS_TIMED, WITH_MACHINE];

/// Names of all studies.
pub fn names() -> Vec<&'static str> {
    STUDIES.iter().map(|study| study.name).collect()
}

/// Everything is recorded call by call.
const ALL: &[&str] = &["--throttle", "off"];
/// Each access to other threads' data and each function is an event.
const EACH_AN_EVENT: &[&str] = &["--accesses", "all", "--functions", "all"];

const fn kernel(
    name: &'static str,
    recorded: &'static str,
    sources: &'static [&'static str],
    published: Option<Overhead>,
) -> Kernel {
    Kernel {
        name,
        recorded,
        sources,
        compile_options: EACH_AN_EVENT,
        run_options: ALL,
        published,
        size_class: None,
    }
}

const CG_SOURCES: &[&str] = &["npb-fixtures/cg/cg.c"];
const IS_SOURCES: &[&str] = &["npb-fixtures/is/is.c", "npb-fixtures/is/randdp.c"];

const CG: Kernel = Kernel {
    compile_options: &["--inst-local", "--functions", "all"],
    ..kernel("cg", "all events", CG_SOURCES, published::CG)
};
const CG_FILTERED: Kernel = Kernel {
    compile_options: &[
        "--inst-local",
        "--functions",
        "all",
        "--filter",
        "npb-fixtures/cg/cg.filter",
    ],
    ..kernel("cg", "filtered", CG_SOURCES, published::CG_FILTERED)
};
const IS: Kernel = Kernel {
    size_class: Some("W"),
    ..kernel("is", "all events", IS_SOURCES, published::IS)
};
const IS_THROTTLED: Kernel = Kernel {
    run_options: &[],
    ..kernel("is", "throttled", IS_SOURCES, None)
};
const IS_FILTERED: Kernel = Kernel {
    compile_options: &[
        "--accesses",
        "all",
        "--functions",
        "all",
        "--filter",
        "npb-fixtures/is/is.filter",
    ],
    ..kernel("is", "filtered", IS_SOURCES, published::IS_FILTERED)
};
const FT: Kernel = kernel("ft", "all events", &["npb-fixtures/ft/ft.c"], published::FT);
const MG: Kernel = kernel("mg", "all events", &["npb-fixtures/mg/mg.c"], published::MG);
const EP: Kernel = kernel("ep", "all events", &["npb-fixtures/ep/ep.c"], published::EP);

/// Whose run time is compared.
pub const COSTS: &[Kernel] = &[CG, CG_FILTERED, IS, IS_THROTTLED, IS_FILTERED, FT, MG, EP];

/// Whose traces are compared.
pub const SIZES: &[Kernel] = &[CG, CG_FILTERED, IS, IS_FILTERED, FT, MG, EP];

impl Kernel {
    /// For tables and axes: `CG`, or `IS, filtered`.
    pub fn label(&self) -> String {
        let name = self.name.to_uppercase();
        match self.recorded {
            "all events" => name,
            recorded => format!("{name}, {recorded}"),
        }
    }
}
