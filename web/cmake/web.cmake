# The two WebAssembly programs, with and without SIMD, and the site (build/web/site) made of them.

# Objects, not an archive: the bridge's functions are called from JavaScript only, so a linker looking for who calls
# them would leave an archive's members out.
file(GLOB bridge CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/web/*.cpp)
if(NOT bridge)
  message(STATUS "src/web has no sources yet: no web programs, no site")
  return()
endif()
add_library(web OBJECT ${bridge})
target_compile_options(web PRIVATE ${HEADSCOPE_SMALL})
target_link_libraries(web PUBLIC headscope_flags attention_headers ui render app heads io embedded)

# What JavaScript may call besides the functions that src/web marks EMSCRIPTEN_KEEPALIVE.
set(exported_functions _malloc,_free)
# HEAP*: JavaScript copies strings and numbers out of these; they are replaced when memory grows, so it reads them anew
# after every call. specialHTMLTargets: a canvas gets a name of this instance's own, so it needs no element id, and two
# instances can share a page.
set(exported_runtime HEAPU8,HEAPF32,UTF8ToString,stringToUTF8,lengthBytesUTF8,stackSave,stackRestore,stackAlloc,specialHTMLTargets)

set(link_flags
  -O3                       # binaryen's passes over the kernels, too; -Oz here would save 1 % of the download
  # Binaryen would copy every function that has one caller into it, which makes the wasm a little smaller and its
  # download 5 KB larger: brotli finds less to share. LLVM has inlined what the kernels need.
  -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=40
  --no-entry                # no main(): the page drives the program, one exported function at a time
  -sSTRICT=1                # only what is named here: no old names, no libraries by guess (hence the -l…js)
  -lGL -lhtml5 -lwebgl.js -lwebgl2.js -lhtml5.js -lhtml5_webgl.js
  -sMODULARIZE=1 -sEXPORT_ES6=1   # a factory: every call gives an instance with its own memory
  -sENVIRONMENT=web,worker  # no code for node; a worker trains with the same program
  -sINCOMING_MODULE_JS_API=canvas,instantiateWasm,print,printErr,onAbort
  -sEXPORTED_FUNCTIONS=${exported_functions}
  -sEXPORTED_RUNTIME_METHODS=${exported_runtime}
  -sFILESYSTEM=0            # everything is in the binary or comes through the bridge
  -sALLOW_MEMORY_GROWTH=1   # a weight file of any size may be dropped on the page
  -sSTACK_SIZE=1MB          # the default is 64 KB, which ImGui's text formatting and Eigen's small blocks can pass
  -sDYNAMIC_EXECUTION=0     # no eval: a page's content security policy needs to allow 'wasm-unsafe-eval' only
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2  # no code for WebGL 1
  -sGL_ENABLE_GET_PROC_ADDRESS=0  # nothing looks a GL function up by name
  -sDISABLE_EXCEPTION_CATCHING=1
  --profiling-funcs -Wl,--no-demangle)  # the names by which the program is cut in two

# The first load is the walkthrough's code alone: NAME_first.wasm; NAME_pages.wasm is fetched when another page is wanted.
execute_process(COMMAND ${HEADSCOPE_EMSCRIPTEN_ROOT}/em-config BINARYEN_ROOT OUTPUT_VARIABLE binaryen OUTPUT_STRIP_TRAILING_WHITESPACE)
find_program(WASM_SPLIT wasm-split HINTS ${binaryen}/bin REQUIRED NO_CMAKE_FIND_ROOT_PATH)

function(headscope_web_program name engine)
  add_executable(${name} $<TARGET_OBJECTS:web>)
  target_link_libraries(${name} PRIVATE web ${engine})
  target_link_options(${name} PRIVATE ${link_flags})
  set_target_properties(${name} PROPERTIES SUFFIX .mjs)
  set(parts ${PROJECT_BINARY_DIR}/${name}_first.wasm ${PROJECT_BINARY_DIR}/${name}_pages.wasm)
  set(libraries ${engine} ui app budget heads train io render embedded imgui imgui_gl)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  list(JOIN archives "," archives)
  list(GET parts 0 first)
  list(GET parts 1 rest)
  add_custom_command(OUTPUT ${parts}
    COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/web/split.mjs --program ${PROJECT_BINARY_DIR}/${name}.wasm --nm ${CMAKE_NM}
      --wasm-split ${WASM_SPLIT} --archives ${archives} --objects "$<JOIN:$<TARGET_OBJECTS:web>,$<COMMA>>" --first ${first} --pages ${rest}
    DEPENDS ${name} ${libraries} ${PROJECT_SOURCE_DIR}/web/split.mjs COMMENT "Cutting ${name} in two" VERBATIM)
  set(program_parts ${program_parts} ${parts} PARENT_SCOPE)
endfunction()
headscope_web_program(headscope_scalar attention)
headscope_web_program(headscope_simd attention_simd)

# The engine as a JavaScript library, without the page: standalone modules, which web/attention.mjs starts itself, since
# Emscripten's glue would be several times its size. No file system, no main, no imports but the notice of growth.
file(GLOB library CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/library/*.cpp)
add_library(library OBJECT ${library})
target_compile_options(library PRIVATE ${HEADSCOPE_SMALL})
target_link_libraries(library PUBLIC headscope_flags attention_headers)

function(headscope_library_program name engine)
  add_executable(${name} $<TARGET_OBJECTS:library>)
  target_link_libraries(${name} PRIVATE library ${engine})
  target_link_options(${name} PRIVATE -O3 --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=1MB
    -sSTACK_SIZE=256KB)  # Eigen's eigenvalues keep small blocks on the stack
  set_target_properties(${name} PROPERTIES SUFFIX .wasm)
endfunction()
headscope_library_program(attention_scalar_library attention)
headscope_library_program(attention_simd_library attention_simd)
headscope_library_program(attention_relaxed_library attention_relaxed)
set(library_programs attention_scalar_library attention_simd_library attention_relaxed_library)

# The site is made anew whenever a program, a page or a script of web/ changes.
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.mjs ${PROJECT_SOURCE_DIR}/web/*.css ${PROJECT_SOURCE_DIR}/web/*.html
  ${PROJECT_SOURCE_DIR}/web/*.js ${PROJECT_SOURCE_DIR}/web/*.svg ${PROJECT_SOURCE_DIR}/web/*.txt)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/web/headscope.mjs)
  message(STATUS "web/headscope.mjs is not there yet: no site")
  return()
endif()
file(GLOB shipped CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/heads/shipped.safetensors)  # one file, or none yet
file(GLOB types CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.d.mts)
set(manifest ${PROJECT_BINARY_DIR}/site/manifest.json)
add_custom_command(OUTPUT ${manifest}
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/web/build.mjs --build ${PROJECT_BINARY_DIR} --version ${PROJECT_VERSION}
  DEPENDS headscope_scalar headscope_simd ${program_parts} ${library_programs} ${licenses} ${pages} ${types} ${shipped}
    ${PROJECT_SOURCE_DIR}/web/package-lock.json
  COMMENT "Bundling the site" VERBATIM)
add_custom_target(site ALL DEPENDS ${manifest})

# The library alone, for tests and benchmarks that need no page: the same files in another folder.
set(library_manifest ${PROJECT_BINARY_DIR}/library/manifest.json)
add_custom_command(OUTPUT ${library_manifest}
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/web/build.mjs --library --build ${PROJECT_BINARY_DIR} --version ${PROJECT_VERSION}
  DEPENDS ${library_programs} ${licenses} ${pages} ${types} ${PROJECT_SOURCE_DIR}/web/package-lock.json
  COMMENT "Bundling the library" VERBATIM)
add_custom_target(attention_library DEPENDS ${library_manifest})
