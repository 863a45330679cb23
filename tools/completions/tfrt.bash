# Completion for the tools of tfrt in bash, and in zsh after `autoload -U bashcompinit && bashcompinit`.
# Options are what the installed tool's own --help says.

_tfrt_complete() {
  local tool=$1 current=$2 previous=$3 suffix='' words=''
  # "--option=value" arrives as three words.
  if [ "$current" = "=" ]; then current=''; fi
  if [ "$previous" = "=" ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  case "${tool##*/} ${previous/#--/-}" in
    *' -work_queue_type') words='s mstd mstd:' ;;
    *' -host_allocator_type') words='malloc profiled_allocator test_fixed_size_1k leak_check_allocator' ;;
    *' -compute_backend') words='auto eigen onednn' ;;
    *' -tracing_level') words='default verbose debug' ;;
    *' -shared_libs') suffix=so ;;
    *' -model_control') words='none poll explicit' ;;
    *' -trace_file') suffix=json ;;
    *' -trace') suffix=pftrace ;;
    *' -level') words='model layer kernel metrics' ;;
    'mlir_to_bef -o') suffix=bef ;;
    'bef_to_mlir -o') suffix=mlir ;;
    bef_*) suffix=bef ;;
    btf_info*) suffix=btf ;;
    tfrt_run*) suffix=bef ;;
    mlir_to_bef* | tfrt_gpu_opt* | tfrt_opt*) suffix=mlir ;;
  esac
  if [[ $current == -* ]]; then
    words=$("$tool" --help 2>/dev/null | grep -oE -- '(^| |,)--?[a-zA-Z][a-zA-Z0-9_-]*' | tr -d ' ,' | sort -u)
    suffix=''
  fi
  COMPREPLY=()
  local match
  if [ -n "$words" ]; then
    while IFS= read -r match; do COMPREPLY+=("$match"); done < <(compgen -W "$words" -- "$current")
  else
    # With -o filenames the shell quotes what is odd and marks directories itself; zsh has no compopt.
    local slash='/'
    if type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null; then slash=''; fi
    while IFS= read -r match; do
      if [ -d "${match/#\~/$HOME}" ]; then
        COMPREPLY+=("$match$slash")
      elif [ -z "$suffix" ] || [[ $match == *."$suffix" ]]; then
        COMPREPLY+=("$match")
      fi
    done < <(compgen -f -- "$current")
  fi
}

complete -F _tfrt_complete bef_executor bef_executor_lite bef_executor_debug_tracing bef_inspect btf_info \
  mlir_to_bef bef_to_mlir tfrt_gpu_opt tfrt_gpu_translate tfrt_opt tfrt_prof tfrt_run tfrt_serve tfrt_translate
