//! Numbers expressions on shared data against the same text as plain C. A generator writes programs
//! of assignments, loops and calls over shared arrays and structures of random layouts, and
//! pointers to them that are private, static or shared themselves. `SHARED(block, type)` in their
//! declarations stands for a shared type in UPC and for the plain type in C: what both print, a
//! checksum of all that was computed and stored, must be the same.

mod common;

use common::numbers::Numbers;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seeds that are tried unless `UPC_SEEDS` says how many: enough for every mode and number of
/// threads.
const SEEDS: u64 = 6;
/// A program takes a fraction of a second; one that takes this long hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Arrays of arithmetic type in one program.
const ARRAYS: usize = 6;
/// Elements per thread of the arrays of structures.
const STRUCTURES: u64 = 4;
/// Functions in one program, and statements in each.
const FUNCTIONS: usize = 4;
const STATEMENTS: usize = 25;
/// How deep expressions nest in each other.
const DEPTH: usize = 4;

const TYPES: [&str; 9] = [
    "int",
    "long",
    "short",
    "signed char",
    "unsigned",
    "unsigned char",
    "long long",
    "float",
    "double",
];

/// Block sizes; 0 is an indefinite one, all elements on one thread.
const BLOCKS: [u64; 6] = [0, 1, 2, 3, 5, 7];

/// Variables of all programs. `clip` keeps numbers where every type can hold them, `check` adds to
/// the checksum.
const COMMON: &str = "\
#include <stdio.h>
struct inner { short s[3]; unsigned b : 5; int c : 7; signed char q; };
struct outer {
    int a; struct inner in[2]; long l; double d; unsigned char uc[5];
    SHARED(1, int) *p1; SHARED(0, int) *p0; SHARED(3, int) *p3;
};
SHARED(0, int) i0[12];
SHARED(1, int) i1[12 * THREADS];
SHARED(3, int) i3[12 * THREADS];
SHARED(1, int) sc;
SHARED(1, long) sl;
SHARED(1, struct outer) ss;
struct outer ls;
int li = 3; long ll = 5; unsigned lu = 7; short lsh = -2;
static unsigned long sum = 1;
static void check(double x) { sum = sum * 31 + (unsigned long)(long)x; }
static double clip(double x) { return x > 1e6 || x < -1e6 || x != x ? 3 : x; }
static struct outer changed(struct outer x) { x.l ^= 1; return x; }
";

/// Macros before the text that make it UPC.
const UPC_MACROS: &str = "\
#define SHARED(block, ...) shared [block] __VA_ARGS__
#define SHARED_POINTER shared
#define WAIT upc_barrier
";

/// Macros before the text that make it C that does what the last of THREADS threads does.
const C_MACROS: &str = "\
#define SHARED(block, ...) __VA_ARGS__
#define SHARED_POINTER
#define WAIT
#define MYTHREAD (THREADS - 1)
";

/// An array, which has a private pointer `to_NAME`, pointers `row_NAME[3]` and a shared pointer
/// `far_NAME` to it.
struct Array {
    name: String,
    element: &'static str,
    block: u64,
    /// Elements that are accessed, in each dimension.
    dimensions: Vec<u64>,
    /// The dimension that is this times THREADS.
    spread: Option<usize>,
}

impl Array {
    fn new(
        name: String,
        element: &'static str,
        dimensions: Vec<u64>,
        random: &mut Numbers,
    ) -> Self {
        let block = random.of(&BLOCKS);
        let any = random.index(dimensions.len());
        Array {
            name,
            element,
            block,
            spread: (block != 0).then_some(any),
            dimensions,
        }
    }

    /// How many elements may be accessed from the first one on.
    fn length(&self) -> u64 {
        self.dimensions.iter().product()
    }

    /// A pointer to the first element.
    fn first(&self) -> String {
        format!("&{}{}", self.name, "[0]".repeat(self.dimensions.len()))
    }

    fn declarations(&self) -> String {
        let Array { name, .. } = self;
        let shared = format!("SHARED({}, {})", self.block, self.element);
        let mut text = format!("{shared} {name}");
        for (at, size) in self.dimensions.iter().enumerate() {
            let _ = match self.spread == Some(at) {
                true => write!(text, "[{size} * THREADS]"),
                false => write!(text, "[{size}]"),
            };
        }
        text + &format!(
            ";\n{shared} *to_{name};\nstatic {shared} *row_{name}[3];\n{shared} *SHARED_POINTER \
             far_{name};\n"
        )
    }
}

