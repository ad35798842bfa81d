"""Compiles and runs the programs of `scripts/bench cost`, and prints the table.

    measure.py SCRATCH CLASS RUNS SHORT PROGRAM DEFAULTS

SHORT and PROGRAM may be empty: then inputs are the long ones, and all programs run. Unless DEFAULTS is empty, programs count
accesses as they do by default, with inputs that are longer still; else each access and call of a function is an event.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "..", "npb-fixtures")
# Name, sources, arguments, those of the short form, those where accesses are counted.
PROGRAMS = [
    ("heat", ["heat.upc"], ["400"], ["20"], ["8000"]),
    ("sort", ["sort.upc"], ["5"], ["1"], ["25"]),
    ("queue", ["queue.upc"], ["200000"], ["5000"], ["400000", "12"]),
    ("nbody", ["nbody.upc", "bodies.upc"], ["20"], ["1"], ["300"]),
]
EACH_AN_EVENT = ["--accesses", "all", "--functions", "all"]


def sources(name):
    folder = os.path.join(KERNELS, name)
    files = {"is": ["is.c", "randdp.c"], "cg": ["cg.c"]}[name]
    return [os.path.join(folder, file) for file in files]


def run(command):
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {ended.returncode}\n{ended.stderr.decode(errors='replace')}")


def recorded(start, experiment, program, *options):
    """Runs and records; CPU time of the program alone, without pgastool, that of the plain build if it ran, what the
    report says that recording cost, and the largest ratio of a finding to its metric."""
    shutil.rmtree(experiment, ignore_errors=True)
    run([*start, "-o", experiment, *options, *program])
    with open(os.path.join(experiment, "experiment.json"), encoding="utf-8") as file:
        description = json.load(file)
    plain = description.get("baseline", {}).get("cpu_seconds", [])
    run(["pgastool", "analyze", experiment])
    report = subprocess.run(["pgastool", "report", experiment, "--format", "json"], stdout=subprocess.PIPE, check=True)
    report = json.loads(report.stdout)
    return description["cpu_seconds"], plain, report["recording"]["cost"], largest_ratio(report)


def largest_ratio(report):
    """Of what a finding costs to the metric at its call path: more than 1 would be a contradiction."""
    def ratio(finding):
        metric = report["call_paths"][finding["call_path"]]["metrics"].get(finding["metric"], [])
        return finding["seconds"] / sum(metric) if sum(metric) > 0 else float("inf")
    costing = [finding for finding in report["findings"] if finding["seconds"] > 0]
    return max((ratio(finding) for finding in costing), default=0)


def share_of_recording(measured, plain):
    """Percent of the least CPU time with recording that the least without does not have."""
    return 100 * (min(measured) - min(plain)) / min(measured)


def true_share(measured, plain):
    """The share that recording has, and the range of the same figure from every other run alone: how well the machine's
    noise lets it be known."""
    halves = [share_of_recording(measured[i::2] or measured, plain[i::2] or plain) for i in (0, 1)]
    whole = share_of_recording(measured, plain)
    return whole, min(whole, *halves), max(whole, *halves)


def ratio_to(truth, said):
    """Said over true, unless the truth itself is only known to within a larger factor than is asked for."""
    whole, low, high = truth
    return f"{said / whole:.2f}" if low > 0 and high <= 1.25 * low else "undecided"


def main():
    scratch, kernel_class, runs, is_short, only = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
    by_default = bool(sys.argv[6])
    programs = [
        (name, [os.path.join(HERE, file) for file in files], short if is_short else counted if by_default else arguments, [])
        for name, files, arguments, short, counted in PROGRAMS
    ]
    programs += [(name, sources(name), [], [f"-DCLASS={kernel_class}"]) for name in ("is", "cg")]
    if only:
        known = ", ".join(name for name, *_ in programs)
        programs = [program for program in programs if program[0] == only] or sys.exit(f"no program '{only}'; there are: {known}")
    print(f"{runs} runs of the plain build, {2 * runs} measured ones: least CPU time of the program; the true share of recording "
          "and its range in either half of the runs; median of what is said, widest interval; largest ratio of a finding to its "
          f"metric; NPB class {kernel_class}")
    print(f"{'program':10} {'threads':>7} {'plain ms':>8} {'measured':>9} {'true':>7} {'range':>14} {'estimated':>10} {'interval':>14} "
          f"{'ratio':>9} {'--baseline':>10} {'ratio':>9} {'finding/metric':>15}")
    for name, files, arguments, options in programs:
        paths = {kind: os.path.join(scratch, f"{name}.{kind}") for kind in ("plain", "measured")}
        # With each access and function an event, what recording costs is much, and must be said rightly.
        for kind, more in (("plain", ["--no-instrument"]), ("measured", [] if by_default else EACH_AN_EVENT)):
            run(["pgastool", "compile", *more, "-O2", *options, "-o", paths[kind], *files, "-lm"])
        for threads in ("2", "4"):
            plain, measured, estimates, against, ratios = [], [], [], [], []
            experiment = os.path.join(scratch, "experiment")
            start = ["pgastool", "run", "-n", threads]
            program = [paths["measured"], *arguments]
            for _ in range(runs):
                cpu, of_plain, cost, largest = recorded(start, experiment, program, "--baseline", paths["plain"])
                measured.append(cpu)
                ratios.append(largest)
                # As many as measured ones: the least of more runs is less where they scatter.
                plain += of_plain[:2]
                against.append(cost["percent"])
                cpu, _, cost, largest = recorded(start, experiment, program)
                measured.append(cpu)
                ratios.append(largest)
                estimates.append(cost)
            truth = true_share(measured, plain)
            low, high = (f([cost["interval"][i] for cost in estimates]) for i, f in ((0, min), (1, max)))
            estimate = statistics.median(cost["percent"] for cost in estimates)
            against = statistics.median(against)
            print(f"{name:10} {threads:>7} {1000 * min(plain):8.0f} {1000 * min(measured):9.0f} {truth[0]:6.1f}% "
                  f"{truth[1]:6.1f} to{truth[2]:5.1f} {estimate:9.1f}% {low:6.1f} to{high:5.1f} {ratio_to(truth, estimate):>9} "
                  f"{against:9.1f}% {ratio_to(truth, against):>9} {max(ratios):15.3f}", flush=True)


main()
