# Emscripten >= 3.1.69, from PATH, from Debian 13, or unpacked beside Debian 12. Sourced.
# On Debian 12 the compiler is Debian 12's own clang-19; only Emscripten's scripts, its sysroot and binaryen come
# from Debian 13 (trixie), into the user's cache. Debian 12's own Emscripten 3.1.6 is too old for this program.

emscripten_minimum=3.1.69
emscripten_pin=3.1.69+dfsg-3
binaryen_pin=120-4
emscripten_home=$cache/emscripten-$emscripten_minimum

# emcc_version: of the emcc on PATH, empty when there is none.
emcc_version() {
  have emcc || return 0
  emcc --version 2>/dev/null | sed -n '1s/.* \([0-9]\{1,\}\.[0-9]\{1,\}\.[0-9]\{1,\}\).*/\1/p'
}

need_emscripten() {
  local found
  found=$(emcc_version)
  if [ -n "$found" ] && at_least "$found" "$emscripten_minimum"; then
    step "Emscripten $found from PATH ($(command -v emcc))"
    return 0
  fi
  [ -z "$found" ] || step "emcc on PATH is $found: too old, $emscripten_minimum is the oldest that compiles this program"
  is_debian || fail "Emscripten $emscripten_minimum or newer is needed on PATH. Install emsdk (emscripten.org, \"Download and install\"), run
  ./emsdk install latest && ./emsdk activate latest && source ./emsdk_env.sh
and run this again."
  if [ "$(debian_release)" -ge 13 ]; then
    need_packages 'the WebAssembly compiler' emscripten
    hash -r
    found=$(emcc_version)
    [ -n "$found" ] && at_least "$found" "$emscripten_minimum" ||
      fail "emcc on PATH is ${found:-missing} after apt-get install emscripten; put $emscripten_minimum or newer first on PATH."
    return 0
  fi
  [ "$(debian_release)" -eq 12 ] || fail "Debian $(debian_release) is too old: use Debian 12 or newer, or put emcc $emscripten_minimum or newer on PATH."
  need_packages 'the compiler behind Emscripten' clang-19 lld-19 llvm-19 python3-minimal debian-archive-keyring
  if [ ! -f "$emscripten_home/complete" ]; then
    step "unpacking Emscripten $emscripten_minimum into $emscripten_home (150 MB to fetch, once per user)"
    mkdir -p "$cache"
    # Two runs at once: the second waits, then finds the first one's work.
    (flock 9; [ -f "$emscripten_home/complete" ] || unpack_emscripten) 9>"$cache/emscripten.lock" || exit 1
  fi
  export PATH="$emscripten_home/root/usr/share/emscripten:$PATH"
  step "Emscripten $(emcc_version) from $emscripten_home"
}

unpack_emscripten() {
  local work loader tool home=$emscripten_home
  work=$(mktemp -d "$cache/unpack.XXXXXX")
  trap "rm -rf '$work'" EXIT
  isolated_apt "$work/apt" trixie '' || fail 'The package lists of Debian 13 (trixie) could not be fetched from this machine'\''s mirror; check the network, then run this again.'
  mkdir -p "$work/debs" "$work/home/root" "$work/home/binaryen/bin"
  (cd "$work/debs" &&
    fetch_package emscripten $emscripten_pin && fetch_package binaryen $binaryen_pin &&
    fetch_package libc6 && fetch_package libstdc++6 && fetch_package libgcc-s1 && fetch_package node-acorn) ||
    fail 'Emscripten could not be fetched from the Debian mirror; check the network, then run this again.'
  # Left out: documentation, tests, and the builds of the runtime that no flag of ours asks for (4 of 5 parts).
  for tool in "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$tool" | tar -C "$work/home/root" -xf - \
      --exclude='./usr/share/doc/*/[!c]*' --exclude='*/changelog*' --exclude='./usr/share/man*' \
      --exclude='*/emscripten/test' --exclude='*/emscripten/docs' --exclude='*/emscripten/ChangeLog*' \
      --exclude='*/wasm32-emscripten/lto*' --exclude='*/wasm32-emscripten/pic' --exclude='*wasm64-emscripten*' \
      --exclude='*asan*.a' --exclude='*ubsan*.a' --exclude='*lsan*.a' --exclude='*sanitizer*.a' --exclude='*memvalidate*.a' \
      --exclude='*tracing*.a' --exclude='*-ww*.a' --exclude='*-mt*.a' --exclude='*libwebgpu*' --exclude='*libwasmfs*'
  done
  # Emscripten's JavaScript imports acorn as an ES module, which ignores NODE_PATH: it wants a node_modules folder.
  cp -r "$work/home/root/usr/share/nodejs" "$work/home/root/usr/share/emscripten/node_modules"
  # binaryen wants a newer libc than Debian 12 has: it runs with trixie's own loader and libraries.
  loader=$(cd "$work/home" && find root/usr/lib -name 'ld-linux*.so.*' | head -n 1)
  for tool in "$work"/home/root/usr/bin/wasm*; do
    tool=$(basename "$tool")
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
      "$home/$loader" "$home/$(dirname "$loader")" "$home/root/usr/bin/$tool" >"$work/home/binaryen/bin/$tool"
    chmod +x "$work/home/binaryen/bin/$tool"
  done
  # emcc reads the file .emscripten beside itself before any other: no environment variable is needed later.
  cat >"$work/home/root/usr/share/emscripten/.emscripten" <<CONF
EMSCRIPTEN_ROOT = '$home/root/usr/share/emscripten'
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$home/binaryen'
NODE_JS = '$(command -v node)'
FROZEN_CACHE = True  # the package's libraries are already built; building them here would need the parts left out
CONF
  # The first python3 on PATH may be a version manager's slow shim; the package was made for Debian's.
  sed -i 's|^unset _PYTHON_SYSCONFIGDATA_NAME$|&\nEMSDK_PYTHON=${EMSDK_PYTHON:-/usr/bin/python3}|' \
    "$(dirname "$work/home/root/usr/share/emscripten/emcc")"/em*[a-z]
  (cd "$work/debs" && ls *.deb) >"$work/home/complete"
  rm -rf "$home"
  mv "$work/home" "$home"
}
