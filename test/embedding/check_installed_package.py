#!/usr/bin/env python3
"""Installs a build into a folder of its own, builds the examples there with find_package(tfrt), and runs
them; with a compiler in the build, that, too.

usage: check_installed_package.py BUILD_DIR SOURCE_DIR CXX_COMPILER LINKER_FLAGS [LAUNCHER...]

LINKER_FLAGS are those of the build. LAUNCHER is the command that its compiler is started by: ccache, or none.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

EMBED_RUNTIME = r"""sum: 33
quotient: 7
remainder: 1
diagnostic at examples/embed_runtime/program\.mlir:4:27: Divide by zero
sum: 29
quotient: error: INTERNAL: Divide by zero
remainder: error: INTERNAL: Divide by zero
count: error: DEADLINE_EXCEEDED: deadline exceeded
damaged file: INVALID_ARGUMENT: BEF file section header corrupted: .*
"""

# Without oneDNN in the build there is a warning.
EMBED_EAGER = r"""(?:W .*\n)?DenseHostTensor dtype = f32, shape = \[2, 2\], values = \[5\.0.*e\+00, 1\.1.*e\+01, 1\.1.*e\+01, 2\.5.*e\+01\]
error: .*/examples/embed_eager/embed_eager\.cc:13: tf\.MatMul: .*
"""

EMBED_MODEL = r"""(?:W .*\n)?input rgb: f32 \[batch,3\]
output probabilities: f32 \[batch,4\]
red \(0\.\d{3}\)
green \(0\.\d{3}\)
blue \(0\.\d{3}\)
grey \(0\.\d{3}\)
a batch of two: 0\.998 red, 0\.998 green
INVALID_ARGUMENT: input rgb: expected f32 \[batch,3\], but got f32 \[1,4\]
DEADLINE_EXCEEDED: deadline exceeded
"""

CUSTOM_WORK_QUEUE = r"""before the loop: not available
after 1 task: 33
"""

CUSTOM_KERNEL = r"""Choosing memory leak check allocator\.
Choosing single-threaded work queue\.
--- Running 'fractions':
1/6
1/2
'fractions' returned !tfrt\.chain value
"""


# The compiler logs what its analysis of streams finds.
EMBED_COMPILER = r"145\n"

SIMULATION = r"""(?:.*\n)*mean 28\.888889 degrees, of which none is lost
a wave fades to 0\.253810, as computed: yes
"""

EMBED_FUNCTION = r"""(?:W .*\n)?traced
DenseHostTensor dtype = f32, shape = \[1, 2\], values = \[.*\]
DenseHostTensor dtype = f32, shape = \[1, 2\], values = \[5\.\d+e-01, 6\.\d+e-01\]
saved
"""
NO_COMPILER = r"""(?:W .*\n)?traced
error: .*embed_function\.cc:\d+: function 'apply': a function is compiled at its first call, which needs the compiler: .*libtfrt_compiler\.so.*TFRT_MODULE_PATH(?:.*\n)*"""


def run(*command, folder=None):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\nexit code {done.returncode}")
    return done.stdout


def build(source, folder, prefix, compiler, *options):
    # Debug information proves nothing here, and takes time.
    run("cmake", "-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", *compiler, *options)
    run("cmake", "--build", folder)


def expect(name, pattern, text):
    if not re.fullmatch(pattern, text):
        sys.exit(f"{name} printed\n{text}\nwhich does not match\n{pattern}")
    print(f"{name}: as expected")


def check_profiler(examples, folder, prefix, compiler):
    build(examples / "embed_profiler", folder / "embed_profiler", prefix, compiler)
    programs = folder / "embed_profiler"
    profile = folder / "products.pftrace"
    # Standard error, with the figures, is in between.
    expect("embed_profiler", r"(?:.*\n)*20 ops, some of the time in kernels\n(?:.*\n)*",
           run(programs / "embed_profiler", profile))
    # Programs say nothing of it; with several threads the order of their lines is any.
    tool = prefix / "bin/tfrt_prof"
    recorded = folder / "recorded.pftrace"
    run(tool, "record", "--no-peaks", "-o", recorded, "--", programs / "embed_eager_recorded")
    expect("embed_eager_recorded", r"(?:.*\n)*\s+[1-9]\d*\n",
           run(tool, "query", recorded, "SELECT count(*) AS calls FROM span WHERE type = 'eager.call'"))


def check_function(examples, folder, prefix, compiler):
    """With the compiler beside the program, without it, and what it has saved, which needs none."""
    build(examples / "embed_function", folder / "embed_function", prefix, compiler)
    program = folder / "embed_function/embed_function"
    if "LLVM" in run("ldd", program):
        sys.exit("embed_function needs LLVM")
    expect("embed_function without a compiler", NO_COMPILER, run(program, folder / "none.bef"))
    if not (prefix / "lib/libtfrt_compiler.so").exists():
        return
    modules = os.environ["TFRT_MODULE_PATH"]
    os.environ["TFRT_MODULE_PATH"] = str(prefix / "lib")
    expect("embed_function", EMBED_FUNCTION, run(program, folder / "apply.bef"))
    os.environ["TFRT_MODULE_PATH"] = modules
    expect("tfrt_run of a saved function",
           r"(?:W .*\n)?input x: f32 \[1,2\]\nresult result0: f32 \[1,2\]\n",
           run(prefix / "bin/tfrt_run", folder / "apply.bef"))


def main():
    build_dir, source_dir = map(pathlib.Path, sys.argv[1:3])
    linker_flags, launcher = sys.argv[4], ";".join(sys.argv[5:])
    compiler = (f"-DCMAKE_CXX_COMPILER={sys.argv[3]}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}")
    examples = source_dir / "examples"
    program = examples / "embed_runtime/program.bef"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        os.environ["CCACHE_BASEDIR"] = name  # which is another one each time
        run("cmake", "--install", build_dir, "--prefix", prefix)
        os.environ["TFRT_MODULE_PATH"] = str(prefix / "lib/tfrt")
        for example, pattern in (("embed_runtime", EMBED_RUNTIME), ("embed_eager", EMBED_EAGER),
                                 ("simulation", SIMULATION),
                                 ("custom_work_queue", CUSTOM_WORK_QUEUE)):
            build(examples / example, folder / example, prefix, compiler)
            expect(example, pattern, run(folder / example / example, program))
        if (prefix / "bin/tfrt_prof").exists():
            check_profiler(examples, folder, prefix, compiler)
        build(examples / "embed_model", folder / "embed_model", prefix, compiler)
        model = folder / "embed_model/embed_model"
        expect("embed_model", EMBED_MODEL, run(model, examples / "embed_model/colours.bef"))
        if "LLVM" in run("ldd", model):
            sys.exit("embed_model needs LLVM")
        check_function(examples, folder, prefix, compiler)
        build(examples / "custom_kernel", folder / "custom_kernel", prefix, compiler)
        plugin = folder / "custom_kernel/libcustom_kernels.so"
        expect("custom_kernel", CUSTOM_KERNEL,
               run(prefix / "bin/bef_executor", f"--shared_libs={plugin}",
                   examples / "custom_kernel/fraction.bef"))
        compiler_tool = prefix / "bin/mlir_to_bef"
        if compiler_tool.exists():
            # The system's linker takes five seconds for LLVM's libraries. Where that linker would need another order of
            # libraries, lld warns.
            linker = "-fuse-ld=lld -Wl,--warn-backrefs,--fatal-warnings" if "lld" in linker_flags else ""
            build(examples / "embed_compiler", folder / "embed_compiler", prefix, compiler,
                  f"-DCMAKE_EXE_LINKER_FLAGS={linker}")
            expect("embed_compiler", EMBED_COMPILER, run(folder / "embed_compiler/embed_compiler"))
            # Locations hold the path as it was given.
            run(compiler_tool, "examples/embed_runtime/program.mlir", "-o", folder / "program.bef",
                folder=source_dir)
            if (folder / "program.bef").read_bytes() != program.read_bytes():
                sys.exit("the installed mlir_to_bef makes another file than embed_runtime/program.bef")
            print("mlir_to_bef: as expected")


if __name__ == "__main__":
    main()
