// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gen9::platform {

/// Bytes in order: of a file, a compressed file, or memory.
class ByteSource {
  public:
    virtual ~ByteSource() = default;
    /// Fills as much of `room` as there is left to read; returns how much. Throws UserError.
    virtual std::size_t read(std::span<std::uint8_t> room) = 0;
};

/// A file as it is, or unpacked when it is a zstd file (known by its first bytes). Nothing is held
/// in memory but a buffer. Throws UserError.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

std::unique_ptr<ByteSource> bytes_of(std::vector<std::uint8_t> bytes);

/// A whole file, at most `limit` bytes of it unpacked. Throws UserError.
std::vector<std::uint8_t> read_all(const std::string& path, std::size_t limit);

}  // namespace gen9::platform
