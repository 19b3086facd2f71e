# SPDX-License-Identifier: Apache-2.0
# Targets every part of the project builds with, and the two functions that declare its parts.
find_program(GEN9_CCACHE ccache)
if(GEN9_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GEN9_CCACHE})
endif()
find_package(Threads REQUIRED)
# Linking is a tenth of the time of a build with sanitizers; mold takes a fraction of it.
find_program(GEN9_MOLD mold)
if(GEN9_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Flags of our own code.
add_library(gen9_options INTERFACE)
# They are for building only: what uses the installed libraries has flags of its own.
option(GEN9_WERROR "Warnings of our own code are errors" ${PROJECT_IS_TOP_LEVEL})
set(gen9_flags -Wall -Wextra -Wpedantic $<$<BOOL:${GEN9_WERROR}>:-Werror>
  # GCC 12 sees overlaps that are not there in std::string's operator+ (GCC bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # The float rules of the EU are IEEE: the compiler may not contract, reorder or assume a mode.
  -ffp-contract=off -frounding-math -fno-fast-math)
target_compile_options(gen9_options INTERFACE "$<BUILD_INTERFACE:${gen9_flags}>")
# Hosts have counts of bits and roundings as instructions (x86-64-v2: Nehalem, 2008, and later).
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(gen9_options INTERFACE "$<BUILD_INTERFACE:-march=x86-64-v2>")
endif()
# Copies and fills of sizes known only at run time: GCC would use the string instructions, which
# cost dozens of cycles to start; the C library's functions do not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(gen9_options INTERFACE
    "$<BUILD_INTERFACE:-mmemcpy-strategy=libcall:-1:noalign;-mmemset-strategy=libcall:-1:noalign>")
