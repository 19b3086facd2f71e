// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::program {

/// The revision of the sources this program was built from, as git describes it; "unknown" when
/// they are not in a repository. A build makes its definition (cmake/Gen9Revision.cmake).
extern const char* const kRevision;

}  // namespace gen9::program
