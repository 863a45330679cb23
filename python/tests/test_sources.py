"""Functions that are rewritten: of files that have changed, without source, lambdas, objects; and what errors say of
others."""

import functools
import gc
import importlib
import inspect
import linecache
import os
import subprocess
import sys
import textwrap
import threading
import types
import weakref
import zipfile

import pytest

import tfrt
from tfrt._rewrite import converted, functions, rewrite, source

pytestmark = pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")

T = tfrt.tensor

TEXT = '''import tfrt


def double(x):
    if x > 0:
        x = x * 2
    return x


def other(x):
    if x > 0:
        x = x * 1000
    return x
'''


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Imports a text as a module: (module, path)."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made = []

    def make(text=TEXT):
        path = tmp_path / f"sources_{len(made)}.py"
        path.write_text(text)
        importlib.invalidate_caches()
        made.append(path.stem)
        return importlib.import_module(path.stem), path

    yield make
    for name in made:
        sys.modules.pop(name, None)


def change(path, text):
    path.write_text(text)
    os.utime(path, (2e9, 2e9))


CHANGES = {
    "body": TEXT.replace("x * 2", "x * 7"),
    "constant_of_other_type": TEXT.replace("x * 2", "x * 2.0"),
    "names": TEXT.replace("x * 2", "x * y"),
    "operator": TEXT.replace("x * 2", "x + 2"),
    "another_function_there": TEXT.replace("double", "x").replace("other", "double"),
    "another_of_the_same_name": "import tfrt\n\n\ndef double(x):\n    if x > 0:\n        x = x * 1000\n    return x\n"
    + TEXT[13:],
    "lines": TEXT.replace("def double(x):\n", "def double(x):\n\n"),
    "empty": "\n",
    "no_python": TEXT.replace("if x > 0", "if x > 0 (("),
}


@pytest.mark.parametrize("text", CHANGES.values(), ids=CHANGES.keys())
def test_a_source_that_changed_is_not_rewritten(modules, text):
    module, path = modules()
    change(path, text)
    with pytest.raises(tfrt.RewriteError, match=f"{path}:5: 'double' needs the elements .* its source in {path} "
                                                "differs from the code which was imported"):
        tfrt.function(module.double)(T(3))
    # Nor in a function that calls it.
    with pytest.raises(tfrt.RewriteError, match="'double' was not rewritten, because its source"):
        tfrt.function(lambda x: module.double(x) + 1)(T(3))
    # Code that decides on values of Python alone is the imported one.
    assert tfrt.function(lambda x, n: x * module.double(n))(T(3), 4).item() == 24


def test_other_parts_of_a_changed_file_do_not_matter(modules):
    module, path = modules()
    change(path, TEXT.replace("1000", "7"))
    assert tfrt.function(module.double)(T(3)).item() == 6


def test_a_module_that_is_imported_again_is_what_its_file_says(modules):
    module, path = modules()
    old = module.double
    assert tfrt.function(old)(T(3)).item() == 6
    change(path, TEXT.replace("x * 2", "x * 7"))
    importlib.reload(module)
    assert tfrt.function(module.double)(T(3)).item() == 21
    assert tfrt.function(old)(T(3)).item() == 6  # was rewritten before


def test_the_code_of_a_function_may_be_replaced(modules):
    module, path = modules()
    assert tfrt.function(module.double)(T(3)).item() == 6
    module.double.__code__ = module.other.__code__
    assert tfrt.function(module.double)(T(3)).item() == 3000


def test_files_of_the_same_text_have_places_of_their_own(modules):
    for _ in range(2):
        module, path = modules("import tfrt\ndef quotient(x, y):\n    if x > 0:\n        x = tfrt.div(x, y)\n    "
                               "return x\n")
        with pytest.raises(ValueError, match=f"{path}:4"):
            tfrt.function(module.quotient)(T(1), T(0)).item()


def test_a_source_in_an_archive_is_rewritten(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "lib.zip", "w") as archive:
        archive.writestr("sources_zipped.py", TEXT)
    monkeypatch.syspath_prepend(str(tmp_path / "lib.zip"))
    assert tfrt.function(importlib.import_module("sources_zipped").double)(T(3)).item() == 6


