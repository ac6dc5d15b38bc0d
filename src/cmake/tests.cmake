# headscope_tests: every tests/*.cpp in one doctest program. Natively one; on the web two for node, one with each engine.

file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/measure[^/]*\\.cpp$")
set(HEADSCOPE_TEST_FILES "" CACHE STRING "Only tests whose file name matches this (a regular expression), to build a few quickly")
if(HEADSCOPE_TEST_FILES)
  list(FILTER test_sources INCLUDE REGEX "/(main|[^/]*(${HEADSCOPE_TEST_FILES})[^/]*)\\.cpp$")
endif()
if(NOT test_sources)
  return()
endif()
enable_testing()

# Objects, compiled once: on the web two programs share them.
add_library(test_objects OBJECT ${test_sources})
if(HEADSCOPE_SANITIZE)
  target_compile_options(test_objects PRIVATE -Og)  # a quarter less to compile than -O1; the tests run a little longer
else()
  target_compile_options(test_objects PRIVATE -O1)  # built often, run for seconds
endif()
target_compile_definitions(test_objects PRIVATE
  HEADSCOPE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
  HEADSCOPE_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared"  # large reference files beside the project; tests skip without them
  HEADSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(test_objects PUBLIC headscope_flags attention_headers ui cli render app heads io train doctest json)

# headscope_test_program(NAME ENGINE)
function(headscope_test_program name engine)
  add_executable(${name} $<TARGET_OBJECTS:test_objects>)
  target_link_libraries(${name} PRIVATE test_objects ${engine})
endfunction()

if(NOT EMSCRIPTEN)
  headscope_test_program(headscope_tests attention)
  add_test(NAME doctest COMMAND headscope_tests)
  return()
endif()

# Exceptions are off in all of the web build: a failed REQUIRE ends the run in place of the test.
target_compile_definitions(test_objects PRIVATE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS DOCTEST_CONFIG_NO_POSIX_SIGNALS)
foreach(engine attention attention_simd attention_relaxed)
  string(REPLACE attention headscope_tests name ${engine})
  headscope_test_program(${name} ${engine})
  target_link_options(${name} PRIVATE -O1
    -sENVIRONMENT=node -sNODERAWFS=1   # node's own files, so that the test data needs no packing
    -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=1MB -sEXIT_RUNTIME=1
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
  set_target_properties(${name} PROPERTIES SUFFIX .cjs)  # CommonJS, whatever package.json stands above
  add_test(NAME doctest_${engine} COMMAND ${NODE} $<TARGET_FILE:${name}>)
endforeach()
