"""Models: loading, running, threads, coroutines, pickling, errors; compiling ONNX."""

import asyncio
import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tfrt

RGB = np.array([[0.9, 0.1, 0.2], [0.2, 0.8, 0.1]], "f4")


def probabilities(rgb):
    weights = np.array([[8, -4, -4, 0], [-4, 8, -4, 0], [-4, -4, 8, 0]], "f4")
    scores = np.exp(rgb @ weights + np.array([0, 0, 0, 2], "f4"))
    return scores / scores.sum(1, keepdims=True)


def test_running(colours):
    model = tfrt.load(colours)
    assert model.inputs == [tfrt.Value("rgb", tfrt.f32, ("batch", 3))] and model.outputs[0].name == "probabilities"
    assert model.name == "colours" and model.producer == "by hand" and model.metadata["labels"] == "red,green,blue,grey"
    assert repr(model) == "<model colours: (rgb: f32 [batch,3]) -> (probabilities: f32 [batch,4])>"
    for rgb in (RGB, tfrt.tensor(RGB), tfrt.from_numpy(RGB), RGB.tolist(), tfrt.Variable(RGB), memoryview(RGB)):
        for inputs in ({"rgb": rgb}, [rgb]):
            results = model.run(inputs)
            np.testing.assert_allclose(results["probabilities"].numpy(), probabilities(RGB), rtol=1e-5)
    assert model.run([[[1, 0, 0]]])["probabilities"].shape == (1, 4)
    assert (model.run([RGB], timeout=60)["probabilities"] * 2.0).shape == (2, 4)


@pytest.mark.parametrize("inputs, kind, error", [
    ({"rgb": np.zeros((1, 4), "f4")}, ValueError, r"input rgb: expected f32 \[batch,3\], but got f32 \[1,4\]"),
    ({"rgb": np.zeros((1, 3))}, ValueError, r"expected f32 \[batch,3\], but got f64"),
    ({}, ValueError, r"input rgb is missing; the model has rgb: f32 \[batch,3\]"),
    ({"rgb": RGB, "x": RGB}, ValueError, "the model has no input x; it has rgb"),
    ([], ValueError, "the model has 1 inputs, rgb: .*; 0 are given"),
    (3, TypeError, "inputs are a dict by name, or a list in the model's order, not int"),
    (tfrt.tensor([1.0]), TypeError, "not Tensor"),
    ({"rgb": "a"}, TypeError, "input rgb is a tensor, an array, a number or a list of numbers, not str"),
    ({"rgb": [[1j, 0, 0]]}, TypeError, "a complex number does not become f32"),
])
def test_wrong_inputs(colours, inputs, kind, error):
    model = tfrt.load(colours)
    with pytest.raises(kind, match=error):
        model.run(inputs)
    with pytest.raises(kind, match=error):
        asyncio.run(model.run_async(inputs))


def test_timeouts(colours):
    model = tfrt.load(colours)
    with pytest.raises(tfrt.DeadlineExceededError) as caught:
        model.run([RGB], timeout=0)
    assert isinstance(caught.value, TimeoutError) and caught.value.file == __file__
    with pytest.raises(ValueError, match="a timeout is a number of seconds"):
        model.run([RGB], timeout=-1)
    with pytest.raises(tfrt.DeadlineExceededError):
        asyncio.run(model.run_async([RGB], timeout=0))


