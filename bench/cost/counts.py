"""Compares what programs count where it happens with a recording of each access and call; for `scripts/counts`.

    counts.py TEXT      programs of conformance/ and accuracy/ whose path contains TEXT
    counts.py --short   some of them, which have what counting must not get wrong
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

METRICS = ["visits", "bytes_put_local", "bytes_put_remote", "bytes_got_local", "bytes_got_remote"]
ACCESSES = ["upc_get", "upc_put"]
FORMS = {
    "each": ["--accesses", "all", "--functions", "all", "--inst-local"],
    "counted": ["--accesses", "counted", "--functions", "auto"],
}
SECONDS = 120
# Of each form, if numbers differ.
MOST_RECORDINGS = 6
# Loops, functions that count their own calls, OpenMP, jumps, several files, and data of all threads.
SHORT = [
    "accuracy/late_broadcast/late_root.upc",
    "conformance/c/openmp.upc",
    "conformance/language/6.5_declarations/function_forms.upc",
    "conformance/language/6.5_declarations/macros_and_dimensions.upc",
    "conformance/programs/bodies.upc",
    "conformance/programs/elimination.upc",
    "conformance/programs/histogram.upc",
    "conformance/programs/kernel_gradient.upc",
    "conformance/programs/matrix_multiply.upc",
]


def directives(path):
    """The comment lines that begin a program, as a dictionary."""
    found = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"// ?(\w+): (.*)", line)
            if match:
                found[match[1]] = match[2].strip()
            elif not line.startswith("//"):
                break
    return found


def run(command, folder, status=0):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != status:
        raise RuntimeError(f"{' '.join(command[:2])}: status {done.returncode}: {done.stderr.strip()[-200:]}")
    return done.stdout


def numbers(report):
    """Accesses and bytes by operation, place and thread, and calls of all else by name and thread."""
    counts = {}
    for path in report["call_paths"]:
        region = path["region"]
        # What has no file is no part of the program, such as time without a core.
        metrics = METRICS if region in ACCESSES else ["visits"] if path["file"] else []
        for metric in metrics:
            for thread, value in enumerate(path["metrics"].get(metric) or []):
                key = (region, path["file"], path["line"] if region in ACCESSES else 0, metric, thread)
                counts[key] = counts.get(key, 0) + round(value)
    return {key: number for key, number in counts.items() if number}


def recorded(form, program, threads, scratch):
    """What a recording of the program in one form has."""
    given = directives(program)
    folder = os.path.dirname(program)
    files = [program] + [os.path.join(folder, file) for file in given.get("files", "").split()]
    flags = given.get("flags", "").split()
    if given.get("modes") == "static":
        flags.append(f"-fupc-threads={threads}")
    path = os.path.join(scratch, form)
    run(["pgastool", "compile", "--upcc", "embedded", *FORMS[form], "-I", os.path.abspath("conformance"), *flags, "-o", path, *files, "-lm"], folder)
    experiment = os.path.join(scratch, form + ".experiment")
    status = int(given.get("status", 0))
    run(["pgastool", "run", "-n", str(threads), "--throttle", "off", "-o", experiment, path], scratch, status)
    run(["pgastool", "analyze", experiment], scratch)
    return numbers(json.loads(run(["pgastool", "report", experiment, "--format", "json"], scratch)))


def compare(program, threads):
    """Numbers of a recording of each access and of one as counted, those that depend on the order in which threads run, and those
    that differ for another reason. Two recordings of one form differ in the former; before the latter are believed, both forms
    are recorded a few times more."""
    firsts, varying, differing = {}, set(), set()
    for time in range(MOST_RECORDINGS):
        for form in FORMS:
            with tempfile.TemporaryDirectory() as scratch:
                found = recorded(form, program, threads, scratch)
            first = firsts.setdefault(form, found)
            varying |= {key for key in first.keys() | found.keys() if first.get(key) != found.get(key)}
        each, counted = firsts["each"], firsts["counted"]
        differing = {key for key in each.keys() | counted.keys() if each.get(key) != counted.get(key)} - varying
        if time > 0 and not differing:
            break
    return firsts["each"], firsts["counted"], varying, differing


def main():
    text = sys.argv[1]
    programs = sorted(glob.glob("conformance/*/**/*.upc", recursive=True) + glob.glob("accuracy/*/*.upc"))
    left_out = ("conformance/constraints", "conformance/syntax", "conformance/check")
    wanted = SHORT if text == "--short" else [p for p in programs if text in p and not p.startswith(left_out)]
    programs = [os.path.abspath(p) for p in wanted]
    equal, differ, vary, skipped, total = 0, 0, 0, 0, 0
    for program in programs:
        name = os.path.relpath(program)
        given = directives(program)
        if name.startswith("conformance") and "threads" not in given:
            continue
        threads = given.get("threads", "4").split()
        number = next((n for n in threads if n in ("2", "3", "4")), threads[0])
        try:
            each, counted, varying, differing = compare(program, number)
        except (RuntimeError, KeyError, subprocess.TimeoutExpired) as error:
            print(f"left out {name}: {error}")
            skipped += 1
            continue
        if varying:
            vary += 1
            print(f"{name}: {len(varying)} of {len(each)} numbers differ from run to run", flush=True)
        if differing:
            differ += 1
            print(f"DIFFERS {name}", flush=True)
            for key in sorted(differing)[:6]:
                print(f"    {key}: {each.get(key, 0)} recorded, {counted.get(key, 0)} counted")
        else:
            equal += 1
            total += sum(n for key, n in counted.items() if key[3] == "visits")
    print(f"{equal} programs equal ({total} accesses and calls; in {vary} some numbers differ from run to run and are not compared), "
          f"{differ} differ, {skipped} left out")
    if differ or not equal:
        sys.exit(1)


main()
