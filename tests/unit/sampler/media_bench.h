// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstring>
#include <random>

#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::test {

inline constexpr unsigned kUnorm = 0x00, kUnormKill = 0x02, kUnormMediaKill = 0x0A, kScale = 0x0B,
                          kUnormMedia = 0x0C;

/// What a message of the media sampler asks for. States and payloads are written bit by bit, as the
/// PRM draws them, without the model's rows.
struct MediaMessage {
    unsigned code = kScale;
    float u = 0, v = 0, du = 0, dv = 0, ddu = 0, ddv = 0;
    unsigned block = 0, sequence = 0, function = 0, reserved = 0;
    bool bypass = true;
    unsigned form = 0, masked = 0;
    bool header = true;
    int response = -1;  ///< registers; -1: what it must be
    unsigned index = 0, binding = 0, group = 0x1234;
    /// Where results go that have no registers: index, format, byte and row.
    unsigned target = 0, target_format = 0, target_x = 0, target_y = 0;

    unsigned width() const {
        if (code != kScale) return 8;
        return sequence == 1 ? 8 : sequence == 3 ? 4 : 16;
    }
    unsigned height() const { return code == kScale && sequence == 2 ? 8 : 4; }
    bool returns(unsigned channel) const { return !(masked >> channel & 1); }
};

/// The registers of a channel and the place of a pixel in them, after the drawings of
/// 003:10313-10979.
struct MediaLayout {
    unsigned form, columns;
    bool half;  ///< parts of 8 columns: sample_unorm, and shuffled blocks
    unsigned masked;

    MediaLayout(const MediaMessage& m, bool shuffled)
        : form(m.form),
          columns(m.code != kScale || shuffled ? 8 : 16),
          half(columns == 8),
          masked(m.masked) {}
    bool paired() const { return half && form == 3 && (masked & 5) != 5; }
    unsigned size_of(unsigned c) const {
        static constexpr unsigned kWhole[4][4] = {
            {4, 4, 4, 4}, {2, 4, 2, 4}, {2, 2, 2, 2}, {1, 2, 1, 2}};
        static constexpr unsigned kHalf[4][4] = {
            {2, 2, 2, 2}, {1, 2, 1, 2}, {1, 1, 1, 1}, {0, 1, 0, 1}};
        return (half ? kHalf : kWhole)[form][c];
    }
    unsigned registers() const {
        unsigned sum = paired() ? 1 : 0;
        for (unsigned c = 0; c < 4; ++c)
            if (!(masked >> c & 1)) sum += size_of(c);
        return sum;
    }
    /// Of a block of this size.
    unsigned registers_of(unsigned width, unsigned height) const {
        return registers() * (width > columns ? width / columns : 1) * (height / 4);
    }
    struct Place {
        unsigned reg = 0, byte = 0, size = 0;  ///< size 0: not returned
    };
    Place place(unsigned c, unsigned x, unsigned y, unsigned width) const {
        const bool down = (form == 1 || form == 3) && (c == 0 || c == 2);
        if (masked >> c & 1 || (down && x % 2)) return {};
        const unsigned across = width > columns ? width / columns : 1;
        unsigned reg = (y / 4 * across + x / columns) * registers();
        unsigned number = y % 4 * columns + x % columns;
        if (down) number /= 2;
        const unsigned size = form < 2 ? 2 : 1;
        if (paired() && down) return {reg, number + (c == 0 ? 16 : 0), 1};
        if (paired()) ++reg;
        for (unsigned lower = 0; lower < c; ++lower)
            if (!(masked >> lower & 1)) reg += size_of(lower);
        return {reg + number * size / 32, number * size % 32, size};
    }
};

/// A core with one picture and one state of the scaler, or a surface and a sampler.
struct MediaBench : Bench {
    static constexpr std::uint64_t kPicture = 0x4000;
    std::array<std::uint32_t, 8> picture{};
    std::array<std::uint32_t, 280> scaler{};

