// SPDX-License-Identifier: Apache-2.0
#include "platform/host/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/check.h"

namespace gen9::platform {

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
    const auto make_in = [&](const std::string& folder) {
        path_ = folder + "/" + prefix + "XXXXXX";
        return mkdtemp(path_.data()) != nullptr;
    };
    const char* const chosen = std::getenv("TMPDIR");
    const bool is_chosen = chosen && *chosen;
    if (!is_chosen && make_in("/dev/shm")) return;
    if (!make_in(is_chosen ? chosen : "/tmp"))
        throw UserError("cannot make a folder '" + path_ + "': " + std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace gen9::platform
