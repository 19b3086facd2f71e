// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "platform/host/aub/aub_packet.h"
#include "platform/host/aub/byte_sink.h"

namespace gen9::platform {

/// Writes a capture packet by packet, for a Skylake device. Every function throws UserError when
/// the file cannot take it.
class AubWriter {
  public:
    explicit AubWriter(std::unique_ptr<ByteSink> sink);
    void comment(const std::string& text);
    void write_register(std::uint32_t offset, std::uint32_t value);
    void write_memory(aub::Space space, std::uint64_t address, std::span<const std::uint8_t> bytes);
    void clear_memory(aub::Space space, std::uint64_t address, std::uint64_t bytes);
    void compare_memory(aub::Space space, std::uint64_t address,
                        std::span<const std::uint8_t> bytes);
    void close() { sink_->close(); }
    std::uint64_t packets() const { return packets_; }

  private:
    void packet(aub::Kind kind, std::span<const std::uint32_t> body,
                std::span<const std::uint8_t> data = {});
    void memory(aub::Kind kind, aub::Space space, std::uint64_t address, std::uint32_t flags,
                std::uint32_t size, std::span<const std::uint8_t> data);

    std::unique_ptr<ByteSink> sink_;
    std::uint64_t packets_ = 0;
};

}  // namespace gen9::platform
