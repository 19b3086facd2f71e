// SPDX-License-Identifier: Apache-2.0
#include "platform/host/regular_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace gen9::platform {

FileDescriptor open_regular(const std::string& path, struct stat& status) {
    FileDescriptor file(
        open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    const bool good = file && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                      (geteuid() == 0 || status.st_uid == geteuid());
    return good ? std::move(file) : FileDescriptor();
}

std::vector<std::uint8_t> bytes_of_regular(const std::string& path, std::size_t most) {
    struct stat status {};
    const FileDescriptor file = open_regular(path, status);
    const auto size = static_cast<std::size_t>(status.st_size);
    if (!file || size > most) return {};
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t read = 0; read < size;) {
        const ssize_t count =
            pread(file.get(), &bytes[read], size - read, static_cast<off_t>(read));
        if (count <= 0) return {};
        read += static_cast<std::size_t>(count);
    }
    return bytes;
}

}  // namespace gen9::platform
