"""A plugin of pytest for the suite array-api-tests: lets it begin without complex dtypes, and writes what became of
each test to the file that TFRT_SUITE_RESULTS names, as lines of JSON."""

import importlib.abc
import importlib.machinery
import json
import os
import sys

_HELPERS = "array_api_tests.dtype_helpers"


class _Loader(importlib.abc.Loader):
    """Runs the suite's module of dtypes with a `max` that takes an empty list, for which it gives f64: the module asks
    for the widest complex dtype and its width, and a namespace may have none."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.max = lambda values, **key: max(values, **key, default=(module.xp.float64, 64))
        self._loader.exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != _HELPERS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None:
            spec.loader = _Loader(spec.loader)
        return spec


sys.meta_path.insert(0, _Finder())


class _Results:
    """Each test's outcome: passed only if all of its phases passed."""

    def __init__(self, path):
        self._file = open(path, "w", encoding="utf-8")
        self._outcomes = {}

    def pytest_runtest_logreport(self, report):
        reason = "" if report.passed else str(report.longrepr)[-400:]
        if report.nodeid not in self._outcomes or not report.passed:
            self._outcomes[report.nodeid] = (report.outcome, reason)
        if report.when == "teardown":
            outcome, reason = self._outcomes.pop(report.nodeid)
            print(json.dumps({"test": report.nodeid, "outcome": outcome, "reason": reason}), file=self._file)

    def pytest_sessionfinish(self):
        self._file.close()


def pytest_configure(config):
    config.pluginmanager.register(_Results(os.environ["TFRT_SUITE_RESULTS"]))
