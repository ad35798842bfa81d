//! The interpretation of jobs of each batch system, and the requests of job scripts.

use super::*;
use std::io::Write;

fn job(variables: &[(&str, &str)]) -> Option<Job> {
    Job::of(&|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.to_string())
    })
}

type Meant = (&'static str, Option<u32>, Option<u32>, Option<u32>);

/// System, processes, nodes, and threads of a program that is one process.
fn meant(variables: &[(&str, &str)]) -> Option<Meant> {
    let job = job(variables)?;
    Some((
        job.system.name,
        job.tasks().map(|(number, _)| number),
        job.nodes,
        job.threads_of_one().map(|(number, _)| number),
    ))
}

#[test]
fn slurm_jobs() {
    const ID: (&str, &str) = ("SLURM_JOB_ID", "7");
    let nodes = ("SLURM_JOB_NUM_NODES", "4");
    assert_eq!(
        meant(&[ID, nodes, ("SLURM_NTASKS", "64")]),
        Some(("Slurm", Some(64), Some(4), Some(64)))
    );
    assert_eq!(
        meant(&[ID, nodes, ("SLURM_NTASKS_PER_NODE", "8")]),
        Some(("Slurm", Some(32), Some(4), Some(32)))
    );
    assert_eq!(
        meant(&[ID, nodes, ("SLURM_TASKS_PER_NODE", "2(x3),1")]),
        Some(("Slurm", Some(7), Some(4), Some(7)))
    );
    // One process with many cores: threads of the embedded compiler.
    assert_eq!(
        meant(&[ID, ("SLURM_NTASKS", "1"), ("SLURM_CPUS_PER_TASK", "16")]),
        Some(("Slurm", Some(1), None, Some(16)))
    );
    for broken in ["", "many", "-4", "0", "99999999999"] {
        let tasks = meant(&[
            ID,
            ("SLURM_NTASKS", broken),
            ("SLURM_TASKS_PER_NODE", "2(x"),
        ]);
        assert_eq!(tasks, Some(("Slurm", None, None, None)), "{broken}");
    }
}

#[test]
fn pbs_jobs() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(b"n1\nn1\nn2\nn2\n\n").unwrap();
    let name = file.path().to_str().unwrap();
    assert_eq!(
        meant(&[
            ("PBS_JOBID", "12.head"),
            ("PBS_NODEFILE", name),
            ("NCPUS", "2")
        ]),
        Some(("PBS", Some(4), Some(2), Some(4)))
    );
    assert_eq!(
        meant(&[
            ("PBS_JOBID", "12"),
            ("PBS_NODEFILE", "/no/such"),
            ("PBS_NP", "6")
        ]),
        Some(("PBS", Some(6), None, Some(6)))
    );
    assert_eq!(
        meant(&[("PBS_JOBID", "12"), ("NCPUS", "8")]),
        Some(("PBS", None, None, Some(8)))
    );
}

#[test]
fn jobs_of_others() {
    assert_eq!(
        meant(&[("LSB_JOBID", "3"), ("LSB_DJOB_NUMPROC", "12")]),
        Some(("LSF", Some(12), None, Some(12)))
    );
    assert_eq!(
        meant(&[("LSB_JOBID", "3"), ("LSB_MCPU_HOSTS", "batch5 1 a 42 b 42")]),
        Some(("LSF", Some(84), Some(2), Some(84)))
    );
    assert_eq!(
        meant(&[("COBALT_JOBID", "3"), ("COBALT_JOBSIZE", "128")]),
        Some(("Cobalt", None, Some(128), None))
    );
    assert_eq!(
        meant(&[("JOB_ID", "3"), ("NSLOTS", "5"), ("NHOSTS", "1")]),
        Some(("Grid Engine", Some(5), Some(1), Some(5)))
    );
    assert_eq!(
        meant(&[
            ("FLUX_JOB_ID", "f2"),
            ("FLUX_JOB_SIZE", "5"),
            ("FLUX_JOB_NNODES", "2")
        ]),
        Some(("Flux", Some(5), Some(2), Some(5)))
    );
    // Other programs have such a variable, too.
    assert_eq!(meant(&[("JOB_ID", "3")]), None);
    assert_eq!(meant(&[]), None);
}

#[test]
fn scripts_ask_for_what_is_wanted() {
    let wanted = Wanted {
        name: "pgas-a_rather_long_name".into(),
        tasks: 10,
        cores: 1,
        nodes: Some(4),
        time: Some("01:30:20".into()),
        account: Some("proj".into()),
        queue: Some("short".into()),
    };
    let lines = |system: &System, wanted: &Wanted| (system.script.unwrap().lines)(wanted).join(" ");
    assert_eq!(
        lines(&slurm::TABLE, &wanted),
        "#SBATCH --job-name=pgas-a_rather_long_name #SBATCH --ntasks=10 #SBATCH --nodes=4 #SBATCH \
         --time=01:30:20 #SBATCH --signal=B:TERM@120 #SBATCH --account=proj #SBATCH \
         --partition=short"
    );
    assert_eq!(
        lines(&pbs::TABLE, &wanted),
        "#PBS -N pgas-a_rather_l #PBS -l select=4:ncpus=3:mpiprocs=3 #PBS -l walltime=01:30:20 \
         #PBS -A proj #PBS -q short"
    );
    assert_eq!(
        lines(&lsf::TABLE, &wanted),
        "#BSUB -J pgas-a_rather_long_name #BSUB -n 10 #BSUB -R \"span[ptile=3]\" #BSUB -W 1:31 \
         #BSUB -P proj #BSUB -q short"
    );
    let one_process = Wanted {
        name: "pgas-x".into(),
        tasks: 1,
        cores: 16,
        nodes: Some(1),
        time: Some("00:05:00".into()),
        account: None,
        queue: None,
    };
    assert_eq!(
        lines(&slurm::TABLE, &one_process),
        "#SBATCH --job-name=pgas-x #SBATCH --ntasks=1 #SBATCH --nodes=1 #SBATCH \
         --cpus-per-task=16 #SBATCH --time=00:05:00"
    );
    assert_eq!(
        lines(&pbs::TABLE, &one_process),
        "#PBS -N pgas-x #PBS -l select=1:ncpus=16:mpiprocs=1 #PBS -l walltime=00:05:00"
    );
    assert_eq!(
        lines(&lsf::TABLE, &one_process),
        "#BSUB -J pgas-x #BSUB -n 16 #BSUB -R \"span[ptile=16]\" #BSUB -W 0:05"
    );
    let spread = Wanted {
        tasks: 6,
        cores: 1,
        nodes: None,
        ..one_process
    };
    assert_eq!(
        lines(&pbs::TABLE, &spread),
        "#PBS -N pgas-x #PBS -l select=6:ncpus=1:mpiprocs=1 #PBS -l walltime=00:05:00"
    );
}

#[test]
fn times_are_understood_as_slurm_does() {
    for (text, minutes) in [
        ("30", Some(30)),
        ("30:20", Some(30)),
        ("02:00:00", Some(120)),
        ("1-2", Some(26 * 60)),
        ("1-00:30", Some(24 * 60 + 30)),
        ("UNLIMITED", None),
        ("1:2:3:4", None),
    ] {
        assert_eq!(slurm::minutes(text), minutes, "{text}");
    }
}
