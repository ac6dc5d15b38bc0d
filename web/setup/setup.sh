#!/usr/bin/env bash
# Installs what is missing for the parts that are named; does nothing, in a second, when all is there.
#   web/setup/setup.sh native     compiler, CMake, SDL2, OpenGL, Eigen, doctest: the program and its tests
#   web/setup/setup.sh web        Emscripten: the page
#   web/setup/setup.sh browser    Chromium: the browser tests
# Without a name: native web. Node.js and the npm packages (fonts, bundler) are needed by all of them.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. "$root/web/setup/apt.sh"
. "$root/web/setup/node.sh"
. "$root/web/setup/emscripten.sh"
. "$root/web/setup/imgui.sh"

need_tools() {
  if is_debian; then
    need_packages 'compiler and build tools' g++ cmake ninja-build git xz-utils ca-certificates
  fi
  local tool
  for tool in cmake ninja git; do
    have "$tool" || fail "$tool is needed and isn't on PATH. Install a C++20 compiler, cmake (3.22 or newer), ninja and git, then run this again."
  done
}

need_node_modules() {
  # Tests import the same packages: node looks for them upwards from the importing file, which leads past web/.
  [ -e "$root/tests/node_modules" ] || ln -sfn ../web/node_modules "$root/tests/node_modules"
  # npm writes this file last; older than the lock file means that the lock file has changed since.
  [ "$root/web/node_modules/.package-lock.json" -nt "$root/web/package-lock.json" ] && return 0
  step 'installing the npm packages of web/ (bundler, fonts, test tools)'
  with_log "$cache/logs/npm-ci.log" npm ci --prefix "$root/web" --no-audit --no-fund ||
    fail 'npm ci failed in web/ (its last words are above); check the network, then run this again.'
  touch "$root/web/node_modules/.package-lock.json"
}

need_native() {
  if is_debian; then
    need_packages 'the native program and its tests' libsdl2-dev libgl-dev libopengl-dev libegl-dev libstb-dev libeigen3-dev doctest-dev nlohmann-json3-dev
    need_packages 'a display and OpenGL in software, for the tests of the native program' xvfb xdotool libgl1-mesa-dri
  fi # elsewhere CMake fetches what find_package doesn't find
}

need_web() {
  if is_debian; then
    need_packages 'header-only libraries' libeigen3-dev doctest-dev nlohmann-json3-dev
  fi
  need_emscripten
}

need_browser() {
  [ -z "${HEADSCOPE_CHROMIUM:-}" ] || return 0
  if is_debian; then
    need_packages 'the browser of the browser tests' chromium fonts-liberation
  else
    have chromium || have google-chrome || fail 'Chromium is needed for the browser tests: put it on PATH as chromium, or set HEADSCOPE_CHROMIUM to its path.'
  fi
}

[ $# -gt 0 ] || set -- native web
need_tools
need_node
for part in "$@"; do
  case $part in
    native) need_native ;;
    web) need_web ;;
    browser) need_browser ;;
    *) fail "setup.sh knows native, web and browser; not '$part'." ;;
  esac
done
need_imgui
need_node_modules
