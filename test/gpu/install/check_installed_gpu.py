#!/usr/bin/env python3
"""Installs a build, and builds and runs a project outside with find_package(tfrt COMPONENTS gpu).

usage: check_installed_gpu.py BUILD_DIR SOURCE_DIR CXX_COMPILER DRIVER_FOLDER
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# The double has one device.
WITH_DRIVER = "launch: a kernel\ngpu:0: a device\ngpu:1: NOT_FOUND: "
WITHOUT = re.compile(r"launch: a kernel\ngpu:0: NOT_FOUND: .*libcuda\.so\.1 cannot be loaded")


def run(*command, **environment):
    result = subprocess.run([str(part) for part in command], env={**os.environ, **environment}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}\nexit code {result.returncode}")
    return result.stdout


def main():
    build_dir, source_dir, compiler, driver = sys.argv[1:]
    project = pathlib.Path(source_dir, "test/gpu/install/project")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("cmake", "--install", build_dir, "--prefix", folder / "prefix", "--component", "dev")
        run("cmake", "-G", "Ninja", "-S", project, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}",
            f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug")
        run("cmake", "--build", folder / "build")
        program = folder / "build/gpu_user"
        output = run(program, TFRT_GPU_LIBRARY_PATH=driver)
        if WITH_DRIVER not in output:
            sys.exit(f"with a driver it printed\n{output}")
        if "libcuda" in run("ldd", program):
            sys.exit("the program needs libcuda to start")
        output = run(program, TFRT_GPU_LIBRARY_PATH="")
        if WITHOUT.search(output) or "gpu:0: a device" in output:  # there may be a GPU here
            print("check_installed_gpu: as expected")
        else:
            sys.exit(f"without a driver it printed\n{output}")


if __name__ == "__main__":
    main()
