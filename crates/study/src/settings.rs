//! The command line of a study.

use std::path::PathBuf;

/// Studies of the tool: costs, sizes, and what following its advice brings.
///
/// Each study goes from source to figures and writes a page (NAME.md) with its charts (NAME-*.svg).
/// Studies: cost (time that recording takes), size (bytes of traces), is (integer sort), ft
/// (Fourier transform), jacobi (Jacobi's iteration), queue (shared work queue), prefix (prefix
/// reduction), heat (OpenSHMEM), bodies (UPC over MPI), or all.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "scripts/study", version)]
pub struct Settings {
    /// The study, several of them, or all
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Problem class of all programs, such as S, W or A [default: the study's own]
    #[arg(long, value_name = "X")]
    pub class: Option<String>,
    /// Runs of each program at each number of threads; above the cores at most 3 [default: the
    /// study's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub runs: Option<u32>,
    /// Numbers of threads, such as 1,2,4,8; costs and sizes are measured at one number, 2 unless
    /// said otherwise
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub threads: Vec<u32>,
    /// Number of threads that run at the same time [default: the cores of this machine; with
    /// --launcher, all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: Option<u32>,
    /// UPC compiler, as `pgastool compile --upcc` takes it
    #[arg(long, value_name = "CMD", default_value = "embedded")]
    pub upcc: String,
    /// Command that starts programs, as in `pgastool run --launcher`, such as "srun"
    #[arg(long, value_name = "CMD")]
    pub launcher: Option<String>,
    /// Directory of the page and its charts
    #[arg(long, value_name = "DIR", default_value = "docs/studies")]
    pub out: PathBuf,
    /// Directory for programs and experiments, which all nodes must see [default: that for
    /// temporary files; with --launcher, below --out]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Small problems and few runs: shows that everything works, and little else
    #[arg(long)]
    pub short: bool,
    /// Directory of pgastool [default: that of this program]
    #[arg(long, value_name = "DIR", hide = true)]
    pub tools: Option<PathBuf>,
    /// Top directory of the clone [default: the current directory]
    #[arg(long, value_name = "DIR", hide = true, default_value = ".")]
    pub clone: PathBuf,
}

impl Settings {
    /// How many threads can run at the same time.
    pub fn cores(&self) -> u32 {
        match (self.cores, &self.launcher) {
            (Some(cores), _) => cores,
            (None, Some(_)) => u32::MAX,
            (None, None) => std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        }
    }

    /// The numbers of threads, each once and rising.
    pub fn thread_counts(&self, default: &[u32]) -> Vec<u32> {
        let chosen = if self.threads.is_empty() {
            default
        } else {
            &self.threads
        };
        let mut counts = chosen.to_vec();
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    /// The command that makes the same page again, as a reader types it.
    pub fn repeat_command(&self, name: &str) -> String {
        let mut words = vec!["scripts/study".to_string(), name.to_string()];
        let mut option = |name: &str, value: &str| {
            words.push(format!("--{name}"));
            words.push(if value.contains(' ') {
                format!("\"{value}\"")
            } else {
                value.to_string()
            });
        };
        if let Some(class) = &self.class {
            option("class", class);
        }
        if let Some(runs) = self.runs {
            option("runs", &runs.to_string());
        }
        if !self.threads.is_empty() {
            let list: Vec<String> = self.threads.iter().map(u32::to_string).collect();
            option("threads", &list.join(","));
        }
        if let Some(cores) = self.cores {
            option("cores", &cores.to_string());
        }
        if self.upcc != "embedded" {
            // Where a compiler lies says something about a machine, and nothing about the study.
            let name = std::path::Path::new(&self.upcc)
                .file_name()
                .map_or(self.upcc.clone(), |name| {
                    name.to_string_lossy().into_owned()
                });
            option("upcc", &name);
        }
        if let Some(launcher) = &self.launcher {
            option("launcher", launcher);
        }
        if self.short {
            words.push("--short".into());
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn the_command_that_repeats_a_study_has_all_that_changes_it() {
        let settings = Settings::parse_from([
            "study",
            "is",
            "--threads",
            "4,1,4",
            "--upcc",
            "/opt/bin/upcc",
            "--launcher",
            "srun -x",
            "--runs",
            "3",
        ]);
        assert_eq!(settings.thread_counts(&[2]), [1, 4]);
        assert_eq!(
            settings.repeat_command("is"),
            "scripts/study is --runs 3 --threads 4,1,4 --upcc upcc --launcher \"srun -x\""
        );
        assert_eq!(settings.cores(), u32::MAX);
        assert!(Settings::try_parse_from(["study", "is", "--runs", "1"]).is_err());
    }
}
