# CMake toolchain file of the web build: finds Emscripten (on PATH, else where web/setup put it) and hands over to
# Emscripten's own toolchain file. So `cmake --preset web` needs no environment variable.

set(HEADSCOPE_EMSCRIPTEN_MINIMUM 3.1.69)  # older: no usable relaxed SIMD, an older libc++; web/setup/emscripten.sh says the same

# Sets OUT to the Emscripten root that em-config in FOLDER belongs to, when it is new enough, else to "".
function(headscope_emscripten_root folder out)
  set(${out} "" PARENT_SCOPE)
  find_program(em_config em-config PATHS ${folder} NO_DEFAULT_PATH NO_CACHE NO_CMAKE_FIND_ROOT_PATH)
  if(NOT em_config)
    return()
  endif()
  execute_process(COMMAND ${em_config} EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${root}/emscripten-version.txt")
    return()
  endif()
  file(STRINGS "${root}/emscripten-version.txt" version LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${version}")
  if(version VERSION_LESS HEADSCOPE_EMSCRIPTEN_MINIMUM)
    message(STATUS "Emscripten ${version} in ${root} is older than ${HEADSCOPE_EMSCRIPTEN_MINIMUM}: not used")
    return()
  endif()
  message(STATUS "Emscripten ${version} in ${root}")
  set(${out} "${root}" PARENT_SCOPE)
endfunction()

if(NOT HEADSCOPE_EMSCRIPTEN_ROOT)
  include(${CMAKE_CURRENT_LIST_DIR}/../../src/cmake/cache.cmake)
  string(REPLACE ":" ";" folders "$ENV{PATH}")
  list(APPEND folders "${HEADSCOPE_CACHE}/emscripten-${HEADSCOPE_EMSCRIPTEN_MINIMUM}/root/usr/share/emscripten")
  foreach(folder IN LISTS folders)
    headscope_emscripten_root("${folder}" root)
    if(root)
      break()
    endif()
  endforeach()
  if(NOT root)
    message(FATAL_ERROR "Emscripten ${HEADSCOPE_EMSCRIPTEN_MINIMUM} or newer was not found. "
      "Run web/setup/setup.sh web, or put emcc on PATH (emsdk: source emsdk_env.sh).")
  endif()
  set(HEADSCOPE_EMSCRIPTEN_ROOT "${root}" CACHE PATH "Emscripten's folder, with emcc in it")
endif()

include("${HEADSCOPE_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
