#!/usr/bin/env bash
# Makes the packages in build/packages: wheels for Python (tfrt, tfrt_compiler) and Debian packages
# (tfrt-runtime, libtfrt-dev, tfrt-tools, tfrt-gpu). Then uses them where nothing of the build
# folder is found: the wheels in an empty Python environment, with two programs of docs/python.md,
# and the Debian packages unpacked in an empty folder, with README.md's program.
#   scripts/make_packages.sh
# Needs PyPI. Nothing is installed on the system but what install_dependencies.sh does.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

packages=build/packages.new check=build/packages.check log=build/wheel.log
installed=() # the folders of the build whose libraries and programs are installed
for folder in lib lib/compiler dialects gpu tools; do
  if [ -e "$folder/CMakeLists.txt" ]; then installed+=("$folder/all"); fi
done

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "makes Debian packages, then wheels, and uses both; the wheels are builds of their own" \
  release "${build_minutes[make_packages]}" "${installed[@]}"
say "the wheels take about $((build_minutes[wheels] / $(build_jobs))) minutes the first time"
scripts/install_dependencies.sh dpkg-dev
python=build/python_packages/bin/python
[ -x "$python" ] || { say "wheels need PyPI, which cannot be reached"; exit 1; }
use_compiler_cache
unfinished+=("$packages" "$check")
rm -rf "$packages" "$check"
mkdir -p "$packages" "$check/unpacked"

make_debs() {
  configure_release
  build release "${installed[@]}"
  say "packing build/release"
  cpack --config build/release/CPackConfig.cmake -B "$PWD/$packages"
  rm -rf "$packages/_CPack_Packages"
}

# make_wheel SOURCE CACHE: CACHE is the cache of the wheel's build folder, which keeps its compiler.
make_wheel() {
  local arguments=''
  [ -e "$2" ] || arguments=$(clang_options | tr '\n' ' ')
  say "making the wheel of $1"
  CMAKE_ARGS=$arguments CMAKE_CXX_COMPILER_LAUNCHER=${TFRT_COMPILER_LAUNCHER:-} CMAKE_BUILD_PARALLEL_LEVEL=$(build_jobs) \
    "$python" -m pip --disable-pip-version-check --verbose wheel --no-deps --wheel-dir "$packages" "$1" 2>&1 |
    report_progress "$log" || { print_errors "$log"; say "no wheel of $1; to see more: less $log"; return 1; }
}

# Runs from an empty root what tfrt-tools and tfrt-runtime have in usr/bin.
check_debs() {
  local deb
  for deb in "$packages"/*.deb; do dpkg -x "$deb" "$check/unpacked"; done
  awk '/^```mlir$/ { on = 1; next } /^```/ { if (on) exit } on' README.md >"$check/program.mlir"
  (cd "$check" && export LD_LIBRARY_PATH=$PWD/unpacked/usr/lib && unpacked/usr/bin/mlir_to_bef program.mlir -o program.bef &&
    unpacked/usr/bin/bef_executor program.bef | tee program.out)
  grep -q "'add_and_print' returned 42" "$check/program.out"
}

# first_program KIND: prints the first program of docs/python.md that is marked so.
first_program() { awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```/ { if (on) exit } on' docs/python.md; }

check_wheels() {
  { first_program python && first_program "python needs-compiler"; } >"$check/program.py"
  python3 -m venv "$check/venv"
  "$check/venv/bin/python" -m pip --disable-pip-version-check --quiet install numpy==2.4.6 "$packages"/*.whl
  (cd "$check" && env --ignore-environment PATH=/usr/bin:/bin HOME="$PWD" venv/bin/python -I program.py)
}

make_debs
say "running README.md's program by the unpacked Debian packages"
check_debs
make_wheel . "$(compgen -G 'build/wheel/cp*/CMakeCache.txt' | head -n 1)"
make_wheel ./python/compiler build/wheel/compiler/CMakeCache.txt
say "running programs of docs/python.md by the wheels"
check_wheels
rm -rf build/packages
mv "$packages" build/packages
say "the packages work"
(cd build/packages && du --apparent-size -h -- *) | sed 's,\t,  build/packages/,' >&3
