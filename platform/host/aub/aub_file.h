// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "common/check.h"
#include "platform/host/aub/aub_packet.h"
#include "platform/host/aub/byte_source.h"

namespace gen9::platform {

/// A capture that cannot be understood: damaged, cut off, or no capture at all.
class AubError : public UserError {
  public:
    using UserError::UserError;
};

/// Reads a capture packet by packet; holds one packet. Whatever the file says, a packet that comes
/// out has the length its header claims and at least the fields of its kind.
class AubFile {
  public:
    /// `name` is for messages.
    AubFile(std::unique_ptr<ByteSource> source, std::string name);
    /// Opens a file, plain or packed with zstd. Throws UserError.
    explicit AubFile(const std::string& path) : AubFile(open_bytes(path), path) {}

    /// The next packet, valid until the next call; false at the end of the file. Throws AubError.
    bool next(aub::Packet& packet);

    [[noreturn]] void refuse(const aub::Packet& packet, const std::string& why) const;

  private:
    void check(const aub::Packet& packet) const;

    std::unique_ptr<ByteSource> source_;
    std::string name_;
    std::vector<std::uint8_t> bytes_;
    std::uint64_t number_ = 0, offset_ = 0;
};

}  // namespace gen9::platform
