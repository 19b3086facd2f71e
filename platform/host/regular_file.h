// SPDX-License-Identifier: Apache-2.0
/// Files in places where a program can put anything: a link, a pipe that never has a writer, a
/// device without an end. Only regular files of this process's user are opened, without waiting. The
/// superuser's may be any user's, for its program may have taken another.
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "platform/host/socket.h"

namespace gen9::platform {

/// To read; no descriptor if it is no such file.
FileDescriptor open_regular(const std::string& path, struct stat& status);

/// All that a file has now; nothing if it is no such file, cannot be read, or has more bytes than
/// `most`.
std::vector<std::uint8_t> bytes_of_regular(const std::string& path, std::size_t most);

}  // namespace gen9::platform
