#!/usr/bin/env bash
# From a fresh clone to a server of models: installs what is missing, builds the release preset, writes the trained
# network of examples/digits as an ONNX model, and starts tfrt_serve. One image is asked for by curl, 450 by
# tritonclient. Then the server ends, unless --keep is given. The exit code is 0 if all answers are as expected.
#   scripts/run_server.sh [--keep] [arguments of tfrt_serve]
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/build_environment.sh

keep=0
if [ "${1:-}" = --keep ]; then
  keep=1
  shift
fi
models=build/serve/models
port_file=build/serve/port
targets=(tfrt_serve tfrt_compiler_module)

# Results go to standard output, what is being done to standard error.
exec 3>&1 1>&2
say_plan "serves a trained network over HTTP and asks it with curl and with tritonclient (PyPI)" \
  release "${build_minutes[run_server]}" "${targets[@]}"
scripts/install_dependencies.sh curl
use_compiler_cache
configure_release
build release "${targets[@]}"
scripts/python_environment.sh build/serve/python numpy==2.4.6 onnx==1.23.2 tritonclient==2.73.0 \
  geventhttpclient==2.6.1 gevent==26.9.0 python-rapidjson==1.25 aiohttp==3.14.5 || {
  say "the client comes from PyPI, which cannot be reached; scripts/run_digits.sh needs no network"
  exit 1
}
build/serve/python/bin/python examples/serve/digits_model.py "$models"

rm -f "$port_file"
unfinished+=("$port_file")
build/release/bin/tfrt_serve --models="$models" --address=127.0.0.1 --port=0 --port_file="$port_file" "$@" &
server=$!
end_server() {
  kill "$server" 2>/dev/null || return 0
  wait "$server"
}
trap 'end_server || true; rm -rf "${unfinished[@]}"' EXIT
for ((i = 0; i < 600; ++i)); do
  if [ -s "$port_file" ] && curl -sf "http://127.0.0.1:$(cat "$port_file")/v2/health/ready" >/dev/null; then break; fi
  kill -0 "$server" || exit 1
  sleep 0.1
done
url=127.0.0.1:$(cat "$port_file")

pixels=$(od -An -v -tu1 -N64 examples/digits/data/images.u8 |
  awk '{for (i = 1; i <= NF; ++i) { printf "%s%s", separator, $i / 16; separator = "," }}')
say "asking for one image: curl http://$url/v2/models/digits/infer"
curl -sf "http://$url/v2/models/digits/infer" \
  -d '{"inputs":[{"name":"pixels","datatype":"FP32","shape":[1,64],"data":['"$pixels"']}]}' >&3
echo >&3
say "asking for 450 images: examples/serve/ask.py $url"
build/serve/python/bin/python examples/serve/ask.py "$url" >&3
if [ "$keep" = 1 ]; then
  say "the server goes on at http://$url/ until it is interrupted"
  wait "$server"
else
  end_server
fi
