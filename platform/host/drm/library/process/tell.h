// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::drm {

enum class Topic : unsigned { FileLimit, Forked, Unreachable, Root, Closed };

/// Says on the program's standard error what would otherwise be a riddle; each topic once in a
/// process.
void tell(Topic topic, const char* text);

}  // namespace gen9::drm
