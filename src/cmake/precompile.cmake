# Precompiled headers: what nearly every file of a target includes is parsed once a target, not once a file. The presets
# `sanitize` and `web` have them; `native` doesn't, and so proves that every file includes what it needs.
option(HEADSCOPE_PRECOMPILE "Parse the headers that a target's files share once (precompiled headers)" OFF)
if(NOT HEADSCOPE_PRECOMPILE)
  return()
endif()

# Angle brackets, since a relative path would be looked for beside CMakeLists.txt. REUSE_FROM: a target with the same flags
# shares the file. render is left out: it includes next to nothing. So is library: four files.
target_precompile_headers(attention PRIVATE <attention/attention.hpp> <limits>)
target_precompile_headers(train PRIVATE <attention/attention.hpp> <algorithm>)
foreach(module io budget heads)
  target_precompile_headers(${module} REUSE_FROM train)
endforeach()
target_precompile_headers(app PRIVATE <app/app.hpp> <app/linked.hpp> <train/train.hpp> <algorithm> <cmath>)
target_precompile_headers(cli REUSE_FROM app)
target_precompile_headers(ui PRIVATE <ui/page.hpp> <algorithm> <cmath>)
if(EMSCRIPTEN)
  target_precompile_headers(attention_simd PRIVATE <attention/attention.hpp> <limits>)
  target_precompile_headers(attention_relaxed PRIVATE <attention/attention.hpp> <limits>)
  target_precompile_headers(web REUSE_FROM ui)
endif()
if(TARGET test_objects)
  target_precompile_headers(test_objects PRIVATE
    <doctest/doctest.h> <nlohmann/json.hpp> <app/app.hpp> <algorithm> <cmath> <fstream> <map> <set>)
  # It defines doctest's functions, by a macro before the include.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endif()
