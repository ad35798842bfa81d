//! Jobs of batch systems: the scripts that are written for them, and the end of their time.

use super::*;

/// SIGTERM, which a job gets at the end of its time: the recorder writes what it has.
#[test]
fn the_end_of_a_jobs_time() {
    let site = Site::with(&[("srun", "srun")]);
    site.bench.compile(
        "#include <upc.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  \
         upc_barrier;\n  if (MYTHREAD == 0) { puts(\"ready\"); fflush(stdout); }\n  for (;;) { \
         upc_barrier; usleep(1000); }\n}\n",
        &[],
    );
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pgastool"));
    crate::bench::clean(|name| {
        command.env_remove(name);
    });
    let mut tool = command
        .args([
            "run",
            "-n",
            "2",
            "--repeat",
            "3",
            "--launcher",
            "srun",
            "-o",
            "e",
            "./prog",
        ])
        .current_dir(site.path(""))
        .env("PATH", site.search_path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 6];
    std::io::Read::read_exact(tool.stdout.as_mut().unwrap(), &mut line).unwrap();
    assert_eq!(&line, b"ready\n");
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&tool),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    let output = tool.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(143), "{err}");
    contains(&err, &["interrupted: 1 of 3 runs"]);
    let told = site.ok(&["analyze", "e"], &[]);
    assert!(!told.err.contains("ends early"), "{}", told.err);
}

#[test]
fn a_batch_script_goes_through_the_whole_cycle() {
    let site = Site::with(&[("sbatch", "sbatch"), ("srun", "srun")]);
    // Words that a shell would interpret, and one that a batch system would.
    let hostile = [
        "0",
        "a b",
        "$HOME",
        "'; exit 7 #",
        "`id`",
        "\n#SBATCH --ntasks=99",
        "*",
        "\\",
        "",
    ];
    let mut arguments = vec![
        "script",
        "-n",
        "3",
        "--time",
        "00:30:00",
        "--account",
        "proj",
        "--buffer",
        "64K",
        "-o",
        "job.sh",
        "--",
        "./prog",
    ];
    arguments.extend(hostile);
    let told = site.ok(&arguments, &[]);
    contains(&told.err, &["next: sbatch job.sh"]);
    let script = fs::read_to_string(site.path("job.sh")).unwrap();
    contains(
        &script,
        &[
            "#SBATCH --ntasks=1\n#SBATCH --nodes=1\n#SBATCH --cpus-per-task=3\n#SBATCH \
             --time=00:30:00\n",
            "#SBATCH --account=proj\n",
            "export PGAS_BUFFER=65536\n",
            env!("CARGO_BIN_EXE_pgastool"),
        ],
    );
    let syntax = std::process::Command::new("sh")
        .args(["-n", "job.sh"])
        .current_dir(site.path(""))
        .status()
        .unwrap();
    assert!(syntax.success());
    fs::set_permissions(site.path("job.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut job = assert_cmd::Command::new(site.path("site/sbatch"));
    let told = Told::of(
        job.arg("job.sh")
            .current_dir(site.path(""))
            .env_remove("STAND_IN_ONCE"),
    );
    assert_eq!(told.status, Some(0), "{told:?}");
    contains(
        &told.out,
        &[
            "[0][a b][$HOME]['; exit 7 #][`id`][\n#SBATCH --ntasks=99][*][\\][]sum 10",
            "barrier",
        ],
    );
    assert!(
        site.path("pgas_prog_3_4711/analysis/summary.json")
            .is_file()
    );
    contains(
        &fs::read_to_string(site.path("pgas_prog_3_4711/experiment.json")).unwrap(),
        &["65536"],
    );
}

#[test]
fn scripts_are_written_for_each_batch_system() {
    let site = Site::berkeley(&[("upcrun", "upcrun")], "UCX");
    let modules = [
        ("LOADEDMODULES", "upc/2022.10:pgastool/it's"),
        ("MODULESHOME", "/opt/my modules"),
    ];
    for (system, lines) in [
        (
            "slurm",
            &[
                "#SBATCH --ntasks=64",
                "#SBATCH --nodes=4",
                "#SBATCH --partition=short",
            ][..],
        ),
        (
            "pbs",
            &["#PBS -l select=4:ncpus=16:mpiprocs=16", "#PBS -q short"],
        ),
        (
            "lsf",
            &[
                "#BSUB -n 64",
                "#BSUB -R \"span[ptile=16]\"",
                "#BSUB -q short",
            ],
        ),
    ] {
        let arguments = [
            "script",
            system,
            "-n",
            "64",
            "--nodes",
            "4",
            "--queue",
            "short",
            "--launcher",
            "srun -v",
            "--repeat",
            "2",
            "--",
            "./prog",
        ];
        let script = site.ok(&arguments, &modules).out;
        contains(&script, lines);
        contains(
            &script,
            &[
                "module load upc/2022.10 \"pgastool/it's\"\n",
                ". '/opt/my modules/init/sh'\n",
                " run -n 64 -o \"$experiment\" --nodes 4 --launcher 'srun -v' --repeat 2 -- ./prog",
            ],
        );
        assert!(!script.contains("export PATH="));
    }
    for (arguments, expected) in [
        (
            &["script", "slurm", "--", "./prog"][..],
            "number of threads",
        ),
        (
            &[
                "script", "slurm", "-n", "2", "--queue", "a b", "--", "./prog",
            ],
            "one word",
        ),
        (
            &["script", "slurm", "-n", "2", "--", "./none"],
            "no program",
        ),
        (&["script", "-n", "2", "--", "./prog"], "no batch system"),
    ] {
        let told = site.told(arguments, &[]);
        assert_eq!(told.status, Some(2), "{told:?}");
        contains(&told.err, &[expected]);
    }
}