endif()
target_include_directories(gen9_options INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/models;${PROJECT_SOURCE_DIR}>" $<INSTALL_INTERFACE:include>)
target_compile_features(gen9_options INTERFACE cxx_std_20)
if(GEN9_SANITIZE)
  # Instrumented code makes GCC 12 warn of what is not there; the release build has no such excuse.
  target_compile_options(gen9_options INTERFACE -fsanitize=${GEN9_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -Wno-error)
  target_compile_definitions(gen9_options INTERFACE "$<BUILD_INTERFACE:GEN9_SANITIZED>")
  set(gen9_sanitizer_link -fsanitize=${GEN9_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # SystemC's processes change stacks, which copies of them on the heap do not survive.
    target_compile_options(gen9_options INTERFACE -fsanitize-address-use-after-return=never)
    # As GCC does it: tests/support/main_stack.cpp stands between SystemC and the library.
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir
      OUTPUT_VARIABLE gen9_sanitizer_folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND gen9_sanitizer_link -shared-libsan -Wl,-rpath,${gen9_sanitizer_folder})
  endif()
  target_link_options(gen9_options INTERFACE ${gen9_sanitizer_link})
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
# The project's own headers where they are installed: for plugins, and for those who use more than the device.
add_library(gen9_headers INTERFACE)
# In the build tree the prefix is a folder of links.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/gen9sim)
foreach(link models platform platform/device/gpu_device.h platform/cosim/dpi/gen9_reference.h)
  get_filename_component(name ${link} NAME)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${link} ${PROJECT_BINARY_DIR}/include/gen9sim/${name} SYMBOLIC)
endforeach()
target_include_directories(gen9_headers INTERFACE "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>" $<INSTALL_INTERFACE:include>)
set_target_properties(gen9_headers PROPERTIES EXPORT_NAME headers)
add_library(gen9sim::headers ALIAS gen9_headers)
install(TARGETS gen9_options gen9_systemc gen9_headers EXPORT gen9sim COMPONENT library)

# gen9_install(targets...): parts of the installed library (cmake/Gen9Install.cmake).
function(gen9_install)
  set_property(GLOBAL APPEND PROPERTY GEN9_INSTALLED ${ARGN})
  install(TARGETS ${ARGN} EXPORT gen9sim ARCHIVE DESTINATION lib/gen9sim COMPONENT library
    LIBRARY DESTINATION lib COMPONENT library)
endfunction()

find_package(Boost 1.81 REQUIRED COMPONENTS json program_options)

# What knows no SystemC can go into a shared library (platform/cosim/dpi). Calls inside it are direct,
# as in a program.
set(gen9_position_independent -fPIC -fno-semantic-interposition)

# Precompiled headers: what nearly every file includes takes longer to read than the file itself.
# Each kind of target has one, made once: gen9_pch_plain, _systemc, _systemc_hot, _test, _test_systemc and _program.
option(GEN9_PCH "Use precompiled headers" ON)
# The tests' own files are not worth the compiler's time: what is measured is in the libraries. Checks of every
# pointer cost half of it; AddressSanitizer sees most of what they find. A report names the functions of the tests, and
# the lines of the product.
set(gen9_test_flags)
if(GEN9_SANITIZE)
  set(gen9_test_flags -O0 -g0 -fno-sanitize=null,alignment,object-size,vptr)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  # There GCC 12 sees overruns in std::string's operator+ that are not there (GCC bug 105651).
  set(gen9_test_flags -O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
endif()
# Linked behind gen9_options, whose flags these take back.
add_library(gen9_test_options INTERFACE)
target_compile_options(gen9_test_options INTERFACE ${gen9_test_flags})
# So it is with what knows SystemC: the modules and the platform. The cores, which tests call hundreds of thousands of
# times, and the modules that carry every message of a whole machine (HOT) are optimised. All checks stay.
set(gen9_module_flags)
if(GEN9_SANITIZE MATCHES address)
  set(gen9_module_flags -O0)
endif()
# Around the models: nothing that is measured is in it. GCC takes two thirds of the time for such code, and reads
# precompiled headers that were made for the models.
set(gen9_platform_flags $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
# Files of a target are compiled together, some at a time: they include the same, which is then read once,
# and what they instantiate is made once. Off, a change of one file costs that file alone.
option(GEN9_UNITY "Compile the files of a target together" ON)
set(GEN9_UNITY_WITHOUT "" CACHE STRING "A folder whose files are compiled one by one, from the root of the project")
# gen9_unity(TARGET FILES): so many files at a time.
function(gen9_unity target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GEN9_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
  if(GEN9_UNITY_WITHOUT)
    get_target_property(sources ${target} SOURCES)
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE place)
      string(FIND "${place}" "${PROJECT_SOURCE_DIR}/${GEN9_UNITY_WITHOUT}/" at)
      if(at EQUAL 0)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endif()
endfunction()
# Programs that run on the model and know nothing of it (gen9_program). What is measured is not in them.
add_library(gen9_program_options INTERFACE)
# At -O1 GCC 12 sees overruns in std::string's operator+ that are not there (GCC bug 105651).
target_compile_options(gen9_program_options INTERFACE -Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off
  $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
target_include_directories(gen9_program_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_features(gen9_program_options INTERFACE cxx_std_20)
function(gen9_pch kind)
  if(GEN9_PCH)
    file(WRITE ${PROJECT_BINARY_DIR}/pch/${kind}.cpp "")
    add_library(gen9_pch_${kind} OBJECT ${PROJECT_BINARY_DIR}/pch/${kind}.cpp)
    if(kind STREQUAL program)
      target_link_libraries(gen9_pch_${kind} PRIVATE gen9_program_options)
    else()
      target_link_libraries(gen9_pch_${kind} PRIVATE gen9_options Boost::json)
    endif()
    if(kind MATCHES systemc)
      target_link_libraries(gen9_pch_${kind} PRIVATE gen9_systemc)
      if(NOT kind MATCHES hot)
        target_compile_options(gen9_pch_${kind} PRIVATE ${gen9_module_flags})
      endif()
    endif()
    if(kind MATCHES test)
      target_link_libraries(gen9_pch_${kind} PRIVATE GTest::gtest gen9_test_options)
    endif()
    if(kind STREQUAL plain)
      target_compile_options(gen9_pch_${kind} PRIVATE ${gen9_position_independent})
    endif()
    # ccache keeps what is compiled with a precompiled header only if it sees the header itself, and if its bytes
    # do not tell when it was made.
    target_compile_options(gen9_pch_${kind} PRIVATE -fpch-preprocess
      $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
    target_precompile_headers(gen9_pch_${kind} PRIVATE ${ARGN})
  endif()
endfunction()
set(pch_common <algorithm> <array> <bit> <cstring> <deque> <functional> <map> <memory> <optional> <span> <string> <vector>
  <boost/json/object.hpp>)
# What carries messages and memory requests is in nearly every module.
set(pch_modules <systemc> <tlm> <interconnect/kernel/line_traffic.h> <interconnect/kernel/stage.h>)
set(pch_tests <gtest/gtest.h> <random> <set>)
gen9_pch(plain ${pch_common})
gen9_pch(systemc ${pch_common} ${pch_modules})
if(gen9_module_flags)
  gen9_pch(systemc_hot ${pch_common} ${pch_modules})
endif()
find_package(GTest REQUIRED)
gen9_pch(test ${pch_common} ${pch_tests})
gen9_pch(test_systemc ${pch_common} ${pch_modules} ${pch_tests})
gen9_pch(program <algorithm> <array> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <fstream> <functional> <map> <memory>
  <numeric> <set> <sstream> <string> <thread> <vector>)
function(gen9_use_pch target kind)
  if(GEN9_PCH)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    target_precompile_headers(${target} REUSE_FROM gen9_pch_${kind})
  endif()
endfunction()

# gen9_vectors(SOURCES...): files whose loops over lanes are to become host vectors. GCC makes none of a loop that
# compares floats while the compare may be asked for the exceptions it raises; here nobody asks. Vectors that AVX alone
# holds are passed between functions that are always inlined only.
function(gen9_vectors)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-fno-trapping-math;-Wno-psabi" SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# gen9_library(NAME SOURCES... [SYSTEMC [HOT]] [PLATFORM] [TEST] [LINK targets...])
# A library of ours. Without SYSTEMC it may not see a SystemC header. HOT: optimised with sanitizers, too.
# PLATFORM: nothing in it is measured. TEST: compiled as the tests' own files are.
function(gen9_library name)
  cmake_parse_arguments(ARG "SYSTEMC;HOT;PLATFORM;TEST" "" "SOURCES;LINK" ${ARGN})
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
  # Helpers of the tests are not for others.
  string(FIND "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tests" among_tests)
  if(among_tests EQUAL -1)
    gen9_install(${name})
  endif()
  if(ARG_SOURCES)
    gen9_unity(${name} 12)
  endif()
  if(ARG_TEST)
    target_link_libraries(${name} PUBLIC GTest::gtest PRIVATE gen9_test_options)
    if(ARG_SYSTEMC)
      gen9_use_pch(${name} test_systemc)
    else()
      gen9_use_pch(${name} test)
    endif()
  elseif(ARG_SOURCES AND ARG_HOT AND gen9_module_flags)
    gen9_use_pch(${name} systemc_hot)
  elseif(ARG_SOURCES AND ARG_SYSTEMC)
    target_compile_options(${name} PRIVATE ${gen9_module_flags})
    gen9_use_pch(${name} systemc)
  elseif(ARG_SOURCES)
    target_compile_options(${name} PRIVATE ${gen9_position_independent})
    gen9_use_pch(${name} plain)
  endif()
  if(ARG_PLATFORM)
    target_compile_options(${name} PRIVATE ${gen9_platform_flags})
  endif()
endfunction()

# gen9_program(NAME SOURCES... [LINK targets...]): a program in the gallery, for the system tests and scripts/demo.
function(gen9_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gen9_program_options ${ARG_LINK})
  gen9_unity(${name} 16)
  gen9_use_pch(${name} program)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/gallery)
endfunction()

# gen9_test(NAME SOURCES... [SYSTEMC] [ALONE] [LINK targets...] [TIMEOUT s] [SHARDS n])
# A GoogleTest program (tests/support/each_case.h), each case of which may take TIMEOUT seconds of processor time, and which
# leaves XML reports for scripts/check-ledger. Its cases share a process unless it is of SYSTEMC or ALONE: then each has its
# own. Long ones are several tests of ctest, each with a share of the cases.
function(gen9_test name)
  cmake_parse_arguments(ARG "SYSTEMC;ALONE" "TIMEOUT;SHARDS" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gen9_options ${ARG_LINK})
  gen9_unity(${name} 32)
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PRIVATE gen9_test_main_systemc)
    gen9_use_pch(${name} test_systemc)
  else()
    target_link_libraries(${name} PRIVATE gen9_test_main$<$<BOOL:${ARG_ALONE}>:_alone>)
    gen9_use_pch(${name} test)
  endif()
  target_link_libraries(${name} PRIVATE gen9_test_options)
  if(NOT TARGET unit_tests)
    add_custom_target(unit_tests)
  endif()
  add_dependencies(unit_tests ${name})
  set_property(GLOBAL APPEND PROPERTY GEN9_UNIT_TESTS ${name})
  gen9_add_cases(${name} "" TIMEOUT "${ARG_TIMEOUT}" SHARDS "${ARG_SHARDS}")
endfunction()
# gen9_add_cases(PROGRAM PREFIX [TIMEOUT s] [SHARDS n] [ONE_OF n] [ENVIRONMENT NAME=VALUE...]): its cases as tests of
# ctest, whose names begin with the prefix. ONE_OF: as of gen9_system_test (tests/system).
function(gen9_add_cases program prefix)
  cmake_parse_arguments(ARG "" "TIMEOUT;SHARDS;ONE_OF" "ENVIRONMENT" ${ARGN})
  set(labels unit)
  if(ARG_ONE_OF)
    list(APPEND labels one_of_${ARG_ONE_OF})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    set(name ${prefix}${program})
    if(ARG_SHARDS GREATER 1)
      string(APPEND name .${shard})
    endif()
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name} COMMAND ${program})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 3600
      ENVIRONMENT "GEN9_REPORTS=${PROJECT_BINARY_DIR}/reports/${name};GEN9_CASE_SECONDS=${ARG_TIMEOUT};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index};${ARG_ENVIRONMENT}")
  endforeach()
endfunction()