class Cyclic:
    """One that the collector ends, by which another thread may go on."""

    def __init__(self):
        self.me = self

    def __del__(self):
        pass


def test_threads_read_sources_at_the_same_time(modules):
    text = "".join(f"def f{i}(x):\n    if x > {i}:\n        x = (((x + 1) * 2) - 3)\n    return x\n" for i in range(30))
    failures, interval, threshold = [], sys.getswitchinterval(), gc.get_threshold()

    def find(module):
        try:
            for _ in range(40):
                for _ in range(5):
                    Cyclic()
                source._files.clear()
                source.find(module.f29)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=find, args=(modules(f"{text}# {i}\n")[0],)) for i in range(4)]
    sys.setswitchinterval(1e-6)
    gc.set_threshold(20)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
    assert not failures


LIBRARY = ("argparse", "asyncio.base_events", "collections", "csv", "ctypes", "dataclasses", "enum", "inspect",
           "json.encoder",
           "typing", "unittest.mock", "tempfile")


@pytest.mark.parametrize("name", LIBRARY)
def test_sources_that_did_not_change_are_those_of_their_code(name):
    """All kinds of functions: with decorators, closures, private names, nested classes, defaults, several in a
    line."""
    module = importlib.import_module(name)
    found, todo, seen = 0, [module], set()
    while todo:
        each = todo.pop()
        for value in vars(each).values():
            if isinstance(value, (staticmethod, classmethod, property)):
                value = value.fget if isinstance(value, property) else value.__func__
            if isinstance(value, type) and value.__module__ == name and value not in seen:
                seen.add(value)
                todo.append(value)
            elif isinstance(value, types.FunctionType) and value.__code__.co_filename == module.__file__:
                if isinstance(result := source.find(value), str):
                    assert value.__name__ == "__sleep0", (value, result)  # a decorator changes its code
                found += 1
    assert found > 3


def test_lambdas_in_a_line_are_told_apart():
    both = [lambda x: x + 1, lambda x: x + 2, lambda x, y=3: (lambda z: z + y)(x) if x > 0 else x]
    for index, each in enumerate(both):
        assert rewrite(each) is not each and rewrite(each)(1) == each(1) == [2, 3, 4][index]


def test_assertions_of_pytest_are_no_change():
    def function(x):
        assert x.sum() > 0.0, "positive"
        if x.sum() > 10.0:
            x = x * 2.0
        return x

    assert any(name.startswith("@py") for name in function.__code__.co_names)  # that it has rewritten this
    assert tfrt.function(function)(T([20.0])).tolist() == [40.0]


class Private:
    def __init__(self):
        self.__weight = 2.0

    def texts(self, x):
        if x > 0.0:
            x = x * 2.0
        return x, ["""a
            b
c"""]

    def names(self, x):
        import math as __math

        def __inner(y):
            nonlocal x
            x = x + y * self.__weight
            return __math.floor(1.5)

        try:
            raise KeyError
        except KeyError as __error:
            one = __inner(x)
        return x * one if x > 0.0 else x


def test_functions_are_compiled_as_where_they_are_written():
    def names(x):
        def inner():
            pass

        class Inner:
            def method(self):
                pass

        if x:
            inner = lambda: None  # noqa: E731
        return inner.__qualname__, Inner.__qualname__, Inner.method.__qualname__

    for x in (False, True):
        assert rewrite(names)(x) == names(x)
    texts = []
    tfrt.function(lambda x: texts.append(Private().texts(x)[1]) or x)(T(1.0))
    assert texts == [["a\n            b\nc"]]
    assert rewrite(Private().names)(3.0) == Private().names(3.0) == 9.0
    assert tfrt.function(Private().names)(T(3.0)).item() == 9.0


# --- Without source ---

def no_source(text, name="f"):
    space = {"tfrt": tfrt}
    exec(textwrap.dedent(text), space)
    return space[name]


