# Dear ImGui's source, from Debian's forky suite into the user's cache. Sourced.
# Elsewhere, or when the mirror hasn't got it, CMake fetches the same version from its own repository.

imgui_version=1.92.2b
imgui_minimum=1.92
imgui_home=$cache/imgui-$imgui_version

need_imgui() {
  [ ! -f "$imgui_home/imgui.cpp" ] || return 0
  is_debian || return 0
  step "fetching Dear ImGui $imgui_version"
  mkdir -p "$cache"
  (flock 9; [ -f "$imgui_home/imgui.cpp" ] || unpack_imgui) 9>"$cache/imgui.lock" ||
    step "Dear ImGui could not be had from the Debian mirror; CMake will fetch it from its own repository"
}

unpack_imgui() {
  local work found
  work=$(mktemp -d "$cache/unpack.XXXXXX")
  trap "rm -rf '$work'" EXIT
  isolated_apt "$work/apt" '' forky || return 1
  mkdir -p "$work/debs" "$work/home"
  cd "$work/debs" || return 1
  # The upstream tarball is enough; Debian's patches aren't needed.
  apt-get -qq source --download-only --only-source "imgui/forky" || return 1
  found=$(ls imgui_*.orig.tar.* | sed -n '1s/imgui_\(.*\)\.orig.*/\1/p')
  case $found in
    $imgui_version | $imgui_version[+~]*) ;;
    *)
      at_least "$found" $imgui_minimum || return 1
      step "forky has Dear ImGui $found now, in place of $imgui_version"
      ;;
  esac
  tar -C "$work/home" --strip-components=1 -xf imgui_*.orig.tar.* || return 1
  rm -rf "$imgui_home"
  mv "$work/home" "$imgui_home"
}
