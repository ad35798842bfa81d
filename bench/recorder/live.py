"""What live pages and `pgastool watch` cost NAS kernels that are recorded; for `scripts/bench recorder`.

    live.py SCRATCH RUNS SHORT

Each kernel is recorded without a live page, with one, and with one while `pgastool watch --text` reads it each second, in
turns. Prints for each of the latter two the median of the ratios to the run of the same turn without a page, of run time
and of the program's CPU time, with the interval that contains the true median with a confidence of 95 % (by order
statistics), and the CPU time of `pgastool run` and `watch` as a share of the program's. SHORT may be empty: then the
kernels are of class A.
"""
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KERNELS = os.path.join(TOP, "npb-fixtures")
# Name, and further options of `pgastool compile`.
PROGRAMS = [("is", ["--filter", "is.filter"]), ("cg", []), ("mg", [])]
WAYS = {"recorded": [], "live": ["--live"], "watched": ["--live"]}
# How much longer a kernel may run.
TARGET = 1.01


def run_checked(command, **more):
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {ended.returncode}\n{ended.stdout}")
    return ended.stdout


def build(scratch, name, options, kernel_class):
    """Makes a kernel as its Makefile does, and returns its path."""
    fixtures = os.path.join(scratch, "live-fixtures")
    if not os.path.isdir(fixtures):
        shutil.copytree(KERNELS, fixtures)
    compiler = " ".join(["pgastool", "compile", "--upcc", "embedded", *options])
    run_checked(["make", "-s", "-B", "-C", os.path.join(fixtures, name), f"CLASS={kernel_class}", f"CC={compiler}"])
    return os.path.join(fixtures, name, f"{name}.{kernel_class}")


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def watching(experiment):
    """Starts `watch` as soon as there is an experiment."""
    while not os.path.exists(os.path.join(experiment, "experiment.json")):
        time.sleep(0.001)
    command = ["pgastool", "watch", "--text", experiment]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def one_run(scratch, program, way):
    """Seconds that the program ran, its CPU seconds, and those of the tool beside it."""
    experiment = os.path.join(scratch, "live-experiment")
    shutil.rmtree(experiment, ignore_errors=True)
    command = ["pgastool", "--quiet", "run", "-n", "2", *WAYS[way], "-o", experiment, program]
    before = children_seconds()
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watcher = watching(experiment) if way == "watched" else None
    said, _ = running.communicate()
    if watcher is not None:
        _, complaint = watcher.communicate()
        if watcher.returncode != 0:
            sys.exit(f"pgastool watch: status {watcher.returncode}\n{complaint}")
    if running.returncode != 0 or "SUCCESSFUL" not in said:
        sys.exit(f"{' '.join(command)}: status {running.returncode}\n{said}")
    with open(os.path.join(experiment, "experiment.json"), encoding="utf-8") as file:
        known = json.load(file)
    program_cpu = known["cpu_seconds"]
    return known["wall_seconds"], program_cpu, children_seconds() - before - program_cpu


def interval(values):
    """Median, and its interval of 95 % by order statistics; the whole range if there are fewer than six values."""
    ordered = sorted(values)
    count = len(ordered)
    rank = max(int((count - 1.96 * math.sqrt(count)) / 2), 0)
    return statistics.median(ordered), ordered[rank], ordered[count - 1 - rank]


def shown(figure):
    median, low, high = figure
    return f"{median:.4f} [{low:.4f} to {high:.4f}]"


def lines(name, turns):
    for way in [way for way in turns[0] if way != "recorded"]:
        wall = interval([turn[way][0] / turn["recorded"][0] for turn in turns])
        cpu = interval([turn[way][1] / turn["recorded"][1] for turn in turns])
        tool = statistics.median((turn[way][2] - turn["recorded"][2]) / turn["recorded"][1] for turn in turns)
        verdict = "met" if wall[0] <= TARGET else "MISSED"
        print(f"  {name:5} {way:8} run time {shown(wall)} (at most {TARGET:.2f}: {verdict}), CPU time of the program "
              f"{shown(cpu)}, more CPU time of the tool {100 * tool:.2f} % of the program's", flush=True)


def main():
    scratch, runs, is_short = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    kernel_class = "S" if is_short else "A"
    ways = [way for way in WAYS if way != "watched" or not is_short]
    print(f"Live pages and watch, NPB class {kernel_class}, 2 threads, {runs} turns against the same recorded without a page")
    for name, options in PROGRAMS:
        program = build(scratch, name, options, kernel_class)
        turns = [{way: one_run(scratch, program, way) for way in ways} for _ in range(runs)]
        usual = statistics.median(turn["recorded"][0] for turn in turns)
        lines(f"{name}.{kernel_class}", turns)
        print(f"        (recorded: median {usual:.3f} s)")


main()