/// Writes the parts of a program. Parts of an expression change nothing that others read: an
/// assignment within one goes to a pointer whose value is only taken from the assignment, so that
/// the order of evaluation makes no difference.
struct Generator {
    random: Numbers,
    arrays: Vec<Array>,
    structures: Vec<Array>,
    depth: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut random = Numbers(seed);
        let arrays = (0..ARRAYS).map(|number| {
            let count = random.of(&[1, 1, 2, 3]);
            let dimensions = (0..count).map(|_| 2 + random.below(4)).collect();
            let element = random.of(&TYPES);
            Array::new(format!("a{number}"), element, dimensions, &mut random)
        });
        let arrays = arrays.collect();
        let structures = ["s0", "s1"].map(|name| {
            let dimensions = vec![STRUCTURES];
            Array::new(name.to_string(), "struct outer", dimensions, &mut random)
        });
        Generator {
            random,
            arrays,
            structures: structures.into(),
            depth: 0,
        }
    }

    /// An int from 0 up to, not including, `n`.
    fn index(&mut self, n: u64) -> String {
        match self.random.below(20) {
            _ if n == 1 => "0".to_string(),
            0..=9 => self.random.below(n).to_string(),
            10..=14 => format!("(int)((unsigned)({}) % {n})", self.value()),
            15 | 16 => format!("({} & 1)", self.value()),
            _ => {
                let most = 1 + self.random.below(n - 1);
                let odd = self.random.of(&["li", "(int)ll", "sc"]);
                format!("({most} - ({odd} & 1))")
            }
        }
    }

    fn any_array(&mut self) -> &Array {
        &self.arrays[self.random.below(ARRAYS as u64) as usize]
    }

    /// An index in brackets for each of these dimensions.
    fn indices(&mut self, dimensions: &[u64]) -> String {
        dimensions
            .iter()
            .map(|&n| format!("[{}]", self.index(n)))
            .collect()
    }

    /// An element of an array of arithmetic type.
    fn element(&mut self) -> String {
        let array = self.any_array();
        let (name, first, length) = (array.name.clone(), array.first(), array.length());
        let dimensions = array.dimensions.clone();
        let at = self.index(length);
        match self.random.below(20) {
            0..=7 => format!("{name}{}", self.indices(&dimensions)),
            8 | 9 => format!("*({first} + {at})"),
            10 | 11 => format!("({first})[{at}]"),
            12 => format!("(to_{name} = {first} + {at})[0]"),
            13 => format!("*(to_{name} = &({first})[{at}])"),
            14 | 15 => match dimensions[..] {
                [rows, columns] => {
                    let (row, column) = (self.index(rows), self.index(columns));
                    format!("*(*({name} + {row}) + {column})")
                }
                [rows, ref inner @ ..] if !inner.is_empty() => {
                    format!("(*({name} + {})){}", self.index(rows), self.indices(inner))
                }
                _ => format!("*({name} + {at})"),
            },
            16 => format!("*(row_{name}[{}] = {first} + {at})", self.index(3)),
            17 => format!("*(far_{name} = {first} + {at})"),
            _ => {
                let (condition, other) = (self.value(), self.index(length));
                format!("({condition} ? &({first})[{at}] : {first} + {other})[0]")
            }
        }
    }

    fn any_structure(&mut self) -> &'static str {
        self.random.of(&["s0", "s1"])
    }

    /// A structure and the operator that selects a member of it.
    fn structure(&mut self) -> String {
        let name = self.any_structure();
        let at = self.index(STRUCTURES);
        match self.random.below(20) {
            0..=7 => format!("{name}[{at}]."),
            8..=10 => format!("({name} + {at})->"),
            11..=13 => format!("(to_{name} = &{name}[{at}])->"),
            14 | 15 => "ss.".to_string(),
            16 | 17 => format!("(*(to_{name} = {name} + {at}))."),
            _ => "ls.".to_string(),
        }
    }

    fn member(&mut self) -> String {
        let of = self.structure();
        match self.random.below(20) {
            0..=3 => format!("{of}a"),
            4..=6 => format!("{of}in[{}].s[{}]", self.index(2), self.index(3)),
            7 | 8 => format!("{of}in[{}].b", self.index(2)),
            9 | 10 => format!("{of}in[{}].c", self.index(2)),
            11 | 12 => format!("({of}in + {})->q", self.index(2)),
            13 | 14 => format!("{of}l"),
            15 | 16 => format!("*({of}uc + {})", self.index(5)),
            _ => format!("{of}d"),
        }
    }

    fn object(&mut self) -> String {
        match self.random.below(10) {
            0..=4 => self.element(),
            5..=7 => self.member(),
            _ => self
                .random
                .of(&["sc", "sl", "li", "ll", "lu", "lsh", "(sc)", "*&sc"])
                .to_string(),
        }
    }

    /// A parenthesized expression, or one that binds as closely, of integer type.
    fn value(&mut self) -> String {
        self.depth += 1;
        let text = match self.random.below(100) {
            choice if choice < 25 || self.depth > DEPTH => match self.random.percent(50) {
                true => format!("({})", self.random.below(19) as i64 - 9),
                false => self.random.of(&["li", "sc", "(int)sl", "lsh"]).to_string(),
            },
            25..=54 => format!("(int)clip({})", self.object()),
            55..=74 => {
                let operator = self
                    .random
                    .of(&["+", "-", "&", "|", "^", "<", "==", "!=", ">=", "&&", "||"]);
                format!("({} {operator} {})", self.value(), self.value())
            }
            75..=81 => format!("({} ? {} : {})", self.value(), self.value(), self.value()),
            82..=87 => {
                let operator = self.random.of(&["-", "~", "!"]);
                format!("({operator}({}))", self.value())
            }
            88..=91 => format!("({}, {})", self.value(), self.value()),
            _ => format!("(int)sizeof({})", self.element()),
        };
        self.depth -= 1;
        text
    }

    fn statement(&mut self) -> String {
        match self.random.below(100) {
            0..=34 => format!("{} = {};", self.object(), self.value()),
            35..=49 => {
                let sign = self.random.of(&['+', '-']);
                format!("{} {sign}= (int)clip({});", self.object(), self.value())
            }
            50..=57 => {
                let object = self.object();
                match self.random.below(4) {
                    0 => format!("++({object});"),
                    1 => format!("({object})++;"),
                    2 => format!("--({object});"),
                    _ => format!("({object})--;"),
                }
            }
            58..=61 => {
                let operator = self.random.of(&["++", "--"]);
                format!("li = (int)clip(({}){operator});", self.object())
            }
            62..=69 => self.moved_pointer(),
            70..=79 => self.walk(),
            80..=84 => self.structure_copy(),
            85..=89 => self.pointer_member(),
            90..=94 => {
                let condition = self.value();
                let (then, otherwise) = (self.statement(), self.statement());
                format!("if ({condition}) {{ {then} }} else {{ {otherwise} }}")
            }
            _ => {
                let element = self.element();
                format!("for (li = 0; li < 3; li++) {{ ll += li; {element} = li; }}")
            }
        }
    }

    /// Moves a pointer from one element to another, and compares it with others.
    fn moved_pointer(&mut self) -> String {
        let array = self.any_array();
        let (first, length) = (array.first(), array.length());
        let pointer = format!("to_{}", array.name);
        let [from, to, other, third] = [(); 4].map(|()| self.random.below(length));
        let distance = from.abs_diff(to);
        let at_once = self.random.percent(50);
        let movement = match (to > from, at_once) {
            (true, true) => format!("{pointer} += {distance};"),
            (false, true) => format!("{pointer} -= {distance};"),
            (true, false) => format!("{pointer}++; ").repeat(distance as usize),
            (false, false) => format!("--{pointer}; ").repeat(distance as usize),
        };
        format!(
            "{pointer} = {first} + {from}; {movement} check({pointer} - ({first})); \
             check(clip(*{pointer})); check({pointer} == &({first})[{to}]); check({pointer} < \
             ({first}) + {other}); check({pointer} - (({first}) + {third}));"
        )
    }

    /// Goes through a whole array with a pointer.
    fn walk(&mut self) -> String {
        let array = self.any_array();
        let (name, first, length) = (array.name.clone(), array.first(), array.length());
        match self.random.percent(60) {
            true => format!(
                "{{ int k; for (k = 0, to_{name} = {first}; k < {length}; k++) \
                 check(clip(*to_{name}++)); check(to_{name} - ({first})); }}"
            ),
            false => {
                let update = self.random.of(&["= 1", "+= 1", "-= 2", "= li"]);
                let pointer = format!("row_{name}[1]");
                format!(
                    "for ({pointer} = ({first}) + {}; {pointer} > {first}; ) {{ {pointer}--; \
                     *{pointer} {update}; }}",
                    length - 1
                )
            }
        }
    }

    /// One of the structures, as a whole.
    fn whole_structure(&mut self) -> String {
        match self.random.below(4) {
            0 => "ss".to_string(),
            1 => "ls".to_string(),
            _ => format!("{}[{}]", self.any_structure(), self.index(STRUCTURES)),
        }
    }

    fn structure_copy(&mut self) -> String {
        let (to, from) = (self.whole_structure(), self.whole_structure());
        match self.random.below(4) {
            0 => format!("{to} = {from};"),
            1 => format!("{{ ls = {from}; {to} = ls; }}"),
            2 => format!("{to} = changed({from});"),
            _ => format!("{{ struct outer t = {from}; t.a++; {to} = t; }}"),
        }
    }

    /// Works with a pointer that is a member of a shared structure.
    fn pointer_member(&mut self) -> String {
        let block = self.random.of(&[0, 1, 3]);
        let pointer = format!("{}.p{block}", self.random.of(&["s0[2]", "ss"]));
        let at = self.random.below(10);
        format!(
            "{{ {pointer} = &i{block}[{at}]; *{pointer} += 1; {pointer}++; check(*{pointer}); \
             check({pointer} - i{block}); }}"
        )
    }

    /// Adds to the checksum what is in the arrays.
    fn contents(&self) -> String {
        let mut text = String::new();
        for array in &self.arrays {
            let (first, length) = (array.first(), array.length());
            let _ = writeln!(
                text,
                "    for (k = 0; k < {length}; k++) check(clip(({first})[k]));"
            );
        }
        for array in &self.structures {
            let name = &array.name;
            let _ = writeln!(
                text,
                "    for (k = 0; k < {STRUCTURES}; k++) {{\n\x20       check({name}[k].a); \
                 check({name}[k].l); check(clip({name}[k].d));\n\x20       \
                 check({name}[k].in[1].b); check({name}[k].in[0].c);\n\x20       for (m = 0; m < \
                 5; m++) check({name}[k].uc[m]);\n    }}"
            );
        }
        text
    }

    /// The text that is UPC or C by the macros before it.
    fn program(&mut self) -> String {
        let mut text = COMMON.to_string();
        for array in self.arrays.iter().chain(&self.structures) {
            text += &array.declarations();
        }
        for number in 0..FUNCTIONS {
            let _ = writeln!(text, "static void compute_{number}(void)\n{{");
            for _ in 0..STATEMENTS {
                let _ = writeln!(text, "    {}\n    check(li);", self.statement());
            }
            text += "}\n";
        }
        let _ = writeln!(
            text,
            "static void contents(void)\n{{\n    int k, m;\n{}}}",
            self.contents()
        );
        text += "int main(void)\n{\n    if (MYTHREAD == THREADS - 1) {\n";
        for number in 0..FUNCTIONS {
            let _ = writeln!(text, "        compute_{number}();");
        }
        text += "        contents();\n        printf(\"%lu %d %ld\\n\", sum, li, ll);\n    }\n";
        text + "    WAIT;\n    return 0;\n}\n"
    }
}

