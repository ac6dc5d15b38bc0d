# Compiler flags: `headscope_flags` is for all of our own code, `headscope_quiet` for what others wrote.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(headscope_flags INTERFACE)
target_include_directories(headscope_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(headscope_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
  -Wno-sign-conversion  # Eigen's and ImGui's sizes are signed, the standard library's aren't: casts would bury the code
  # A fused multiply-add rounds once where a multiply and an add round twice. Whether a compiler fuses depends on the
  # target (arm64 does, x86-64 and wasm don't), so without this flag the golden hash would differ between them. It is on
  # for all modules since Eigen's inline functions are merged by the linker: any one module's copy may be the one kept.
  -ffp-contract=off)

add_library(headscope_quiet INTERFACE)
target_compile_options(headscope_quiet INTERFACE -w)

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(headscope_flags INTERFACE
    -Wno-maybe-uninitialized  # g++ 12 reports Eigen's and std::optional's own storage after inlining
    -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict)  # the same, false in libstdc++ 12's string and vector
endif()

# Each target says its own optimisation: HEADSCOPE_SMALL is for what draws and decides, HEADSCOPE_FAST for what computes.
set(CMAKE_CXX_FLAGS_RELEASE -DNDEBUG)
if(HEADSCOPE_SANITIZE)
  # No recovery: the first finding ends the run, so that a test can't pass over it. Assertions are part of the check.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")  # line numbers are enough for a report, and build in half the time
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  set(HEADSCOPE_SMALL "")
  set(HEADSCOPE_FAST "")
elseif(EMSCRIPTEN)
  set(HEADSCOPE_SMALL -Oz)
  set(HEADSCOPE_FAST -O3)
  # Nothing here throws or asks for a type at run time; unused functions and data are left out one by one.
  add_compile_options(-fno-exceptions -fno-rtti -ffunction-sections -fdata-sections)
else()
  set(HEADSCOPE_SMALL -O2)
  set(HEADSCOPE_FAST -O3)
endif()
