# headscope_module, headscope_attention, headscope_program: how a folder of src becomes a library or a program.

# Everything but `attention` itself sees the engine through its headers. Natively the library comes with them; on the
# web it doesn't, since there are two builds of it and each program picks one.
add_library(attention_headers INTERFACE)
target_link_libraries(attention_headers INTERFACE headscope_flags eigen)

# headscope_library(NAME FOLDER OPTIMISATION LINKS…): a static library of src/FOLDER/*.cpp; headers only while it has none.
function(headscope_library name folder optimisation)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" LINKS)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_compile_options(${name} PRIVATE ${optimisation})
    target_link_libraries(${name} PUBLIC headscope_flags ${arg_LINKS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE headscope_flags ${arg_LINKS})
  endif()
endfunction()

function(headscope_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" LINKS)
  if(EMSCRIPTEN)
    list(TRANSFORM arg_LINKS REPLACE "^attention$" attention_headers)
  endif()
  headscope_library(${name} ${name} "${HEADSCOPE_SMALL}" LINKS ${arg_LINKS})
endfunction()

# The engine, and on the web two more builds of the same sources: with SIMD, and with relaxed SIMD for the library.
# -msimd128 is on nothing else: a browser without SIMD refuses a module that holds one such instruction, so the scalar
# program must be free of them.
function(headscope_attention name)
  if(NOT EMSCRIPTEN)
    headscope_library(${name} ${name} "${HEADSCOPE_FAST}" LINKS attention_headers)
    return()
  endif()
  # What isn't a kernel is small rather than fast: it saves a sixth of the library's download.
  headscope_library(${name} ${name} "${HEADSCOPE_SMALL}" LINKS attention_headers)
  headscope_library(${name}_simd ${name} "${HEADSCOPE_SMALL};-msimd128" LINKS attention_headers)
  headscope_library(${name}_relaxed ${name} "${HEADSCOPE_SMALL};-msimd128;-mrelaxed-simd" LINKS attention_headers)
  file(GLOB kernels ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER kernels INCLUDE REGEX "/(layer|panels|kernels|products|one_head|pointwise|numberwise)\\.cpp$")
  # A source's own options come after its target's. The target's precompiled header has the target's only.
  set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "${HEADSCOPE_FAST}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(headscope_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" FROM LINKS)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${arg_FROM}/*.cpp)
  if(NOT sources)
    message(STATUS "${name}: src/${arg_FROM} has no sources yet, not built")
    return()
  endif()
  add_executable(${name} ${sources})
  target_compile_options(${name} PRIVATE ${HEADSCOPE_SMALL})
  target_link_libraries(${name} PRIVATE headscope_flags ${arg_LINKS})
endfunction()
