"""Relative standard error of each operation's mean over repetitions, within results of `pgastool time` and between them."""

import json
import statistics
import sys

Operation = tuple[str, int | None]


def relative_error(values: list[float]) -> float:
    return statistics.stdev(values) / len(values) ** 0.5 / statistics.mean(values)


def repetitions(path: str) -> dict[Operation, list[float]]:
    """Means of each operation, in seconds."""
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    means: dict[Operation, list[float]] = {}
    for timing in (timing for run in result["runs"] for timing in run["timings"]):
        key = timing["what"]["operation"], timing["what"]["bytes"]
        means.setdefault(key, []).append(timing["summary"]["mean"])
    return means


def main() -> None:
    compiler, method, *paths = sys.argv[1:]
    starts = [repetitions(path) for path in paths]
    for operation, size in starts[0]:
        of_starts = [start[operation, size] for start in starts]
        within = statistics.median(relative_error(values) for values in of_starts)
        means = [statistics.mean(values) for values in of_starts]
        mean, between = statistics.mean(means), relative_error(means)
        shown = "-" if size is None else size
        print(
            f"{compiler:10} {operation:18} {shown:>8} {method:>12} {1e6 * mean:6.3f} us "
            f"{100 * within:8.2f} % {100 * between:8.2f} %"
        )


main()
