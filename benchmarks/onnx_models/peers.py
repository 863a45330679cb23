"""The runtimes that are compared, each with one model at fixed sizes: ours, ONNX Runtime, OpenVINO.

A runner has `times_ms(runs)`, which runs the model so often and gives each time, and `outputs()`.
"""

import os
import subprocess
import tempfile
import time

import numpy as np


class OnnxRuntime:
    """ONNX Runtime on this many threads; `optimised` off is what results are judged by."""

    def __init__(self, path, feeds, threads=1, optimised=True):
        import onnxruntime as ort

        ort.set_default_logger_severity(3)
        settings = ort.SessionOptions()
        settings.intra_op_num_threads, settings.inter_op_num_threads = threads, 1
        if not optimised:
            settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        self._session = ort.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        self.version = ort.__version__
        self._bind(feeds)

    def _bind(self, feeds):
        import onnxruntime as ort

        # Bound once, so that only the run is timed.
        self._binding = self._session.io_binding()
        for value in self._session.get_inputs():
            self._binding.bind_ortvalue_input(value.name, ort.OrtValue.ortvalue_from_numpy(feeds[value.name]))
        for value in self._session.get_outputs():
            self._binding.bind_output(value.name, "cpu")

    def times_ms(self, runs):
        times = []
        for _ in range(runs):
            begin = time.perf_counter_ns()
            self._session.run_with_iobinding(self._binding)
            times.append((time.perf_counter_ns() - begin) / 1e6)
        return times

    def outputs(self, feeds=None):
        """By name."""
        if feeds is not None:
            self._bind(feeds)
        self._session.run_with_iobinding(self._binding)
        return dict(zip([value.name for value in self._session.get_outputs()],
                        self._binding.copy_outputs_to_cpu()))


class OpenVino:
    """OpenVINO in f32 (its default here would be bf16), one stream."""

    def __init__(self, path, feeds, threads=1):
        import openvino

        settings = {"INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": "1", "INFERENCE_NUM_THREADS": str(threads),
                    "PERFORMANCE_HINT": "LATENCY"}
        self._request = openvino.Core().compile_model(str(path), "CPU", settings).create_infer_request()
        self._feeds = {name: np.ascontiguousarray(values) for name, values in feeds.items()}
        self.version = openvino.__version__.split("-")[0]
        for value in self._request.model_inputs:
            name = next(iter(value.names & feeds.keys()))
            self._request.set_tensor(name, openvino.Tensor(self._feeds[name], shared_memory=True))

    def times_ms(self, runs):
        times = []
        for _ in range(runs):
            begin = time.perf_counter_ns()
            self._request.infer()
            times.append((time.perf_counter_ns() - begin) / 1e6)
        return times

    def outputs(self):
        self._request.infer()
        return {next(iter(value.names)): self._request.get_tensor(value).data.copy()
                for value in self._request.model_outputs}


class Tfrt:
    """Our runtime in a process of its own, `model_runs`, that is told what to do line by line."""

    version = ""

    def __init__(self, build_dir, bef, feeds, threads=1):
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [build_dir / "bin/model_runs", bef, f"--threads={threads}"], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.set_inputs(feeds)

    def _ask(self, command):
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().rstrip("\n")
        if not answer.startswith("ok"):
            raise RuntimeError(answer.removeprefix("error: ") or
                               f"model_runs ended with exit code {self._process.wait()}")
        return answer.split()[1:]

    def set_inputs(self, feeds):
        for i, (name, values) in enumerate(feeds.items()):
            path = os.path.join(self._folder.name, f"{i}.npy")
            np.save(path, values)
            self._ask(f"input {path} {name}")

    def times_ms(self, runs):
        return [float(word) for word in self._ask(f"run {runs}")]

    def outputs(self, feeds=None):
        """By name; after a run at these inputs, if given."""
        if feeds is not None:
            self.set_inputs(feeds)
        self._ask("run 1")
        results = {}
        for word in self._ask(f"save {self._folder.name}/output"):
            path, _, name = word.partition("=")
            results[name] = np.load(path)
        return results

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()