def test_functions_without_source_run_as_they_are():
    f = no_source("""
        def f(x, n):
            return x * 2.0 if n > 1 else x
    """)
    assert tfrt.function(f)(T([1.0]), 2).tolist() == [2.0]
    assert tfrt.grad(no_source("f = lambda x: (x * x).sum()"))(T([3.0])).tolist() == [6.0]
    f = no_source("""
        def f(x):
            while x.sum() < 10.0:
                x = x * 2.0
            return x
    """)
    with pytest.raises(tfrt.RewriteError, match="<string>:3: 'f' needs the elements of a tensor, which has none while "
                                                "a function is traced; 'f' was not rewritten, because its source "
                                                "cannot be read; decide with tfrt.cond, tfrt.while_loop or "
                                                "tfrt.for_range"):
        tfrt.function(f)(T([1.0]))
    assert tfrt.function(f, run_eagerly=True)(T([1.0])).tolist() == [16.0]
    with tfrt.stance("force_eager"):
        assert tfrt.function(f)(T([1.0])).tolist() == [16.0]


def test_programs_without_source(run_python):
    """python -c, and TFRT_EAGER, where nothing is rewritten."""
    program = """
        import tfrt
        f = tfrt.function(lambda x: x + 1.0)
        print(f(tfrt.tensor(1.0)).item(), f.statistics["traces"])
        @tfrt.function
        def g(x):
            if x > 0.0:
                x = x * 3.0
            return x
        try:
            print(g(tfrt.tensor(1.0)).item())
        except tfrt.RewriteError as error:
            print(error)
    """
    assert run_python(program).startswith("2.0 1\n<string>:7: 'g' needs the elements")
    assert run_python(program, TFRT_EAGER="1") == "2.0 0\n3.0\n"


def test_compiled_files_alone(tmp_path):
    import py_compile
    path = tmp_path / "shipped.py"
    path.write_text(TEXT + "\n\ndef plain(x):\n    return x * 5\n")
    py_compile.compile(str(path), cfile=str(tmp_path / "shipped.pyc"))
    path.unlink()
    program = ("import shipped, tfrt\nprint(tfrt.function(shipped.plain)(tfrt.tensor(3)).item())\n"
               "try: tfrt.function(shipped.double)(tfrt.tensor(3))\nexcept tfrt.RewriteError as error: print(error)")
    process = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    output = process.stdout
    assert output.startswith("15\n") and "its source cannot be read" in output, output + process.stderr


def test_text_that_was_put_in_the_cache_of_lines_is_a_source():
    """As IPython and doctest do."""
    text = "def f(x):\n    if x > 0.0:\n        x = x * 2.0\n    return x\n"
    linecache.cache["<cell 1>"] = (len(text), None, text.splitlines(True), "<cell 1>")
    space = {}
    exec(compile(text, "<cell 1>", "exec"), space)
    assert tfrt.function(space["f"])(T(2.0)).item() == 4.0
    assert tfrt.function(lambda x: space["f"](x) + 1.0)(T(2.0)).item() == 5.0


# --- Lambdas, objects ---

def relu(x):
    if x.sum() > 0.0:
        return x
    return x * 0.0


short = lambda x: relu(x) + 1.0  # noqa: E731


def loss(w, x):
    y = (w * x).sum()
    if y < 0.0:
        y = -y
    return y


class Layer:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        if x.sum() > 0.0:
            x = x * self.by
        return x

    @property
    def size(self):
        return self.by if self.by > 0.0 else -self.by

    @property
    def limit(self):
        if self.by.sum() > 1.0:
            return 1.0
        return 2.0

    def forward(self, x):
        return self(x) + 1.0

    def __matmul__(self, x):
        return self(x)

    def __mul__(self, x):
        if x.sum() > 0.0:
            x = x * self.by
        return x


class Network:
    def __init__(self):
        self.layer = Layer(2.0)

    def forward(self, x):
        return self.layer(x)


