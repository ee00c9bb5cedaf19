#!/usr/bin/env bash
# Builds a program of somebody else against what is installed, with CMake and with pkg-config.
#   library_test.sh BUILD_DIRECTORY
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cmake -S "$here/library" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/uses_leto" "$work/prefix/share/leto/models"
"$work/build/uses_leto" # with the models that lie beside the library
# The header stands by itself, and nothing of the inside is seen.
library=$(find "$work/prefix" -name 'libleto.so')
if nm -DC --defined-only "$library" | grep ' T ' | grep -v 'leto::api::'; then
  echo "the library shows what is inside"
  exit 1
fi
command -v pkg-config >/dev/null || exit 0
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name leto.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
c++ -std=c++20 $(pkg-config --cflags leto) "$here/library/uses_leto.cpp" $(pkg-config --libs leto) -o "$work/by_pc"
LD_LIBRARY_PATH=$(dirname "$library") "$work/by_pc" "$work/prefix/share/leto/models"
# The example of the manual, to the letter.
sed -n '/^```cpp$/,/^```$/p' "$here/../docs/library.md" | grep -v '^```' >"$work/example.cpp"
# shellcheck disable=SC2046
c++ -std=c++20 $(pkg-config --cflags leto) "$work/example.cpp" $(pkg-config --libs leto) -o "$work/example"
said=$(LD_LIBRARY_PATH=$(dirname "$library") "$work/example" 2>/dev/null)
if [ "$said" != proved ]; then
  echo "the example of docs/library.md says: $said"
  exit 1
fi