/// How the UPC form of a program is compiled and run.
#[derive(Debug)]
struct Mode {
    header: &'static str,
    options: Vec<String>,
    instrumented: bool,
    threads: u64,
}

impl Mode {
    /// Periods that have no common factor, so that all combinations have their turn.
    fn of(seed: u64) -> Self {
        let threads = 1 + seed % 4;
        let numbered = format!("-T={threads}");
        let options = match seed % 5 {
            0 => vec!["-O1", &numbered],
            1 => vec!["-inst", "-inst-functions"],
            2 => vec!["-fupc-check"],
            3 => vec!["-O2"],
            _ => vec!["-O0"],
        };
        Mode {
            header: match seed % 3 {
                0 => "upc_strict.h",
                _ => "upc_relaxed.h",
            },
            options: options.into_iter().map(String::from).collect(),
            instrumented: seed % 5 == 1,
            threads,
        }
    }
}

/// Starts a command and waits for its end; what it wrote, or in what way it failed.
fn output_of(command: &mut Command, log: &Path) -> Result<String, String> {
    let file = File::create(log).expect("to create the log");
    let other = file.try_clone().expect("to share the log");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(other)
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {:?}: {e}", command.get_program()));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("to wait for the command") {
            break Some(status);
        }
        if start.elapsed() > TIME_LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = String::from_utf8_lossy(&fs::read(log).expect("to read the log")).into_owned();
    match status {
        Some(status) if status.success() => Ok(text),
        Some(status) => Err(format!("{status}\n{text}")),
        None => Err(format!("did not end in {TIME_LIMIT:?}\n{text}")),
    }
}

