# headscope_tests: every tests/*.cpp in one doctest program. Natively one; on the web two for node, one with each engine.

file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.cpp)
list(FILTER test_sources EXCLUDE REGEX "/measure[^/]*\\.cpp$")
if(NOT test_sources)
  return()
endif()
enable_testing()

# headscope_test_program(NAME LINKS…)
function(headscope_test_program name)
  add_executable(${name} ${test_sources})
  target_compile_options(${name} PRIVATE -O1)  # built often, run for seconds
  target_compile_definitions(${name} PRIVATE
    HEADSCOPE_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
    HEADSCOPE_SHARED_DIR="${PROJECT_SOURCE_DIR}/../shared"  # large reference files beside the project; tests skip without them
    HEADSCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE headscope_flags ${ARGN} doctest json)
endfunction()

if(NOT EMSCRIPTEN)
  headscope_test_program(headscope_tests ui cli render app io train attention)
  add_test(NAME doctest COMMAND headscope_tests)
  return()
endif()

foreach(engine attention attention_simd)
  string(REPLACE attention headscope_tests name ${engine})
  headscope_test_program(${name} ui cli render app io train ${engine})
  # Exceptions are off in all of the web build: a failed REQUIRE ends the run in place of the test.
  target_compile_definitions(${name} PRIVATE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS DOCTEST_CONFIG_NO_POSIX_SIGNALS)
  target_link_options(${name} PRIVATE -O1
    -sENVIRONMENT=node -sNODERAWFS=1   # node's own files, so that the test data needs no packing
    -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=1MB -sEXIT_RUNTIME=1
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
  set_target_properties(${name} PROPERTIES SUFFIX .cjs)
  add_test(NAME doctest_${engine} COMMAND ${NODE} $<TARGET_FILE:${name}>)
endforeach()
