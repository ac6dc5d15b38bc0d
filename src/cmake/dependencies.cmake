# What others wrote: eigen, imgui, imgui_gl, sdl, gl, egl, stb, doctest, json. Installed packages first, else pinned sources.
# A cross compiler must never see /usr/include, so header-only packages are pointed at (or copied) folder by folder.
include(FetchContent)
include(${CMAKE_CURRENT_LIST_DIR}/cache.cmake)
set(FETCHCONTENT_QUIET OFF)

# headscope_headers(TARGET HEADER TREE REPOSITORY TAG SUBFOLDER): an include-only target. HEADER is looked for in the
# usual include folders; from there only TREE (a folder name) is made visible.
function(headscope_headers target header tree repository tag subfolder)
  find_path(${target}_FOUND_IN ${header} PATHS ${HEADSCOPE_${target}_INCLUDE} /usr/include /usr/local/include /opt/homebrew/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(${target}_FOUND_IN)
    set(folder ${PROJECT_BINARY_DIR}/include/${target})
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${${target}_FOUND_IN}/${tree} ${folder}/${tree} SYMBOLIC)
  else()
    FetchContent_Declare(${target} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${target})
    set(folder ${${target}_SOURCE_DIR}/${subfolder})
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
endfunction()

headscope_headers(doctest doctest/doctest.h doctest https://github.com/doctest/doctest.git v2.4.11 .)
headscope_headers(json nlohmann/json.hpp nlohmann https://github.com/nlohmann/json.git v3.11.3 include)

find_path(EIGEN_FOLDER Eigen/Core PATHS /usr/include/eigen3 /usr/local/include/eigen3 /opt/homebrew/include/eigen3
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(NOT EIGEN_FOLDER)
  FetchContent_Declare(eigen_source GIT_REPOSITORY https://gitlab.com/libeigen/eigen.git GIT_TAG 3.4.0 GIT_SHALLOW ON SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(eigen_source)
  set(EIGEN_FOLDER ${eigen_source_SOURCE_DIR})
endif()
add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${EIGEN_FOLDER})
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY)  # refuses Eigen's few files under the LGPL

# --- OpenGL: the desktop's library; WebGL 2 comes from Emscripten's own link flags.
add_library(gl INTERFACE)
if(NOT EMSCRIPTEN)
  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL REQUIRED OPTIONAL_COMPONENTS EGL)
  target_link_libraries(gl INTERFACE OpenGL::GL ${CMAKE_DL_LIBS})
endif()

# --- Dear ImGui: >= 1.92, whose fonts are rasterised at any size.
if(EXISTS "${HEADSCOPE_CACHE}/imgui-1.92.2b/imgui.cpp" AND NOT FETCHCONTENT_SOURCE_DIR_IMGUI_SOURCE)
  set(FETCHCONTENT_SOURCE_DIR_IMGUI_SOURCE "${HEADSCOPE_CACHE}/imgui-1.92.2b")
endif()
FetchContent_Declare(imgui_source GIT_REPOSITORY https://github.com/ocornut/imgui.git GIT_TAG v1.92.2b GIT_SHALLOW ON)
FetchContent_MakeAvailable(imgui_source)  # it has no CMakeLists.txt: this only sets the folder
set(IMGUI_FOLDER ${imgui_source_SOURCE_DIR})

add_library(imgui STATIC
  ${IMGUI_FOLDER}/imgui.cpp ${IMGUI_FOLDER}/imgui_draw.cpp ${IMGUI_FOLDER}/imgui_tables.cpp ${IMGUI_FOLDER}/imgui_widgets.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${IMGUI_FOLDER})
# Public, since some of these change the library's types: every user must see the same ones.
target_compile_definitions(imgui PUBLIC
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS     # bytes that no page shows
  IMGUI_DISABLE_OBSOLETE_FUNCTIONS                         # old names may go with the next version
  IMGUI_DISABLE_DEFAULT_FONT                               # the program brings its own fonts
  IMGUI_ENABLE_FREETYPE                                    # and their loader (ui/fonts.cpp, not FreeType): without this,
                                                           # a second copy of stb_truetype is linked
  "ImDrawIdx=unsigned int"                                 # WebGL 2 has no vertex offset: 65,535 vertices could run out
  IMGUI_DISABLE_FILE_FUNCTIONS IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS)  # no ini or log files, no system()
target_compile_options(imgui PRIVATE ${HEADSCOPE_SMALL})
target_link_libraries(imgui PRIVATE headscope_quiet)

add_library(imgui_gl STATIC ${IMGUI_FOLDER}/backends/imgui_impl_opengl3.cpp)
target_compile_options(imgui_gl PRIVATE ${HEADSCOPE_SMALL})
target_link_libraries(imgui_gl PUBLIC imgui gl PRIVATE headscope_quiet)
if(EMSCRIPTEN)
  target_compile_definitions(imgui_gl PUBLIC IMGUI_IMPL_OPENGL_ES3)
  target_compile_options(imgui_gl PRIVATE -include ${PROJECT_SOURCE_DIR}/web/cmake/imgui_gl_state.h)  # see there
  return()  # the page's JavaScript brings the events: no SDL on the web, whose listeners take the wheel and the keys from the page
endif()

# --- SDL2: the native window.
find_package(SDL2 2.0.22 QUIET CONFIG)
if(NOT SDL2_FOUND)
  set(SDL_SHARED OFF CACHE BOOL "" FORCE)
  set(SDL_STATIC ON CACHE BOOL "" FORCE)
  set(SDL_TEST OFF CACHE BOOL "" FORCE)
  set(SDL2_DISABLE_INSTALL ON CACHE BOOL "" FORCE)
  enable_language(C)
  FetchContent_Declare(sdl2 GIT_REPOSITORY https://github.com/libsdl-org/SDL.git GIT_TAG release-2.32.4 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(sdl2)
endif()
add_library(sdl INTERFACE)
target_link_libraries(sdl INTERFACE $<IF:$<TARGET_EXISTS:SDL2::SDL2>,SDL2::SDL2,SDL2::SDL2-static>)

# --- Screenshots: EGL makes a context without a display (where there is none, a hidden window does), stb writes the PNG.
add_library(egl INTERFACE)
if(TARGET OpenGL::EGL)
  target_link_libraries(egl INTERFACE OpenGL::EGL)
  target_compile_definitions(egl INTERFACE HEADSCOPE_EGL)
endif()

find_path(STB_FOLDER stb_image_write.h PATHS /usr/include/stb /usr/local/include/stb /opt/homebrew/include/stb /opt/homebrew/include
  NO_DEFAULT_PATH)
if(NOT STB_FOLDER)
  # stb has no tags; this is the commit that Debian 12 packages.
  FetchContent_Declare(stb_source GIT_REPOSITORY https://github.com/nothings/stb.git
    GIT_TAG 8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55 SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(stb_source)
  set(STB_FOLDER ${stb_source_SOURCE_DIR})
endif()
add_library(stb INTERFACE)
target_include_directories(stb SYSTEM INTERFACE ${STB_FOLDER})
