"""CPU time of whole programs, measured and not, against the same compiled with --no-instrument; for `scripts/bench recorder`.

    programs.py SCRATCH RUNS SHORT

Prints one line for each program, with ratios of the least CPU time of RUNS runs, in turns. SHORT may be empty: then inputs
are the long ones.
"""
import json
import os
import resource
import shutil
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COST = os.path.join(TOP, "bench", "cost")
KERNELS = os.path.join(TOP, "npb-fixtures")
# How much more CPU time a program may take than its plain build: not measured, and measured.
FINE, COARSE, SORT = (1.03, 1.25), (1.02, 1.03), (1.03, 1.10)
# Name, sources, arguments, those of the short form, targets. A piece of the queue is twelve numbers, about two microseconds. Tiny
# ones, of 100 to 200 nanoseconds, show what events of locks cost that are taken all the time: there is no target for that.
PROGRAMS = [
    ("heat", ["heat.upc"], ["8000"], ["50"], FINE),
    ("sort", ["sort.upc"], ["25"], ["1"], FINE),
    ("queue", ["queue.upc"], ["400000", "12"], ["500", "12"], FINE),
    ("queue, tiny pieces", ["queue.upc"], ["4000000"], ["5000"], (None, None)),
    ("nbody", ["nbody.upc", "bodies.upc"], ["300"], ["2"], FINE),
]
NPB = [("is", SORT), ("cg", SORT), ("ft", COARSE), ("mg", COARSE), ("ep", COARSE)]
BUILDS = {
    "plain": ["--no-instrument"],
    "counted": [],
    "all": ["--accesses", "all", "--functions", "all"],
}


def cpu_of(command, environment=None):
    """CPU time of a command and what it starts, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {ended.returncode}\n{ended.stderr.decode(errors='replace')}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(scratch, program):
    """CPU time of a program that is recorded, without that of pgastool."""
    experiment = os.path.join(scratch, "experiment")
    shutil.rmtree(experiment, ignore_errors=True)
    cpu_of(["pgastool", "run", "-n", "2", "-o", experiment, *program])
    with open(os.path.join(experiment, "experiment.json"), encoding="utf-8") as file:
        return json.load(file)["cpu_seconds"]


def code_bytes(scratch, options, files):
    """Machine code and constants of a program's own objects, in bytes."""
    total = 0
    for file in files:
        path = os.path.join(scratch, "sized.o")
        cpu_of(["pgastool", "compile", "--upcc", "embedded", *options, "-O2", "-c", "-o", path, file])
        sized = subprocess.run(["size", path], stdout=subprocess.PIPE, text=True, check=True)
        total += int(sized.stdout.splitlines()[1].split()[0])
    return total


def verdict(ratio, target):
    if target is None:
        return f"{ratio:6.3f}"
    return f"{ratio:6.3f} (at most {target:.2f}: {'met' if ratio <= target else 'MISSED'})"


def program_line(scratch, runs, name, files, arguments, options, targets):
    """Builds and runs one program in all forms, and prints its line."""
    stem = name.replace(", ", "-").replace(" ", "-")
    path = {build: os.path.join(scratch, f"{stem}.{build}") for build in BUILDS}
    compiling = {}
    for build, more in BUILDS.items():
        command = ["pgastool", "compile", "--upcc", "embedded", *more, "-O2", *options, "-o", path[build], *files, "-lm"]
        compiling[build] = min(cpu_of(command) for _ in range(min(runs, 3)))
    code = {build: code_bytes(scratch, [*BUILDS[build], *options], files) for build in ("plain", "counted")}
    without = {**os.environ, "PGAS_MEASURE": "0"}
    times = {key: [] for key in ("plain", "counted off", "counted", "all off", "all")}
    for _ in range(runs):
        for build in BUILDS:
            plainly = [path[build], "-fupc-threads=2", *arguments]
            times["plain" if build == "plain" else f"{build} off"].append(cpu_of(plainly, without))
            if build != "plain":
                times[build].append(measured(scratch, [path[build], *arguments]))
    least = {key: min(values) for key, values in times.items()}
    ratio = {key: value / least["plain"] for key, value in least.items()}
    print(f"  {name:18} plain {1000 * least['plain']:7.0f} ms; counted: not measured {verdict(ratio['counted off'], targets[0])}, "
          f"measured {verdict(ratio['counted'], targets[1])}; each recorded: not measured {ratio['all off']:6.3f}, "
          f"measured {ratio['all']:6.3f}; compile and link time {verdict(compiling['counted'] / compiling['plain'], 1.5)}, "
          f"code {verdict(code['counted'] / code['plain'], 2.0)}", flush=True)


def main():
    scratch, runs, is_short = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    kernel_class = "S" if is_short else "A"
    print(f"Whole programs, 2 threads, least CPU time of {runs} runs against --no-instrument; NPB class {kernel_class}")
    for name, files, long, short, targets in PROGRAMS:
        files = [os.path.join(COST, file) for file in files]
        program_line(scratch, runs, name, files, short if is_short else long, [], targets)
    for name, targets in NPB:
        files = [os.path.join(KERNELS, name, f"{name}.c")]
        if name == "is":
            files.append(os.path.join(KERNELS, "is", "randdp.c"))
        program_line(scratch, runs, name, files, [], [f"-DCLASS={kernel_class}"], targets)


main()
