#!/usr/bin/env bash
# Neovim's own client against the language server: neovim.sh LETO_LSP
set -euo pipefail
server=$(realpath "$1")
script=$(realpath "$(dirname "$0")/neovim.lua")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/program.leto" <<'LETO'
use model additive_seu;

requires_r eq(x)
real f(real x) {
    real y = xx *. x;
    return y;
}
LETO
cd "$work"
export LETO_LSP=$server LETO_PROGRAM=$work/program.leto LETO_CACHE=$work/cache HOME=$work
export XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_CACHE_HOME=$work XDG_STATE_HOME=$work
timeout 300 nvim --headless -u NONE -i NONE -n -c "luafile $script"
