# SPDX-License-Identifier: Apache-2.0
# Run at installation, with GEN9_HEADERS: where models/ and platform/ have been put. Within the project, includes begin
# at models/ or at the project's folder; here they get the prefix under which others find them.
file(GLOB folders LIST_DIRECTORIES true "$ENV{DESTDIR}${GEN9_HEADERS}/models/*")
set(rooms)
foreach(folder ${folders})
  get_filename_component(room "${folder}" NAME)
  list(APPEND rooms ${room})
endforeach()
list(JOIN rooms "|" rooms)
file(GLOB_RECURSE headers "$ENV{DESTDIR}${GEN9_HEADERS}/models/*.h" "$ENV{DESTDIR}${GEN9_HEADERS}/platform/*.h")
foreach(header ${headers})
  file(READ "${header}" text)
  string(REGEX REPLACE "(#include \")((${rooms})/[^\"]*\")" "\\1gen9sim/models/\\2" moved "${text}")
  string(REGEX REPLACE "(#include \")(platform/[^\"]*\")" "\\1gen9sim/\\2" moved "${moved}")
  if(NOT moved STREQUAL text)
    file(WRITE "${header}" "${moved}")
  endif()
endforeach()