    void bits(std::uint32_t& dword, unsigned high, unsigned low, std::uint32_t value) {
        const std::uint32_t mask = (high - low == 31 ? ~0u : (1u << (high - low + 1)) - 1) << low;
        dword = (dword & ~mask) | (value << low & mask);
    }
    /// A linear picture at the bench's texels.
    void shape_picture(unsigned format, unsigned width, unsigned height, unsigned pitch) {
        picture = {};
        bits(picture[1], 17, 4, width - 1);
        bits(picture[1], 31, 18, height - 1);
        bits(picture[2], 20, 3, pitch - 1);
        bits(picture[2], 31, 27, format);
        picture[6] = static_cast<std::uint32_t>(kTexels);
    }
    /// Taps of a phase, in 64ths: of table 0 (eight) or of table 1 (four, the taps 2 to 5).
    void set_tap(unsigned table, unsigned axis, unsigned phase, unsigned tap, int value) {
        const unsigned entry = phase < 17 ? 16 + 8 * phase : 160 + 8 * (phase - 17);
        auto* const bytes = reinterpret_cast<std::uint8_t*>(scaler.data() + entry);
        const unsigned at = table == 0  ? 2 * tap + axis
                            : axis == 0 ? 18 + (tap - 2)
                                        : 26 + (tap - 2);
        bytes[at] = static_cast<std::uint8_t>(value);
    }
    /// The filter of all phases has one tap.
    void copy_table() {
        for (unsigned phase = 0; phase < 32; ++phase)
            for (unsigned table = 0; table < 2; ++table)
                for (unsigned axis = 0; axis < 2; ++axis)
                    set_tap(table, axis, phase, 3, 64);
    }
    /// Two taps, by the fraction.
    void linear_table() {
        for (unsigned phase = 0; phase < 32; ++phase)
            for (unsigned table = 0; table < 2; ++table)
                for (unsigned axis = 0; axis < 2; ++axis) {
                    set_tap(table, axis, phase, 3, 64 - 2 * static_cast<int>(phase));
                    set_tap(table, axis, phase, 4, 2 * static_cast<int>(phase));
                }
    }
    void filter_mode(unsigned eight_taps, bool bypass, unsigned sharpness, bool shuffled = false) {
        bits(scaler[3], 29, 28, eight_taps);
        bits(scaler[4], 11, 11, shuffled);
        bits(scaler[152], 31, 24, sharpness);
        bits(scaler[153], 22, 21, bypass ? 3 : 0);
    }
    bool shuffled() const { return scaler[4] >> 11 & 1; }

    void build_media(const MediaMessage& m) {
        message.reset();
        message.sfid = Sfid::Sampler;
        message.sender = &sender;
        message.execution_mask = 1;
        message.header_present = m.header;
        for (Grf& grf : message.payload)
            grf = Grf{};
        unsigned at = 0;
        if (m.header) {
            store(message.payload[0].bytes + 8, m.target << 24 | m.form << 18 | m.masked << 12);
            store(message.payload[0].bytes + 16, m.target_y << 16 | m.target_x);
            store(message.payload[0].bytes + 20, 0xFFFFFFE0 | m.target_format);
            store(message.payload[0].bytes + 12, static_cast<std::uint32_t>(kSampler));
            at = 1;
        }
        std::uint8_t* const payload = message.payload[at].bytes;
        store(payload + 0, m.ddv);
        store(payload + 4, m.block);
        store(payload + 8, m.u);
        store(payload + 12, m.v);
        store(payload + 16, m.du);
        store(payload + 20, m.dv);
        store(payload + 24, m.ddu);
        store(payload + 28, m.function << 28 | (m.bypass ? 1u << 27 : 0) | m.sequence << 25 |
                                m.reserved << 22 | m.group);
        message.length = static_cast<std::uint8_t>(at + 1);
        const bool kills = m.code == kUnormKill || m.code == kUnormMediaKill;
        const MediaLayout layout(m, m.code == kScale && shuffled());
        // What a descriptor can say.
        message.response_length = static_cast<std::uint8_t>(std::min<std::size_t>(
            Message::kMaxResponse, m.response >= 0
                                       ? static_cast<unsigned>(m.response)
                                       : layout.registers_of(m.width(), m.height()) + kills));
        message.descriptor =
            message.length << 25u | static_cast<std::uint32_t>(message.response_length) << 20 |
            (m.header ? 1u << 19 : 0) | 3u << 17 | m.code << 12 | m.index << 8 | m.binding;
        for (Grf& grf : message.response)
            std::memset(grf.bytes, 0xCD, sizeof grf.bytes);
    }
    void write_media_states(const MediaMessage& m) {
        write_states();
        if (m.code != kScale) return;
        const std::uint32_t pointer = kPicture;
        std::memcpy(memory.at(kStates + 4 * m.binding), &pointer, 4);
        std::memcpy(memory.at(kStates + kPicture), picture.data(), sizeof picture);
        std::memcpy(memory.at(kStates + kSampler + m.index * 2048), scaler.data(), sizeof scaler);
    }
    MessageStatus send_media(const MediaMessage& m) {
        write_media_states(m);
        core.invalidate_states();
        build_media(m);
        run({});
        return message.status;
    }
    /// A value of the response.
    unsigned value(const MediaMessage& m, unsigned c, unsigned x, unsigned y) const {
        const auto at = MediaLayout(m, m.code == kScale && shuffled()).place(c, x, y, m.width());
        const std::uint8_t* const bytes = message.response[at.reg].bytes + at.byte;
        return at.size == 2 ? load<std::uint16_t>(bytes) : *bytes;
    }
    /// What was reported last.
    std::string report() const {
        return reporter.entries().empty() ? "" : reporter.entries().back().text;
    }
};

}  // namespace gen9::sampler::test
