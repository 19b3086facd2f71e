// SPDX-License-Identifier: Apache-2.0
// The front end's files share this: a command's words, and how it is refused.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "interconnect/payload/command.h"
#include "media/types.h"

namespace gen9::media {

inline std::span<const std::uint32_t> dwords_of(const PipelineCommand& command) {
    return {command.dwords.data(),
            std::min<std::size_t>(command.length_dwords, command.dwords.size())};
}

inline Refusal guest(const char* kind, std::string text) {
    return {{}, kind, std::move(text)};
}

/// Does [offset, offset + size) lie within a buffer of `limit` bytes?
constexpr bool within(std::uint64_t offset, std::uint64_t size, std::uint64_t limit) {
    return offset <= limit && size <= limit - offset;
}

}  // namespace gen9::media
