# What every set-up script shares: where things go, and how it talks. Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# One cache for all clones of a user: the toolchain is unpacked once. src/cmake/cache.cmake knows the same place.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/headscope
started=$SECONDS

step() { printf '[%3d s] %s\n' $((SECONDS - started)) "$*" >&2; }
fail() { printf '\n%s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# at_least 3.1.70 3.1.69: is the first version as new as the second?
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

is_debian() { [ -r /etc/debian_version ] && have apt-get && have dpkg; }

# debian_release: 12, 13, … (99 for testing and unstable, which have no number).
debian_release() {
  local id
  id=$(. /etc/os-release && printf '%s' "${VERSION_ID:-99}")
  printf '%s' "${id%%.*}"
}

# with_log LOG COMMAND…: run quietly; every 10 s a sign of life (ninja's [12/80] when there is one); when it fails, the
# end of its log.
with_log() {
  local log=$1 status=0 ticker
  shift
  mkdir -p "$(dirname "$log")"
  (trap 'kill "${nap:-}" 2>/dev/null; exit' TERM # or the sleep would outlive this, holding the output open
  while sleep 10 & nap=$!; wait "$nap"; do
    printf '[%3d s]   %s\n' $((SECONDS - started)) "… $(tail -n 1 "$log" | grep -o '^\[[0-9]*/[0-9]*\]' || true)" >&2
  done) &
  ticker=$!
  "$@" >"$log" 2>&1 || status=$?
  kill "$ticker" 2>/dev/null
  wait "$ticker" 2>/dev/null || true
  if [ "$status" -ne 0 ]; then
    tail -n 25 "$log" | cut -c 1-400 >&2 # a link command is thousands of characters long
    printf '(all of it: %s)\n' "$log" >&2
  fi
  return "$status"
}