def test_threads(colours):
    model = tfrt.load(colours)

    def work(i):
        rgb = np.full((i + 1, 3), 0.1, "f4")
        for _ in range(20):
            np.testing.assert_allclose(model.run([rgb])["probabilities"].numpy(), probabilities(rgb), rtol=1e-5)
        return True

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_coroutines(colours):
    model = tfrt.load(colours)

    async def main():
        runs = [model.run_async([np.full((i + 1, 3), 0.5, "f4")]) for i in range(20)]
        return [results["probabilities"].shape for results in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == [(i + 1, 4) for i in range(20)]


def test_inputs_of_coroutines_may_change(colours):
    model = tfrt.load(colours)

    async def main():
        rgb = RGB.copy()
        run = asyncio.ensure_future(model.run_async([rgb]))
        await asyncio.sleep(0)
        rgb[:] = 0
        return (await run)["probabilities"].numpy()

    np.testing.assert_allclose(asyncio.run(main()), probabilities(RGB), rtol=1e-5)


def test_pickling(colours):
    with open(colours, "rb") as file:
        data = file.read()
    for model in (tfrt.load(colours), tfrt.Model(data, name="bytes")):
        pickled = pickle.dumps(model)
        assert (len(pickled) < 1000) == (model.name == "colours")
        same = pickle.loads(pickled)
        assert same.name == model.name
        np.testing.assert_allclose(same.run([RGB])["probabilities"].numpy(), probabilities(RGB), rtol=1e-5)


def run_in_child(model):
    return model.run([RGB])["probabilities"].tolist()


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes(colours, method):
    model = tfrt.load(colours)
    model.run([RGB])
    with multiprocessing.get_context(method).Pool(1) as pool:
        np.testing.assert_allclose(pool.apply_async(run_in_child, (model,)).get(60), probabilities(RGB), rtol=1e-5)


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(tfrt.NotFoundError) as caught:
        tfrt.load(tmp_path / "absent.bef")
    assert caught.value.file == __file__
    bad = tmp_path / "bad.bef"
    bad.write_bytes(b"no model" * 100)
    with pytest.raises(tfrt.InvalidArgumentError):
        tfrt.load(bad)
    with pytest.raises(tfrt.InvalidArgumentError):
        tfrt.Model(b"no model" * 100)
    with pytest.raises(tfrt.NotFoundError, match="there is no file"):
        tfrt.load(tmp_path / "absent.onnx")


def test_every_truncation_is_an_error(colours):
    with open(colours, "rb") as file:
        data = file.read()
    for size in range(0, len(data), max(1, len(data) // 40)):
        with pytest.raises(tfrt.Error):
            tfrt.Model(data[:size]).run([RGB])


def test_without_the_compiler(run_python, tmp_path):
    onnx = tmp_path / "m.onnx"
    onnx.write_bytes(b"")
    run_python(f"""
        import tfrt
        try:
            tfrt.load({str(onnx)!r})
        except tfrt.FailedPreconditionError as error:
            assert "the compiler library is not there; install the package tfrt-compiler" in str(error), error
            assert "/no/such/libtfrt_compiler.so" in str(error), error
        else:
            raise AssertionError
    """, TFRT_COMPILER_LIBRARY="/no/such/libtfrt_compiler.so")


def test_a_library_that_is_no_compiler(run_python, tmp_path):
    onnx = tmp_path / "m.onnx"
    onnx.write_bytes(b"")
    run_python(f"""
        import tfrt
        try:
            tfrt.load({str(onnx)!r})
        except tfrt.FailedPreconditionError as error:
            assert "does not speak version" in str(error), error
        else:
            raise AssertionError
    """, TFRT_COMPILER_LIBRARY="libm.so.6")


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ, reason="needs the compiler library")
def test_weights_behind_links_of_a_cache(tmp_path):
    models = pathlib.Path(__file__).parents[2] / "test/lit/import_onnx/Inputs/models.py"
    snapshot, blobs = tmp_path / "snapshots" / "9f4b", tmp_path / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    (blobs / "c6ed").write_bytes(subprocess.run([sys.executable, models, "external"], capture_output=True,
                                                check=True).stdout)
    (blobs / "b879").write_bytes(np.array([1, 2, 3], "f4").tobytes())
    for name, blob in (("m.onnx", "c6ed"), ("w.bin", "b879")):
        (snapshot / name).symlink_to(f"../../blobs/{blob}")
    with pytest.raises(tfrt.Error, match="follow_cache_links"):
        tfrt.load(snapshot / "m.onnx")
    model = tfrt.load(snapshot / "m.onnx", follow_cache_links=True)
    assert model.run([np.zeros((1, 3), "f4")])["y"].numpy().tolist() == [[1, 2, 3]]
    assert tfrt.compile_model(snapshot / "m.onnx", follow_cache_links=True)


ONNX_CASES = "/usr/share/libonnx-testdata/data/node"


@pytest.mark.skipif("TFRT_COMPILER_LIBRARY" not in os.environ or not os.path.isdir(ONNX_CASES),
                    reason="needs the compiler library and libonnx-testdata")
def test_onnx(tmp_path):
    model = tfrt.load(f"{ONNX_CASES}/test_relu/model.onnx")
    x = np.random.default_rng(0).standard_normal((3, 4, 5)).astype("f4")
    assert (model.run([x])[model.outputs[0].name].numpy() == np.maximum(x, 0)).all()
    assert pickle.loads(pickle.dumps(model)).name == "model"
    saved = tmp_path / "relu.bef"
    tfrt.compile_model(f"{ONNX_CASES}/test_relu/model.onnx", saved)
    assert (tfrt.load(saved).run([x])[model.outputs[0].name].numpy() == np.maximum(x, 0)).all()
    # A model goes on as it was opened when another file takes its name; so does the file when nothing new can be made.
    loaded = tfrt.load(saved)
    tfrt.compile_model(f"{ONNX_CASES}/test_sigmoid/model.onnx", saved)
    assert (loaded.run([x])[loaded.outputs[0].name].numpy() == np.maximum(x, 0)).all()
    content = saved.read_bytes()
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no model")
    with pytest.raises(tfrt.Error):
        tfrt.compile_model(bad, saved)
    with pytest.raises(tfrt.errors.InvalidArgumentError, match="bad.onnx' is the file that is read"):
        tfrt.compile_model(bad, bad)
    with pytest.raises(tfrt.errors.InternalError, match="cannot write '.*/none/a.bef': No such file"):
        tfrt.compile_model(f"{ONNX_CASES}/test_relu/model.onnx", tmp_path / "none" / "a.bef")
    assert saved.read_bytes() == content and bad.read_bytes() == b"no model"
    assert sorted(os.listdir(tmp_path)) == ["bad.onnx", "relu.bef"]
    with pytest.raises(tfrt.Error):
        tfrt.load(bad)
