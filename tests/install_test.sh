#!/usr/bin/env bash
# Installs into a folder of its own and uses what was installed from elsewhere.
#   install_test.sh BUILD_DIRECTORY
set -euo pipefail
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cd "$work"
unset LETO_MODEL_PATH
leto=$work/prefix/bin/leto
"$leto" models | grep -q additive_seu
cat > mine.leto <<'LETO'
use model additive_seu;

real f(real x) {
    return x *. model.eps;
}
LETO
"$leto" check mine.leto | grep -q 'no errors under additive_seu'
"$leto" check "$work"/prefix/share/doc/leto/examples/*.leto >/dev/null
grep -q 'SS leto verify' "$work/prefix/share/man/man1/leto.1"
test -x "$work/prefix/bin/leto-engine"
test -f "$work/prefix/share/man/man1/leto-lsp.1"
bash -n "$work/prefix/share/bash-completion/completions/leto"
# The language server starts, and ends with an error if nobody speaks to it.
status=0
"$work/prefix/bin/leto-lsp" </dev/null >/dev/null 2>&1 || status=$?
test "$status" -eq 1
# Nothing of the machine that built it is in the executable.
if grep -qa "$build" "$leto"; then
  echo "the executable names its build directory"
  exit 1
fi
echo "installed and used"
