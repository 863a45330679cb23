#!/usr/bin/env bash
# Gives the tree its format, or checks it: C++ as clang-format 22 makes it of .clang-format, in 100 columns; other
# texts without spaces at the end of lines, and with a newline at the end. Files that are made by a script are
# left to it.
#   scripts/format.sh [--check] [FOLDER]      default: the whole tree
# Fails if something is not formatted, or cannot be: a line of C++ that no rule breaks.
set -euo pipefail
cd "$(dirname "$0")/.."

check=0 folder=.
for argument in "$@"; do
  case "$argument" in
    --check) check=1 ;;
    -*) echo "format: unknown argument '$argument'; see the head of $0" >&2; exit 2 ;;
    *) folder=$argument ;;
  esac
done

# Another version would format some lines otherwise.
formatter=
for candidate in clang-format-22 clang-format; do
  if "$candidate" --version 2>/dev/null | grep -q 'version 22\.'; then formatter=$candidate; break; fi
done
if [ -z "$formatter" ]; then
  echo "format: no clang-format 22: run scripts/install_dependencies.sh" >&2
  exit 77 # for CTest: skipped
fi

# files PATTERN...: those of the folder with such names, each ended by a NUL.
files() {
  local names=() pattern
  for pattern in "$@"; do names+=(-o -name "$pattern"); done
  find "$folder" -type d \( -name .git -o -name .cache -o -name build -o -name 'build-*' -o -name out \) -prune \
    -o -type f \( "${names[@]:1}" \) -print0
}
made_by_hand() { xargs -0 -r grep -LZ 'Do not edit'; }
cxx_files() { files '*.h' '*.cc' '*.cu' | made_by_hand; }
text_files() { files '*.py' '*.sh' '*.cmake' CMakeLists.txt '*.md' '*.mlir' '*.td' '*.test'; }

jobs=$(nproc)
wrong=0
if [ "$check" = 1 ]; then
  cxx_files | xargs -0 -r -P "$jobs" -n 40 "$formatter" --style=file --dry-run --Werror --ferror-limit=1 || wrong=1
  if text_files | xargs -0 -r grep -nP '[ \t\r]+$'; then
    echo "format: spaces at the end of these lines" >&2
    wrong=1
  fi
  while IFS= read -r -d '' file; do
    if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then
      echo "$file: no newline at the end"
      wrong=1
    fi
  done < <(text_files)
else
  cxx_files | xargs -0 -r -P "$jobs" -n 40 "$formatter" --style=file -i
  # shellcheck disable=SC1003,SC2016 # sed's own text
  text_files | xargs -0 -r sed -i -e 's/[ \t\r]*$//' -e '$a\'
fi
# clang-format does not break these: tables in comments, long texts.
if cxx_files | LC_ALL=C.UTF-8 xargs -0 -r grep -nE '^.{101,}$'; then
  echo "format: more than 100 columns" >&2
  wrong=1
fi
[ "$wrong" = 0 ] || { [ "$check" = 0 ] || echo "format: scripts/format.sh mends what it can" >&2; exit 1; }
