"""Times models on our runtime, ONNX Runtime and OpenVINO in turns, and prints a table."""

import random
import statistics
import sys
import time

from . import catalogue, check, peers

# About this long a runner is measured before it is the next one's turn.
TURN_SECONDS = 0.25
OURS = "tfrt"


def make_runners(name, build_dir, cache, threads):
    """The runners of one model: {(runtime, threads): runner}, and {runtime: why it is missing}."""
    import onnx

    path = catalogue.fixed(name, cache)
    bef = cache / f"{name}.fixed.bef"
    feeds = catalogue.timed_feeds(name, onnx.load(path))

    def ours(count):
        check.import_model(build_dir, path, bef)
        return peers.Tfrt(build_dir, bef, feeds, count)

    makers = {OURS: ours, "ONNX Runtime": lambda count: peers.OnnxRuntime(path, feeds, count),
              "OpenVINO": lambda count: peers.OpenVino(path, feeds, count)}
    runners, missing = {}, {}
    for runtime, make in makers.items():
        try:
            for count in threads:
                runners[runtime, count] = make(count)
        except ImportError:
            missing[runtime] = "not installed"
        except Exception as error:  # each runtime has exceptions of its own
            missing[runtime] = " ".join(str(error).split())[:200]
    return runners, missing


def measure(runners, rounds):
    """Times in ms, {key: [times of a round]}: all runners have their turn in each round, in random order."""
    runs = {}
    for key, runner in runners.items():
        runner.times_ms(2)
        runs[key] = max(1, min(1000, round(TURN_SECONDS * 1e3 / min(runner.times_ms(2)))))
    times = {key: [] for key in runners}
    order = list(runners)
    for _ in range(rounds):
        random.shuffle(order)
        for key in order:
            # The one before may have threads that still spin; caches are filled by a run that is not counted.
            time.sleep(0.01)
            runners[key].times_ms(1)
            times[key].append(runners[key].times_ms(runs[key]))
    return times


class Result:
    """What was measured of one model."""

    def __init__(self, times):
        self.medians = {key: statistics.median(t for turn in turns for t in turn) for key, turns in times.items()}
        self.minima = {key: min(min(turn) for turn in turns) for key, turns in times.items()}
        self._rounds = {key: [statistics.median(turn) for turn in turns] for key, turns in times.items()}

    def ratio(self, one, other):
        """How much faster `one` is: the median of the rounds' ratios."""
        return statistics.median(b / a for a, b in zip(self._rounds[one], self._rounds[other]))

    def better_peer(self, count):
        """The ratio of ours to the better peer on so many threads; None if there is none."""
        others = [key for key in self.medians if key[0] != OURS and key[1] == count]
        if (OURS, count) not in self.medians or not others:
            return None
        return min(self.ratio((OURS, count), key) for key in others)

    def minimum_to_better_peer(self, count):
        others = [value for key, value in self.minima.items() if key[0] != OURS and key[1] == count]
        if (OURS, count) not in self.minima or not others:
            return None
        return min(others) / self.minima[OURS, count]

    def speed_up(self, runtime):
        if (runtime, 1) not in self.medians or (runtime, 2) not in self.medians:
            return None
        return self.ratio((runtime, 2), (runtime, 1))


def number(value, form="{:.2f}"):
    return "" if value is None else form.format(value)


def row(name, result, missing, count):
    cells = [name]
    for runtime in (OURS, "ONNX Runtime", "OpenVINO"):
        if runtime in missing:
            cells.append(missing[runtime])
        else:
            cells.append(f"{result.medians[runtime, count]:.3g} ({result.minima[runtime, count]:.3g})")
    cells += [number(result.better_peer(count)), number(result.minimum_to_better_peer(count))]
    if count == 2:
        peer = max((result.speed_up(r) or 0 for r in ("ONNX Runtime", "OpenVINO")))
        cells += [number(result.speed_up(OURS)), number(peer or None)]
    return "| " + " | ".join(cells) + " |"


def main(names, build_dir, cache, rounds, threads):
    versions, results = {}, {}
    for name in names:
        print(f"models: {name}", file=sys.stderr, flush=True)
        runners, missing = make_runners(name, build_dir, cache, threads)
        results[name] = Result(measure(runners, rounds)), missing
        for (runtime, _), runner in runners.items():
            versions[runtime] = runner.version
            if hasattr(runner, "close"):
                runner.close()
    for count in threads:
        print(f"\nms per run, median (minimum), {count} thread{'s' if count > 1 else ''}, f32, "
              f"ONNX Runtime {versions.get('ONNX Runtime', '')}, OpenVINO {versions.get('OpenVINO', '')}\n")
        print("| model | tfrt | ONNX Runtime | OpenVINO | x better peer | the same of minima |" +
              (" speed-up | better peer's |" if count == 2 else ""))
        print("|---|---:|---:|---:|---:|---:|" + ("---:|---:|" if count == 2 else ""))
        ratios = []
        for name, (result, missing) in results.items():
            print(row(name, result, missing, count))
            if (ratio := result.better_peer(count)) is not None:
                ratios.append(ratio)
        if ratios:
            print(f"\nGeometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.3f}, "
                  f"lowest: {min(ratios):.2f}.")
