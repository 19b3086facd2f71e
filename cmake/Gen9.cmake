# SPDX-License-Identifier: Apache-2.0
# Targets every part of the project builds with, and the two functions that declare its parts.
find_program(GEN9_CCACHE ccache)
if(GEN9_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GEN9_CCACHE})
endif()
find_package(Threads REQUIRED)

# Flags of our own code.
add_library(gen9_options INTERFACE)
target_compile_options(gen9_options INTERFACE -Wall -Wextra -Wpedantic -Werror
  # GCC 12 sees overlaps that are not there in std::string's operator+ (GCC bug 105329).
  -Wno-restrict
  # The float rules of the EU are IEEE: the compiler may not contract, reorder or assume a mode.
  -ffp-contract=off -frounding-math -fno-fast-math)
target_include_directories(gen9_options INTERFACE ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR})
if(GEN9_SANITIZE)
  target_compile_options(gen9_options INTERFACE -fsanitize=${GEN9_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(gen9_options INTERFACE -fsanitize=${GEN9_SANITIZE})
endif()
if(GEN9_COVERAGE)
  target_compile_options(gen9_options INTERFACE --coverage)
  target_link_options(gen9_options INTERFACE --coverage)
endif()

# SystemC. Debian 12 builds the library for C++17, so every user must say so or it does not link.
find_path(SYSTEMC_INCLUDE_DIR systemc.h REQUIRED)
find_library(SYSTEMC_LIBRARY systemc REQUIRED)
add_library(gen9_systemc INTERFACE)
target_include_directories(gen9_systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIR})
target_compile_definitions(gen9_systemc INTERFACE SC_CPLUSPLUS=201703L SC_INCLUDE_DYNAMIC_PROCESSES)
target_link_libraries(gen9_systemc INTERFACE ${SYSTEMC_LIBRARY} Threads::Threads)

find_package(Boost 1.81 REQUIRED COMPONENTS json program_options)

# gen9_library(NAME SOURCES... [SYSTEMC] [LINK targets...])
# A library of ours. Without SYSTEMC it may not see a SystemC header.
function(gen9_library name)
  cmake_parse_arguments(ARG "SYSTEMC" "" "SOURCES;LINK" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${name} ${scope} gen9_options ${ARG_LINK})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} ${scope} gen9_systemc)
  endif()
endfunction()

# gen9_test(NAME SOURCES... [SYSTEMC] [LINK targets...] [TIMEOUT s])
# A GoogleTest program, one ctest per test case (SystemC elaborates once per process, so each case
# runs in a process of its own), with an XML report for scripts/check-ledger.
function(gen9_test name)
  cmake_parse_arguments(ARG "SYSTEMC" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gen9_options ${ARG_LINK})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PRIVATE gen9_test_main_systemc)
  else()
    target_link_libraries(${name} PRIVATE gen9_test_main)
  endif()
  if(NOT TARGET unit_tests)
    add_custom_target(unit_tests)
  endif()
  add_dependencies(unit_tests ${name})
  gtest_discover_tests(${name} XML_OUTPUT_DIR ${CMAKE_BINARY_DIR}/reports/
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS unit DISCOVERY_TIMEOUT 60)
endfunction()
