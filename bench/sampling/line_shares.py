"""Compares computing time by line with what perf samples in the same runs; for `scripts/line-shares`.

    line_shares.py SCRATCH RUNS

Each program runs with `pgastool run --sample` under `perf record`, both with a clock of their own. Of the samples in lines of
the program and in functions of libraries, each line has a share; the one of perf should lie within the interval of 95 % around
that of pgastool, widened by the error that perf's own share has. A line that is outside in one run is no fault: one in twenty is
expected to be.
"""
import collections
import json
import math
import os
import shutil
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAMS = [
    ("sort", ["bench/cost/sort.upc"], [], ["40"]),
    ("nbody", ["bench/cost/nbody.upc", "bench/cost/bodies.upc"], [], ["500"]),
    ("mg", ["npb-fixtures/mg/mg.c"], ["-DCLASS=A"], []),
]
# Samples per second, in no simple ratio to each other.
OURS, PERFS = "997", "2203"
# Share of a line from which on it is compared.
LEAST = 0.03
# Probability of as many lines outside, if all is well, below which something is wrong.
UNLIKELY = 0.001


def run(command, **more):
    done = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def wilson(part, whole):
    """The interval of 95 % for a share."""
    z = 1.96
    share = part / whole
    middle = (share + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    return middle - half, middle + half


def library_name(symbol):
    """A function of a library as reports call it."""
    return symbol.removeprefix("__GI_").split(".")[0].lstrip("_")


def lines_of(program, addresses):
    """File name and line of addresses in a program, without inlined functions of the runtime; None for the runtime's own."""
    text = "\n".join(hex(address) for address in addresses)
    out = run(["addr2line", "-e", program, "-a", "-f", "-i"], input=text)
    places, address, chain = {}, None, []
    for line in out.splitlines() + ["0x0"]:
        if line.startswith("0x"):
            frames = list(zip(chain[::2], chain[1::2]))
            own = [place for function, place in frames if not function.startswith("upcr_")]
            if address is not None:
                file, _, number = own[0].split(" ")[0].rpartition(":") if own else ("", "", "")
                places[address] = (os.path.basename(file), int(number)) if number.isdigit() and file not in ("", "??") else None
            address, chain = int(line, 16), []
        else:
            chain.append(line)
    return places


def perfs(program, data, sources):
    """Samples of perf by line of the sources, and by function of libraries."""
    symbols = {}
    for line in run(["nm", program]).splitlines():
        fields = line.split()
        if len(fields) == 3:
            symbols.setdefault(fields[2], int(fields[0], 16))
    name = os.path.basename(program)
    out = run(["perf", "script", "-i", data, "--comm", name[:15], "-F", "ip,sym,symoff,dso"])
    own, libraries = collections.Counter(), collections.Counter()
    for line in out.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        symbol, module = fields[1], fields[2].strip("()")
        function, _, offset = symbol.rpartition("+")
        if os.path.basename(module) == name:
            if function in symbols:
                own[symbols[function] + int(offset, 16)] += 1
        elif module.startswith("/"):
            libraries[library_name(function)] += 1
    places = lines_of(program, own)
    found = collections.Counter()
    for address, count in own.items():
        if places.get(address) and places[address][0] in sources:
            found[places[address]] += count
    return found, libraries


def ours(experiment):
    """Samples of pgastool by line of the program, and by function of libraries."""
    run(["pgastool", "analyze", experiment])
    report = json.loads(run(["pgastool", "report", experiment, "--format", "json"]))
    own, libraries = collections.Counter(), collections.Counter()
    for line in report["sampling"]["lines"]:
        place = line["place"]
        if place["line"] > 0:
            own[(os.path.basename(place["file"]), place["line"])] += line["time"]["samples"]
        elif line["module"]:
            libraries[place["function"]] += line["time"]["samples"]
    return own, libraries


def compare(name, program, arguments, scratch, sources):
    """Prints a line for each place of one run; how many there are, and how many are outside."""
    experiment, data = os.path.join(scratch, "experiment"), os.path.join(scratch, "perf.data")
    shutil.rmtree(experiment, ignore_errors=True)
    recorded = ["perf", "record", "-q", "-e", "task-clock:u", "-F", PERFS, "-o", data]
    run([*recorded, "pgastool", "run", "-n", "2", "--sample", OURS, "-o", experiment, program, *arguments])
    perf_own, perf_libraries = perfs(program, data, sources)
    own, libraries = ours(experiment)
    # A library's functions are compared where both have them in the program's computing; the runtime calls some of them, too.
    for function in list(libraries):
        if libraries[function] >= LEAST * sum(own.values()) and function in perf_libraries:
            own[function] = libraries[function]
            perf_own[function] = perf_libraries[function]
    all_own, all_perf = sum(own.values()), sum(perf_own.values())
    total = outside = 0
    for place, count in perf_own.most_common():
        share = count / all_perf
        if share < LEAST:
            break
        low, high = wilson(own[place], all_own)
        # Two shares of independent samples differ by as much as the root of the sum of their squared errors.
        of_perf = wilson(count, all_perf)
        error = math.hypot((high - low) / 2, (of_perf[1] - of_perf[0]) / 2)
        is_inside = abs(share - own[place] / all_own) <= error
        total += 1
        outside += not is_inside
        label = place if isinstance(place, str) else f"{place[0]}:{place[1]}"
        print(f"  {name:6} {label:24} perf {100 * share:5.1f} %   pgastool {100 * own[place] / all_own:5.1f} % "
              f"({100 * low:.1f} to {100 * high:.1f}){'' if is_inside else '   outside'}", flush=True)
    return total, outside


def main():
    scratch, runs = sys.argv[1], int(sys.argv[2])
    all_total = all_outside = 0
    for name, files, options, arguments in PROGRAMS:
        program = os.path.join(scratch, name)
        run(["pgastool", "compile", "--upcc", "embedded", "-O2", *options, "-o", program, *files, "-lm"])
        total = outside = 0
        for _ in range(runs):
            more = compare(name, program, arguments, scratch, {os.path.basename(file) for file in files})
            total, outside = total + more[0], outside + more[1]
        print(f"{name}: {total} lines in {runs} runs, {outside} outside")
        all_total, all_outside = all_total + total, all_outside + outside
    tail = sum(math.comb(all_total, k) * 0.05**k * 0.95 ** (all_total - k) for k in range(all_outside, all_total + 1))
    print(f"all: {all_total} lines, {all_outside} outside; as many or more are as likely as {100 * tail:.2g} % if all is well")
    if tail < UNLIKELY:
        sys.exit("too many lines are outside: samples go to other lines than perf's")


main()
