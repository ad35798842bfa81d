"""Relative standard error of the repetitions of each operation in a result of `pgastool time`."""

import json
import statistics
import sys


def main() -> None:
    compiler, method, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    means: dict[tuple[str, int | None], list[float]] = {}
    for run in result["runs"]:
        for timing in run["timings"]:
            key = timing["what"]["operation"], timing["what"]["bytes"]
            means.setdefault(key, []).append(timing["summary"]["mean"])
    for (operation, size), values in means.items():
        mean = statistics.mean(values)
        error = statistics.stdev(values) / len(values) ** 0.5 / mean
        shown = "-" if size is None else size
        print(f"{compiler:10} {operation:18} {shown:>8} {method:>12} {1e6 * mean:6.3f} us  {100 * error:.2f} %")


main()
