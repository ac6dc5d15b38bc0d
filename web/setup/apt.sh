# Debian's packages: installing on the host, and fetching from another suite without touching the host. Sourced.

# need_packages WHY PACKAGE…: installs those that are missing; says nothing when all are there.
need_packages() {
  local why=$1 package missing=() sudo=
  shift
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    have sudo || fail "These Debian packages are needed ($why): ${missing[*]}
Neither root nor sudo is at hand; ask somebody who may: apt-get install ${missing[*]}"
    sudo=sudo
  fi
  step "installing ${missing[*]} ($why)"
  # A machine whose lists are empty or old finds nothing: one update, then the install.
  with_log "$cache/logs/apt-update.log" $sudo apt-get -q update || step 'apt-get update had errors; trying with the lists that are there'
  # Recommends are left out: clang alone would bring 500 MB that nothing here runs.
  with_log "$cache/logs/apt-install.log" $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install ${missing[*]}. Put that right (its last words are above), then run this again."
}

# debian_mirror: the archive that this machine's own apt uses, from deb822 (.sources) and one-line (.list) files.
debian_mirror() {
  local codename
  codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  { for file in /etc/apt/sources.list.d/*.sources; do
      [ -r "$file" ] || continue
      awk -v RS= '{
        uris = suites = ""; off = 0; n = split($0, lines, "\n")
        for (i = 1; i <= n; i++) {
          if (lines[i] ~ /^URIs:/)   { uris = lines[i];   sub(/^URIs:[ \t]*/, "", uris) }
          if (lines[i] ~ /^Suites:/) { suites = lines[i]; sub(/^Suites:[ \t]*/, "", suites) }
          if (lines[i] ~ /^Enabled:[ \t]*(no|false|0)/) off = 1
        }
        if (!off) { split(uris, u, /[ \t]+/); m = split(suites, s, /[ \t]+/); for (j = 1; j <= m; j++) print s[j], u[1] }
      }' "$file"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
      [ -r "$file" ] || continue
      sed -n 's/^[[:space:]]*deb[[:space:]]\{1,\}\(\[[^]]*\][[:space:]]*\)\{0,1\}\([^[:space:]]*\)[[:space:]]\{1,\}\([^[:space:]]*\).*/\3 \2/p' "$file"
    done
  } | awk -v codename="$codename" '$1 == codename || (codename == "" && $1 ~ /^(testing|unstable|sid)$/) { print $2; exit }'
}

# isolated_apt FOLDER SUITE SOURCE_SUITE: an apt of its own in FOLDER that sees SUITE's packages and SOURCE_SUITE's
# sources, checked with Debian's keys. The host's sources, lists and libc stay as they are. Sets APT_CONFIG.
isolated_apt() {
  local folder=$1 suite=$2 source_suite=$3 mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fail 'No Debian mirror was found in /etc/apt/sources.list or /etc/apt/sources.list.d; add one, or put emcc 3.1.69 or newer on PATH.'
  mkdir -p "$folder"/lists/partial "$folder"/archives/partial "$folder"/none
  : >"$folder/status"
  {
    [ -z "$suite" ] || printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$mirror" "$suite"
    [ -z "$source_suite" ] || printf 'deb-src [signed-by=%s] %s %s main\n' "$keys" "$mirror" "$source_suite"
  } >"$folder/sources.list"
  cat >"$folder/apt.conf" <<CONF
Dir::State "$folder"; Dir::State::lists "$folder/lists"; Dir::State::status "$folder/status"; Dir::Cache "$folder";
Dir::Etc::sourcelist "$folder/sources.list"; Dir::Etc::sourceparts "$folder/none";
Dir::Etc::preferences "$folder/none/preferences"; Dir::Etc::preferencesparts "$folder/none";
Acquire::Languages "none";
APT::Sandbox::User "$(id -un)";
CONF
  export APT_CONFIG=$folder/apt.conf
  with_log "$cache/logs/apt-isolated-update.log" apt-get -q update
}

# fetch_package NAME [VERSION]: the pinned version, else what the suite has now (with a note).
fetch_package() {
  if [ -n "${2:-}" ] && apt-get -qq download "$1=$2"; then return 0; fi
  [ -z "${2:-}" ] || step "$1 $2 is no longer on the mirror; taking the one that is there"
  apt-get -qq download "$1"
}