def test_what_lambdas_call_is_rewritten():
    x = T([1.0, 2.0])
    assert tfrt.grad(lambda w: loss(w, x))(T([-1.0, -1.0])).tolist() == [-1.0, -2.0]
    network = Network()
    f = tfrt.function(lambda x: network.forward(x))
    assert f(x).tolist() == [2.0, 4.0] and f(-x).tolist() == [-1.0, -2.0] and f.statistics["traces"] == 1
    g = tfrt.function(lambda x: short(x) if x[0] < 5.0 else x)
    assert g(x).tolist() == [2.0, 3.0] and g(-x).tolist() == [1.0, 1.0] and g(x * 9.0).tolist() == [9.0, 18.0]
    assert tfrt.grad(lambda w: tfrt.grad(lambda v: loss(v * v * v, x))(w).sum())(T([1.0, 1.0])).tolist() == [6.0, 12.0]


def clip(i, v):
    if v.sum() > 10.0:
        v = v - 8.0
    return v * 2.0


def test_bodies_given_by_name_are_rewritten():
    def python(v, n):
        for i in range(n):
            v = v - 8.0 if v > 10.0 else v
            v = v * 2.0
        return v

    for start in (1.0, 9.0, 20.0):
        x = T([start])
        assert tfrt.function(lambda x: tfrt.for_range(3, clip, x))(x).tolist() == [python(start, 3)]
        assert tfrt.function(lambda x: tfrt.for_each(T([1.0, 2.0]), lambda v, row: clip(row, v),
                                                     x))(x).tolist() == [python(start, 2)]
        assert tfrt.function(lambda x: tfrt.scan(lambda v, row: (clip(row, v), row), x,
                                                 T([1.0, 2.0])))(x)[0].tolist() == [
            python(start, 2)]
        assert tfrt.function(lambda x: tfrt.cond(x[0] > 0.0, functools.partial(clip, 0, x), lambda: x))(x).tolist() == [
            python(start, 1)]
        f = tfrt.function(no_source("""
            def f(x, clip):
                return tfrt.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, clip(i, v)), 0, x)[1]
        """))
        # The body is of a text; what it is given is not.
        with pytest.raises(tfrt.RewriteError, match="'clip' was not rewritten"):
            f(x, clip)
        f = tfrt.function(no_source("f = lambda x, clip: tfrt.for_range(3, clip, x)"))
        assert f(x, clip).tolist() == [python(start, 3)]


def test_objects_that_are_called_are_rewritten():
    x = T([1.0, 2.0])
    for made in (Layer(2.0), functools.partial(Layer(2.0)), Layer(2.0).__call__, Layer(2.0).__matmul__,
                 functools.partial(Layer.__call__, Layer(2.0)), tfrt.function(Layer(2.0)),
                 types.MethodType(Layer.__call__, Layer(2.0))):
        if not isinstance(made, tfrt.Function):
            f = tfrt.function(made)
            assert f(x).tolist() == [2.0, 4.0] and f(-x).tolist() == [-1.0, -2.0] and f.statistics["traces"] == 1
            assert repr(f).startswith("<traced function ")
        g = tfrt.function(lambda x: made(x) + 1.0)
        assert g(x).tolist() == [3.0, 5.0] and g(-x).tolist() == [0.0, -1.0]
    assert tfrt.grad(functools.partial(loss, x=x))(T([-1.0, -1.0])).tolist() == [-1.0, -2.0]
    assert tfrt.grad(functools.partial(loss, x=x)).__name__ == "loss"
    assert tfrt.grad(Layer(2.0).__call__, variables=None)(T(3.0)).item() == 2.0
    assert tfrt.grad(tfrt.reduce_sum)(x, [0]).tolist() == [1.0, 1.0]
    assert tfrt.function(tfrt.relu)(-x).tolist() == [0.0, 0.0]


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def wrapped(x):
    if x > 0.0:
        x = x * 2.0
    return x


@functools.lru_cache
def cached(x):
    if x > 0.0:
        x = x * 2.0
    return x


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_decorated_functions_are_rewritten():
    for f in (wrapped, cached):
        g = tfrt.function(lambda x: f(x))
        assert g(T(2.0)).item() == 4.0 and g(T(-2.0)).item() == -2.0
        assert tfrt.function(f)(T(2.0)).item() == 4.0
    assert tfrt.function(lambda x, n: x * fibonacci(n))(T(1), 40).item() == 102334155  # from its cache
    assert fibonacci.cache_info().currsize == 41


