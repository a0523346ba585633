#!/usr/bin/env bash
# The test suite with all compiled modules under gcc's address and undefined-behaviour sanitisers.
#
#   scripts/sanitize.sh [pytest's arguments]        PYTHON=… chooses the interpreter (with the test extra installed)
#
# Works on a copy of the tree as it stands, so that the modules in use stay as they are. The copy, SANITIZE_DIR or a
# folder of its own, keeps the build for the next run. Ends with what the sanitisers named, and status 1 if they named
# anything; pytest's own failures are printed but do not count, since tests with a time limit may miss it here.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(cd "$(dirname "${PYTHON:-.venv/bin/python}")" && pwd)/$(basename "${PYTHON:-python}")
copy=${SANITIZE_DIR:-$(mktemp -d)}
mkdir -p "$copy/logs"
rm -f "$copy"/logs/*

git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create | tar --extract --directory="$copy"

# One shared runtime for all modules, loaded before the interpreter, which is built without it.
flags="-fsanitize=address,undefined -fno-sanitize=vptr -fno-omit-frame-pointer -g -O1"
(cd "$copy" && QIQIAO_CFLAGS="$flags" LDFLAGS="-fsanitize=address,undefined" "$python" setup.py -q build_ext --inplace)

set +e
(
  cd "$copy"
  export PYTHONPATH="$copy" PYTHONMALLOC=malloc
  export LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
  # The interpreter never frees all it holds: leaks would tell nothing. Memory that can't be had is tested.
  export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:log_path=$copy/logs/address"
  export UBSAN_OPTIONS="print_stacktrace=1:log_path=$copy/logs/undefined"
  # Browsers and other programs don't start under the preloaded runtime, or take for ever.
  exec "$python" -m pytest -q -m "not peer" -k "not browser" "$@"
)
echo "pytest ended with status $?"

if [ -n "$(ls -A "$copy/logs")" ]; then
  echo "named by the sanitisers (whole reports in $copy/logs):"
  cat "$copy"/logs/* | grep -E 'runtime error|ERROR: AddressSanitizer' | sort | uniq -c | sort -rn
  exit 1
fi
echo "the sanitisers named nothing"
