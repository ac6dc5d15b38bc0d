# `embedded`: the files that the program carries in itself, so that it has none at run time.
#   embedded/shaders.hpp    shaders/*.{vert,frag}; heatmap.vert -> embedded::heatmap_vert
#   embedded/fonts.hpp      subsets of Inter and JetBrains Mono, TrueType
#   embedded/licenses.hpp   what `headscope --licenses` prints and the site's LICENSES.txt holds
#   embedded/version.hpp    embedded::version
#   embedded/shipped_model.hpp   embedded::shipped_model, the trained model; a library of its own, `embedded_model`, since
#                           on the web it is a file that only the gallery fetches

set(generated ${PROJECT_BINARY_DIR}/generated/embedded)
file(MAKE_DIRECTORY ${generated})
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.hpp.in ${generated}/version.hpp)

# headscope_embed_text(NAME FILES…): each file becomes a std::string_view of its own name in embedded/NAME.hpp.
function(headscope_embed_text name)
  set(outputs ${generated}/${name}.hpp ${generated}/${name}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/src/cmake/embed_text.cmake)
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DOUT=${generated}/${name} -DNAME=${name} -P ${script}
    DEPENDS ${ARGN} ${script} COMMENT "Embedding ${name}" VERBATIM)
  set(embedded_sources ${embedded_sources} ${outputs} PARENT_SCOPE)
endfunction()

file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.vert ${PROJECT_SOURCE_DIR}/shaders/*.frag)
headscope_embed_text(shaders ${shaders})

# --- Fonts: subset by a Node script, since the subsetter (harfbuzz) comes as an npm package.
find_program(NODE node REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(web ${PROJECT_SOURCE_DIR}/web)
if(NOT EXISTS ${web}/node_modules/subset-font/package.json)
  message(FATAL_ERROR "The fonts' npm packages are missing. Run web/setup/setup.sh, or: npm ci --prefix web")
endif()
add_custom_command(OUTPUT ${generated}/fonts.hpp ${generated}/fonts.cpp
  COMMAND ${NODE} ${web}/fonts.mjs ${generated}
  DEPENDS ${web}/fonts.mjs ${web}/package-lock.json COMMENT "Subsetting the fonts" VERBATIM)

# --- Licences: a text with the notices, completed from the packages' own files.
set(licenses_template ${CMAKE_CURRENT_LIST_DIR}/licenses.txt.in)
set(licenses_script ${CMAKE_CURRENT_LIST_DIR}/licenses.cmake)
set(licenses ${PROJECT_BINARY_DIR}/licenses.txt)
add_custom_command(OUTPUT ${licenses}
  COMMAND ${CMAKE_COMMAND} -DTEMPLATE=${licenses_template} -DOUT=${licenses} -DPROJECT=${PROJECT_SOURCE_DIR}
    -DIMGUI=${IMGUI_FOLDER} -DEMSCRIPTEN=${EMSCRIPTEN_ROOT_PATH} -P ${licenses_script}
  DEPENDS ${licenses_template} ${licenses_script} ${PROJECT_SOURCE_DIR}/LICENSE COMMENT "Collecting licences" VERBATIM)
headscope_embed_text(licenses ${licenses})

add_library(embedded STATIC ${embedded_sources} ${generated}/fonts.hpp ${generated}/fonts.cpp)
target_include_directories(embedded PUBLIC ${PROJECT_BINARY_DIR}/generated)
target_compile_options(embedded PRIVATE ${HEADSCOPE_SMALL})
target_link_libraries(embedded PRIVATE headscope_quiet)

# --- The trained model, made by `headscope train` (the README has the command).
set(shipped_model ${PROJECT_SOURCE_DIR}/src/heads/shipped.safetensors)
set(shipped_script ${CMAKE_CURRENT_LIST_DIR}/embed_bytes.cmake)
add_custom_command(OUTPUT ${generated}/shipped_model.hpp ${generated}/shipped_model.cpp
  COMMAND ${CMAKE_COMMAND} -DFILE=${shipped_model} -DOUT=${generated}/shipped_model -DNAME=shipped_model -P ${shipped_script}
  DEPENDS ${shipped_model} ${shipped_script} COMMENT "Embedding the trained model" VERBATIM)
add_library(embedded_model STATIC EXCLUDE_FROM_ALL ${generated}/shipped_model.hpp ${generated}/shipped_model.cpp)
target_include_directories(embedded_model PUBLIC ${PROJECT_BINARY_DIR}/generated)
