# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, besides the libraries (gen9_install in Gen9.cmake), and the package that
# find_package(gen9sim) finds: gen9sim::gpu, gen9sim::aub, gen9sim::reference, gen9sim::headers.
#   cmake --install BUILD --component library     needs the target `library`
#   cmake --install BUILD --component program     needs the target `gen9sim`
include(CMakePackageConfigHelpers)
install(FILES platform/device/gpu_device.h DESTINATION include/gen9sim COMPONENT library)
install(DIRECTORY models platform DESTINATION include/gen9sim COMPONENT library FILES_MATCHING PATTERN "*.h")
# All headers lie under one prefix: they include each other as "gen9sim/models/..." and "gen9sim/platform/...".
install(CODE "set(GEN9_HEADERS \"\${CMAKE_INSTALL_PREFIX}/include/gen9sim\")" COMPONENT library)
install(SCRIPT cmake/Gen9Headers.cmake COMPONENT library)
install(EXPORT gen9sim NAMESPACE gen9sim:: FILE gen9simTargets.cmake DESTINATION lib/cmake/gen9sim COMPONENT library)
configure_package_config_file(cmake/gen9simConfig.cmake.in ${PROJECT_BINARY_DIR}/gen9simConfig.cmake
  INSTALL_DESTINATION lib/cmake/gen9sim)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gen9simConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gen9simConfig.cmake ${PROJECT_BINARY_DIR}/gen9simConfigVersion.cmake
  DESTINATION lib/cmake/gen9sim COMPONENT library)
# The program looks for the layer beside itself.
install(TARGETS gen9sim gen9sim_drm gen9sim_opencl_layer gen9sim_tbx RUNTIME DESTINATION bin COMPONENT program
  LIBRARY DESTINATION bin COMPONENT program)
get_property(installed GLOBAL PROPERTY GEN9_INSTALLED)
add_custom_target(library)
add_dependencies(library ${installed})
