# Script: writes OUT.hpp and OUT.cpp with one std::string_view for each of FILES. `heatmap.vert` -> `heatmap_vert`,
# `licenses.txt` -> `licenses`. A #version line is left out: who compiles a shader puts its own in front.
cmake_policy(SET CMP0007 NEW)

set(header "// Generated from text files by src/cmake/embed_text.cmake.\n#pragma once\n#include <string_view>\n\nnamespace embedded {\n")
set(source "// Generated from text files by src/cmake/embed_text.cmake.\n#include \"${NAME}.hpp\"\n\nnamespace embedded {\nusing namespace std::literals;\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  string(REGEX REPLACE "\\.txt$" "" name "${name}")
  string(MAKE_C_IDENTIFIER "${name}" name)
  file(READ "${file}" text)
  string(REGEX REPLACE "(^|\n)#version[^\n]*\n" "\\1" text "${text}")
  string(APPEND header "extern const std::string_view ${name};\n")
  string(APPEND source "const std::string_view ${name} = R\"__hs(${text})__hs\"sv;\n")
endforeach()
file(WRITE "${OUT}.hpp" "${header}}\n")
file(WRITE "${OUT}.cpp" "${source}}\n")
