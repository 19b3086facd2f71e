// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gen9::platform {

/// Bytes in order to a file.
class ByteSink {
  public:
    virtual ~ByteSink() = default;
    /// Throws UserError when the file cannot take them.
    virtual void write(std::span<const std::uint8_t> bytes) = 0;
    /// Call once, at the end. Throws UserError.
    virtual void close() = 0;
};

/// Makes a file; it is packed with zstd when its name ends in .zst. Throws UserError.
std::unique_ptr<ByteSink> create_bytes(const std::string& path);

/// Packs a file into another with zstd. Throws UserError.
void pack_file(const std::string& from, const std::string& to);

}  // namespace gen9::platform
