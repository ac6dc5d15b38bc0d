# HEADSCOPE_CACHE: where web/setup keeps what it unpacked (web/setup/common.sh knows the same place).
if(DEFINED ENV{XDG_CACHE_HOME})
  set(HEADSCOPE_CACHE "$ENV{XDG_CACHE_HOME}/headscope")
else()
  set(HEADSCOPE_CACHE "$ENV{HOME}/.cache/headscope")
endif()
