#!/usr/bin/env python3
"""tfrt_gpu_plans makes the plans of a program once, reads them in the next process, and says what it cannot do.

usage: plans_tool_test.py TFRT_GPU_PLANS TFRT_GPU_TRANSLATE DEVICE.json FOLDER

FOLDER is for files of the test. Ends with 77, after what needs no cuDNN, if that is not installed.
"""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    tool, translate, device, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TFRT_GPU_")}

    def path(name):
        return os.path.join(folder, name)

    def run(*arguments, code=0, **variables):
        result = subprocess.run([tool, *arguments], env={**environment, **variables}, capture_output=True, text=True,
                                check=False)
        assert result.returncode == code, (arguments, result)
        return result.stdout + result.stderr

    def expect(text, *arguments, code=1, **variables):
        output = run(*arguments, code=code, **variables)
        assert text in output, (arguments, text, output)

    for name in ("plans", "bad_plans"):
        subprocess.run([translate, "-mlir-to-bef", f"{HERE}/{name}.mlir", "-o", path(name)], check=True)
    good = [path("plans"), f"--device={device}", f"--folder={path('kept')}"]

    expect("OVERVIEW: makes the cuDNN plans", "--help", code=0)
    expect("tfrt ", "--version", code=0)
    expect("tfrt_gpu_plans: no file; see --help")
    expect("tfrt_gpu_plans: no --device; see --help", good[0])
    expect("tfrt_gpu_plans: no --folder; see --help", *good[:2])
    expect("tfrt_gpu_plans: unknown argument '--what'; see --help", "--what")
    expect("tfrt_gpu_plans: unknown argument 'b'; see --help", "a", "b")
    expect("no_such_file", path("no_such_file"), *good[1:])
    expect(f"tfrt_gpu_plans: {device}: ", device, *good[1:])
    expect("no_such_device", good[0], f"--device={path('no_such_device')}", good[2])

    first = run(*good, code=0) if has_cudnn(tool, good, environment) else None
    if first is None:
        print("plans_tool_test: the rest is skipped: no cuDNN 9.8 or newer", file=sys.stderr)
        sys.exit(77)
    assert first == "4 plans: 3 built, 0 read, 1 the same as others, 0 failed\n", first
    second = run(*good)
    assert second == "4 plans: 0 built, 3 read, 1 the same as others, 0 failed\n", second
    # The variable names the folder, too.
    third = run(*good[:2], TFRT_GPU_PLAN_FOLDER=path("kept"))
    assert third == second, third
    with open(path("damaged.json"), "w", encoding="utf-8") as file:
        file.write("{}\n")
    expect("damaged.json: cudnnBackendFinalize of a device: CUDNN_STATUS_", good[0],
           f"--device={path('damaged.json')}", good[2])
    bad = [path("bad_plans"), *good[1:]]
    expect("bad_plans.mlir:3:12: tfrt_gpu.dnn.graph.build: matmul f32 is not among the graphs", *bad)
    expect("tfrt_gpu.dnn.build_fused_convolution: a factor is no constant of the same function", *bad)
    expect("2 plans: 0 built, 0 read, 0 the same as others, 2 failed", *bad)
    expect("tfrt_gpu_plans: 2 of 2 plans cannot be made", *bad)


def has_cudnn(tool, arguments, environment):
    # In a folder of its own, so that the first run of the test finds no plan.
    probe = [arguments[0], arguments[1], arguments[2] + "_probe"]
    result = subprocess.run([tool, *probe], env=environment, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return True
    assert "libcudnn.so.9" in result.stderr, result
    return False


main()