/// The C compiler that the driver uses, too.
fn c_compiler() -> Command {
    Command::new(std::env::var("PGAS_CC").unwrap_or_else(|_| "cc".to_string()))
}

/// A measurement that complains about events in a wrong order; plain C, and to be compiled as such.
fn gasp_check_object(dir: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/gasp_check.c");
    let object = dir.join("gasp_check.o");
    let mut compiler = c_compiler();
    compiler.args(["-c", "-O1", "-o"]).args([&object, &source]);
    output_of(&mut compiler, &dir.join("log")).expect("gasp_check.c compiles");
    object
}

/// Compiles and runs the program of this seed in both forms.
fn compare(seed: u64, mode: &Mode, gasp_check: &Path, dir: &Path) -> Result<(), String> {
    let text = Generator::new(seed).program();
    let [upc, c, log] = ["expressions.upc", "expressions.c", "log"].map(|name| dir.join(name));
    let (upc_program, c_program) = (dir.join("upc"), dir.join("c"));
    let threads = mode.threads;
    let upc_start = format!("#include <{}>\n{UPC_MACROS}", mode.header);
    let c_start = format!("#define THREADS {threads}\n{C_MACROS}");
    fs::write(&upc, upc_start + &text).expect("to write the UPC program");
    fs::write(&c, c_start + &text).expect("to write the C program");

    // Sums may overflow; that has a meaning only with -fwrapv.
    let mut compiler = c_compiler();
    compiler.args(["-w", "-O0", "-fwrapv", "-o"]);
    compiler.arg(&c_program).arg(&c);
    output_of(&mut compiler, &log).map_err(|e| format!("the C form does not compile: {e}"))?;
    let expected = output_of(&mut Command::new(&c_program), &log)
        .map_err(|e| format!("the C form fails: {e}"))?;

    let mut compiler = Command::new(env!("CARGO_BIN_EXE_pgas-upcc"));
    compiler.args(["-w", "-fwrapv"]).args(&mode.options);
    compiler.arg("-o").arg(&upc_program).arg(&upc);
    if mode.instrumented {
        compiler.arg(gasp_check);
    }
    output_of(&mut compiler, &log).map_err(|e| format!("the UPC form does not compile: {e}"))?;
    let mut program = Command::new(&upc_program);
    program.env("PGAS_THREADS", threads.to_string());
    let printed = output_of(&mut program, &log).map_err(|e| format!("the UPC form fails: {e}"))?;
    if printed != expected {
        return Err(format!("C prints {expected}UPC prints {printed}"));
    }
    Ok(())
}

/// `UPC_SEEDS=n` tries n programs; those that fail are left at the places that are named.
#[test]
fn expressions_give_what_plain_c_gives() {
    let seeds = std::env::var("UPC_SEEDS").map_or(SEEDS, |n| {
        n.parse()
            .unwrap_or_else(|_| panic!("UPC_SEEDS is '{n}'; it can be a number of programs"))
    });
    let common = tempfile::tempdir().expect("a folder");
    let gasp_check = gasp_check_object(common.path());
    let mut failures = Vec::new();
    for seed in 1..=seeds {
        let mode = Mode::of(seed);
        let dir = tempfile::tempdir().expect("a folder");
        if let Err(what) = compare(seed, &mode, &gasp_check, dir.path()) {
            let kept = dir.keep();
            failures.push(format!(
                "seed {seed}, {mode:?}, program in {}:\n{what}",
                kept.display()
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {seeds} programs fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
