import os
import subprocess
import sys
import textwrap

import pytest

sys.path.insert(0, os.path.dirname(__file__))


def pytest_sessionfinish(session, exitstatus):
    """A file whose tests are all skipped is skipped, not passed (run_pytest.sh)."""
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    if exitstatus == 0 and stats.get("skipped") and not stats.get("passed"):
        session.exitstatus = 77


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that asks for the compiler library is skipped in builds without one, as those with sanitizers are."""
    outcome = yield
    error = outcome.excinfo[1] if outcome.excinfo else None
    if "TFRT_COMPILER_LIBRARY" not in os.environ and "the compiler library is not there" in str(error):
        outcome.force_exception(pytest.skip.Exception("needs the compiler library"))


@pytest.fixture
def run_python():
    """Runs a program in a process of its own; its output. It must end well, within seconds, and leak nothing."""

    def run(program, *, timeout=180, code=0, leaks=False, **variables):
        process = subprocess.run([sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program)],
                                 capture_output=True, text=True, timeout=timeout, env=os.environ | variables)
        assert process.returncode == code, process.stdout + process.stderr
        assert leaks or "nanobind: leaked" not in process.stderr, process.stderr
        return process.stdout

    return run


@pytest.fixture(scope="session")
def colours():
    """A small model: f32 [batch,3] colours to f32 [batch,4] probabilities."""
    return os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", "examples", "embed_model",
                                         "colours.bef"))
