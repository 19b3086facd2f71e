# SPDX-License-Identifier: Apache-2.0
# Run at each build: writes OUTPUT, which says the revision of the sources, when that has changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 OUTPUT_VARIABLE revision
  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT revision)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[#include "sc_main/revision.h"
const char* const gen9::program::kRevision = "@revision@";
]] @ONLY)
