#!/usr/bin/env bash
# Installs the Debian packages that tfrt is built with, and in build/python_packages those of PyPI that the Python package is
# built and tested with. Packages that are there already are left alone.
#   scripts/install_dependencies.sh [PACKAGE...]     others besides, for what is seldom needed
set -euo pipefail

packages=(
  g++ cmake ninja-build ccache python3
  llvm-22-dev libmlir-22-dev llvm-22-tools mlir-22-tools # compiler island, lit and FileCheck
  libgtest-dev libgmock-dev libbenchmark-dev             # tests and benchmarks
  python3-psutil                                         # lit's limit on the time of a test
  python3-venv                                           # PyPI packages of tests
  python3-dev                                            # the Python package
  libcli11-dev nlohmann-json3-dev                        # command lines and JSON of the runtime tools
  valgrind libtbb-dev                                    # benchmarks: instruction counts, a peer
  clang-22 lld-22 libclang-rt-22-dev                     # builds of tests: half the time of g++; sanitizers, fuzzing; GPU device code
  gnuplot-nox                                            # the soak test's plot
  clang-format-22 clang-tidy-22 shellcheck               # scripts/format.sh, scripts/tidy.py, scripts/lint.sh
  libprotozero-dev                                       # ONNX files, profiles
  libsqlite3-dev zlib1g-dev                              # files of profiles
  protobuf-compiler golang-github-google-pprof-dev       # tests of what files of profiles say
  libjs-vega                                             # charts of HTML reports; optional
  chromium                                               # the test of reports in a browser
  libonnx-testdata                                       # models with inputs and outputs, for tests
  libeigen3-dev libdnnl-dev                              # tensor kernels; oneDNN is optional
  libsimdjson-dev                                        # JSON of requests to models; optional
  libhwy-dev                                             # sorting by vectors; optional
  libgrpc++-dev                                          # calls of servers of models; optional
  libssl-dev                                             # TLS of the HTTP server; optional
  qemu-user                                              # tests on other processors
  "$@"
)

say() { printf 'install_dependencies: %s\n' "$*"; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is not a Debian system; please install: ${packages[*]}" >&2
  exit 1
fi

# Without PyPI the Python package is left out of builds.
python_packages() {
  local folder
  folder=$(cd "$(dirname "$0")/.." && pwd)/build/python_packages
  mkdir -p "$(dirname "$folder")"
  "$(dirname "$0")/python_environment.sh" "$folder" nanobind==3.1.0 numpy==2.4.6 ml_dtypes==0.6.0 pytest==9.2.0 mypy==2.4.1 \
    ruff==0.17.6 ||
    say "no PyPI packages: the Python package is not built"
}

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true)
  [[ $state == ii* ]] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  say "all ${#packages[@]} packages are installed"
  python_packages
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "not root and no sudo; please run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

# Without a terminal apt leaves out its moving lines.
quiet=(-q)
if [ -t 1 ]; then quiet=(); fi
# Configures packages that an interrupted installation left half configured.
if [ -n "$(dpkg --audit)" ]; then "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a; fi

say "${#missing[@]} of ${#packages[@]} packages are missing; apt installs them, with what they depend on, in some minutes"
say "updating the package lists"
"${as_root[@]}" apt-get update "${quiet[@]}"
unavailable=()
for package in "${missing[@]}"; do
  candidate=$(apt-cache policy "$package" 2>/dev/null | awk '/Candidate:/ {print $2}')
  if [ -z "$candidate" ] || [ "$candidate" = "(none)" ]; then unavailable+=("$package"); fi
done
if [ ${#unavailable[@]} -gt 0 ]; then
  say "the configured apt sources do not offer: ${unavailable[*]}" >&2
  say "LLVM/MLIR 22 comes with Debian 12's security archive (bookworm-security, component main) and" \
      "from the LLVM project's own Debian repository" >&2
  exit 1
fi
say "installing: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y "${quiet[@]}" --no-install-recommends "${missing[@]}"
python_packages
say "done"
