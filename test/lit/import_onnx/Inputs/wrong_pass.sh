#!/usr/bin/env bash
# tfrt_run, but where the model is what the pass WRONG_PASS has made, another model is run in its place.
case $1 in
  *."$WRONG_PASS".bef) set -- "$OTHER_MODEL" "${@:2}" ;;
esac
exec tfrt_run "$@"
