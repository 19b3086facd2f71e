// SPDX-License-Identifier: Apache-2.0
// Messages of motion estimation, field by field, and pictures for them to look at.
#pragma once
#include <array>
#include <cstring>
#include <vector>

#include "common/bits.h"
#include "interconnect/payload/message.h"
#include "packets/media_surface_state.h"
#include "tests/support/motion_reference.h"

namespace gen9::vme::test {

namespace state = packets::media_surface_state;

inline constexpr unsigned kSearch = 2, kCheck = 1, kRefine = 3, kMesh = 0;

/// A message whose fields are set by phase, DWord and bits.
struct Words {
    Message message;
    ThreadSideband sender;

    explicit Words(unsigned type, unsigned streams_in = 0, unsigned streams_out = 0) {
        const unsigned length[] = {5, 8, 6, 8}, response[] = {16, 7, 7, 7};
        message.reset();
        message.sfid = type == kSearch || type == kMesh ? Sfid::Vme : Sfid::CheckRefine;
        message.length = message.first_length =
            static_cast<std::uint8_t>(length[type] + 2 * streams_in);
        message.response_length = static_cast<std::uint8_t>(response[type] + 2 * streams_out);
        message.header_present = true;
        message.descriptor =
            type << 13 | (streams_out ? 1u : 0u) << 15 | (streams_in ? 1u : 0u) << 16 | 1u << 19 |
            unsigned{message.response_length} << 20 | unsigned{message.length} << 25;
        message.execution_mask = 0;
        for (Grf& phase : message.payload)
            phase = {};
        for (Grf& phase : message.response)
            std::memset(phase.bytes, 0xCC, kGrfBytes);
    }

    Message& get() {
        message.sender = &sender;
        return message;
    }
    Words& set(unsigned phase, unsigned dword, unsigned high, unsigned low, std::uint32_t value) {
        std::uint8_t* const at = message.payload[phase].bytes + 4 * dword;
        store(at, with_bits(load<std::uint32_t>(at), high, low, value));
        return *this;
    }
    Words& dword(unsigned phase, unsigned index, std::uint32_t value) {
        return set(phase, index, 31, 0, value);
    }
    Words& byte(unsigned phase, unsigned index, std::uint8_t value) {
        message.payload[phase].bytes[index] = value;
        return *this;
    }
    std::uint32_t answer(unsigned phase, unsigned dword, unsigned high = 31,
                         unsigned low = 0) const {
        return bits(load<std::uint32_t>(message.response[phase].bytes + 4 * dword), high, low);
    }
    unsigned word(unsigned phase, unsigned index) const {
        return load<std::uint16_t>(message.response[phase].bytes + 2 * index);
    }
    /// The vector of a 4x4 block, in quarter pixels.
    motion::Vector vector(unsigned block, unsigned direction = 0) const {
        const std::uint32_t v = answer(1 + block / 4, block % 4 * 2 + direction);
        return {static_cast<std::int16_t>(v), static_cast<std::int16_t>(v >> 16)};
    }
};

inline std::uint32_t pair(int x, int y) {
    return static_cast<std::uint16_t>(x) | std::uint32_t{static_cast<std::uint16_t>(y)} << 16;
}

/// A search of the window's units row by row.
inline Words search(int x, int y, unsigned width = 32, unsigned height = 32, int dx = 0,
                    int dy = 0) {
    Words w(kSearch);
    const unsigned wide = (width - 16) / 4, high = (height - 16) / 4;
    w.dword(0, 0, pair(dx, dy)).dword(0, 2, pair(x, y));
    w.set(0, 5, 31, 24, height).set(0, 5, 23, 16, width);
    w.set(1, 1, 5, 0, 63);
    w.set(1, 2, 7, 0, wide * high).set(1, 2, 15, 8, wide * high);
    unsigned step = 0;
    for (unsigned row = 0; row < high; ++row) {
        for (unsigned i = 1; i < wide; ++i)
            w.byte(4 + step / 32, step % 32, row % 2 ? 0x0F : 0x01), ++step;
        if (row + 1 < high) w.byte(4 + step / 32, step % 32, 0x10), ++step;
    }
    return w;
}
/// Where that search goes, unit by unit.
inline std::vector<motion::Vector> units(unsigned width = 32, unsigned height = 32) {
    std::vector<motion::Vector> list;
    const int wide = static_cast<int>(width - 16) / 4, high = static_cast<int>(height - 16) / 4;
    for (int y = 0; y < high; ++y)
        for (int i = 0; i < wide; ++i)
            list.push_back({y % 2 ? wide - 1 - i : i, y});
    return list;
}

/// Memory with pictures, their states and a binding table.
struct PictureMemoryBytes {
    static constexpr std::uint64_t kTable = 0, kStates = 0x1000, kPictures = 0x10000;
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kPictures);

    /// Binds a picture at an index of the table; linear, the pitch its width.
    std::array<std::uint32_t, 16> bind(unsigned index, const motion::Picture& picture,
                                       std::uint32_t format = state::Y8_UNORM_VA) {
        const std::uint64_t base = bytes.size();
        bytes.insert(bytes.end(), picture.pixels.begin(), picture.pixels.end());
        bytes.resize((bytes.size() + 63) & ~std::size_t{63});
        std::array<std::uint32_t, 16> dwords{};
        state::Width.set(dwords, static_cast<std::uint64_t>(picture.width - 1));
        state::Height.set(dwords, static_cast<std::uint64_t>(picture.height - 1));
        state::SurfacePitch.set(dwords, static_cast<std::uint64_t>(picture.width - 1));
        state::SurfaceFormat.set(dwords, format);
        state::SurfaceBaseAddress.set(dwords, base);
        put(index, dwords);
        return dwords;
    }
    void put(unsigned index, const std::array<std::uint32_t, 16>& dwords) {
        const auto at = static_cast<std::uint32_t>(kStates + 64 * index);
        store(bytes.data() + kTable + 4 * index, at);
        std::memcpy(bytes.data() + at, dwords.data(), sizeof dwords);
    }
};

}  // namespace gen9::vme::test