def test_errors_say_why_code_was_not_rewritten():
    class Made:
        def __init__(self, x):
            self.x = x if x > 0.0 else -x

    def numbers(x):
        yield x if x > 0.0 else -x

    def generated(x):
        return next(numbers(x))

    for f, name, why in (
            (lambda x: Made(x).x, "__init__", "it is not called by rewritten code, but by Python itself"),
            (lambda x: Layer(T([2.0])) * x, "__mul__", "it is not called by rewritten code"),
            (lambda x: sorted([x], key=lambda_of_module), "<lambda>", "it is not called by rewritten code"),
            (lambda x: generated(x), "numbers", "it is a generator or a coroutine"),
            (lambda x: textwrap.shorten("a", x), "_wrap_chunks", "it belongs to an installed package"),
    ):
        with pytest.raises(tfrt.RewriteError, match=f"'{name}' was not rewritten, because {why}"):
            tfrt.function(f)(T(3.0))


lambda_of_module = lambda x: 1 if x > 0.0 else 2  # noqa: E731


# --- What is kept ---

def test_a_function_is_rewritten_once(modules):
    module, _ = modules()
    assert converted(module.double) is converted(module.double)
    assert converted(module.other) is not converted(module.double)
    module.double.__defaults__ = (5,)
    assert converted(module.double)() == 10
    # Attributes that functools.wraps copies are not the wrapper's.
    wrapper = logged(module.double)
    assert converted(wrapper) is not converted(module.double) and converted(wrapper)(3) == 6
    new = rewrite(module.double)
    assert rewrite(new) is new


def test_functions_that_are_dropped_are_freed(tmp_path):
    path = tmp_path / "dropped.py"
    path.write_text(TEXT + "\n\ndef make(n):\n    def f(x):\n        return f if x is None else x * n\n    return f\n")
    gone = []
    gc.collect()
    before = len(functions._rewritten._entries), len(functions._made._entries)
    for _ in range(3):
        space = {}
        exec(compile(path.read_text(), str(path), "exec"), space)
        f = space["make"](3)
        assert rewrite(space["double"])(3) == 6 and rewrite(f)(3) == 9
        gone += [weakref.ref(space["double"]), weakref.ref(f)]
    del f, space
    gc.collect()
    assert not any(ref() for ref in gone)
    assert (len(functions._rewritten._entries), len(functions._made._entries)) == before


def test_installed_packages_are_left_alone(monkeypatch, tmp_path):
    def is_left(file):
        return not functions.is_file_of_program(str(file))

    package = os.path.dirname(tfrt.__file__)
    assert is_left(os.path.join(package, "ops.py")) and not is_left(package + "_models/train.py")
    assert is_left(inspect.getsourcefile(textwrap)) and is_left("<frozen os>")
    assert is_left("/usr/lib/python3/dist-packages/yaml/a.py") and is_left("/opt/venv/lib/python3.9/site-packages/a.py")
    assert not is_left("/opt/site-packages-of-mine/a.py") and not is_left(os.path.dirname(os.__file__) + "_more/a.py")


# --- Methods ---

class Model:
    @tfrt.function
    def step(self, x):
        if x.sum() > 0.0:
            x = x * 2.0
        return x


def test_traced_methods_have_what_functions_have(tmp_path):
    model = Model()
    assert model.step(T([1.0])).tolist() == [2.0]
    assert model.step.statistics["traces"] == 1 and model.step.report().startswith("function step")
    assert model.step.concrete(tfrt.TensorSpec("f32", [1])) == model.step.concrete(T([3.0]))
    model.step.save(tmp_path / "step.bef")
    assert list(tfrt.load(str(tmp_path / "step.bef")).run({"x": [-1.0]}).values())[0].tolist() == [-1.0]
    assert tfrt.grad(model.step)(T(3.0)).item() == 2.0
    assert repr(model.step).startswith("<bound <traced function step(self, x)> of <")
    assert str(inspect.signature(model.step)) == "(x)" and model.step.__name__ == "step"
    assert model.step.concrete(T([1.0])) != Model().step.concrete(T([1.0]))
    model.step.clear_cache()
    assert Model.step.statistics["programs"] == 0
