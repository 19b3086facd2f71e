// SPDX-License-Identifier: Apache-2.0
#include "common/check.h"

#include <cstring>

namespace gen9 {

void fail_check(const char* condition, const char* file, int line, const std::string& text) {
    const char* slash = std::strrchr(file, '/');
    throw InternalError(std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " +
                        text + " (" + condition + ")");
}

}  // namespace gen9
