"""Servers of models: the program tfrt_serve, started and ended from Python.

    with tfrt.serve("models", port=0) as server:
        server.wait_ready()
        print(server.url)                           # http://127.0.0.1:43211
"""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping
from typing import Any, Optional, Union

from .errors import DeadlineExceededError, FailedPreconditionError, NotFoundError

__all__ = ["Server", "serve"]

_Path = Union[str, "os.PathLike[str]"]


def _find_program():
    """The path of tfrt_serve: that of TFRT_SERVE, or beside this package, or where a build has it, or in PATH."""
    if "TFRT_SERVE" in os.environ:
        places = [os.environ["TFRT_SERVE"]]
    else:
        folder = os.path.dirname(os.path.abspath(__file__))
        places = [os.path.join(folder, "tfrt_serve"), os.path.normpath(os.path.join(folder, "../../bin/tfrt_serve")),
                  shutil.which("tfrt_serve") or "tfrt_serve in PATH"]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    raise NotFoundError("the program tfrt_serve is not there; name it in TFRT_SERVE. Tried:\n  " + "\n  ".join(places))


def _make_folder(models, folder):
    """A folder of links, laid out as the server reads it."""
    for name, path in models.items():
        path = os.path.abspath(path)
        if not os.path.exists(path):
            raise NotFoundError(f"the model {name!r}: there is no file '{path}'")
        ending = os.path.splitext(path)[1]
        if ending not in (".bef", ".onnx"):
            raise ValueError(f"the model {name!r} is '{path}', neither a .bef nor an .onnx file")
        if not name or name != os.path.basename(name) or name.startswith("."):
            raise ValueError(f"{name!r} is no name of a model")
        os.makedirs(os.path.join(folder, name, "1"))
        # An ONNX file is compiled beside the link, and weights of its own are beside the file: only BEF is linked.
        if ending == ".bef":
            os.symlink(path, os.path.join(folder, name, "1", "model.bef"))
        else:
            from ._model import compile_model
            compile_model(path, os.path.join(folder, name, "1", "model.bef"))


class Server:
    """A process of tfrt_serve. It ends with `stop`, at the end of a `with` statement, or with this interpreter."""

    def __init__(self, command: list[str], address: str, folder: str, has_grpc: bool, log: Any) -> None:
        """`serve` makes it. `folder` is temporary."""
        self._address = address
        self._port_files = [os.path.join(folder, "port"), os.path.join(folder, "grpc_port") if has_grpc else None]
        for option, file in zip(("port_file", "grpc_port_file"), self._port_files):
            if file:
                command = [*command, f"--{option}={file}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)
        # Also when the interpreter ends.
        self._finalizer = weakref.finalize(self, _end, self.process, folder)
        try:
            self.port: int = self._await_port(self._port_files[0])
            self.grpc_port: Optional[int] = self._await_port(self._port_files[1]) if has_grpc else None
        except BaseException:
            self._finalizer()
            raise

    def _await_port(self, file):
        while True:
            with_line = ""
            if os.path.exists(file):
                with open(file) as opened:
                    with_line = opened.read()
            if with_line.endswith("\n"):
                return int(with_line)
            self._check_alive()
            time.sleep(0.005)

    def _check_alive(self):
        if self.process.poll() is not None:
            raise FailedPreconditionError(f"tfrt_serve has ended with code {self.process.returncode}; its log says why")

    @property
    def url(self) -> str:
        """The server by HTTP: "http://127.0.0.1:8000"."""
        return f"http://{'127.0.0.1' if self._address == '0.0.0.0' else self._address}:{self.port}"

    def is_ready(self) -> bool:
        """Whether all models of the start have been loaded, and the server does not end."""
        host = "127.0.0.1" if self._address == "0.0.0.0" else self._address
        connection = http.client.HTTPConnection(host, self.port, timeout=10)
        try:
            connection.request("GET", "/v2/health/ready")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def wait_ready(self, timeout: float = 60.0) -> Server:
        """Waits until the server is ready, up to so many seconds; returns it."""
        end = time.monotonic() + timeout
        while not self.is_ready():
            self._check_alive()
            if time.monotonic() > end:
                raise DeadlineExceededError(f"the server was not ready within {timeout} seconds")
            time.sleep(0.01)
        return self

    def stop(self, timeout: float = 60.0) -> int:
        """Ends the server when its requests are answered, and returns its exit code, 0 if all were.

        After so many seconds it is killed.
        """
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
        code = self.process.wait()
        self._finalizer()
        return code

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _end(process, folder):
    if process.poll() is None:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def serve(models: Union[_Path, Mapping[str, _Path]], *, port: int = 8000, grpc_port: Optional[int] = None,
          address: str = "127.0.0.1", log: Any = None, **options: Any) -> Server:
    """Starts tfrt_serve, and returns when it listens; its models may still be loading (`Server.wait_ready`).

    `models` is a folder of NAME/VERSION/model.bef, or a dict from names to .bef and .onnx files. Port 0 is a free one.
    gRPC is off without a `grpc_port`. `log` is a file, opened for writing; otherwise lines go to standard error. Other
    options are those of the program: `model_control="explicit"` is --model_control=explicit, and `log_requests=True` is
    --log_requests.
    """
    program = _find_program()
    folder = tempfile.mkdtemp(prefix="tfrt_serve.")
    try:
        if isinstance(models, Mapping):
            if not models:
                raise ValueError("there are no models to serve")
            served = os.path.join(folder, "models")
            _make_folder(models, served)
        else:
            served = os.path.abspath(models)
        command = [program, f"--models={served}", f"--address={address}", f"--port={port}"]
        if grpc_port is not None:
            command.append(f"--grpc_port={grpc_port}")
        for name, value in options.items():
            if value is True:
                command.append(f"--{name}")
            elif value is not False and value is not None:
                command.append(f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
        return Server(command, address, folder, grpc_port is not None, log)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
