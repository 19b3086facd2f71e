// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::rules {
using namespace test;

inline constexpr unsigned kR32Float = 0x0D8, kR32Uint = 0x0D7, kRgba8 = 0x0C7;
inline constexpr unsigned kSampleBC = 0x05, kSampleDC = 0x14;
inline constexpr auto kOk = MessageStatus::Ok;
inline constexpr auto kRefused = MessageStatus::GuestError;

/// Four levels of 16 x 16 R32_FLOAT texels: of level n they are 100 n + x + y / 16, x and y counted
/// in texels of the level.
struct Levels : Bench {
    Levels() {
        shape(surface_state::SURFTYPE_2D, kR32Float, 16, 16, 1, 128);
        set(surface_state::MIPCountLOD, 3);
        const unsigned corners[][2] = {{0, 0}, {0, 16}, {8, 16}, {8, 20}};
        for (unsigned level = 0; level < 4; ++level)
            for (unsigned y = 0; y < 16u >> level; ++y)
                for (unsigned x = 0; x < 16u >> level; ++x)
                    put((corners[level][1] + y) * 128 + (corners[level][0] + x) * 4,
                        texel(level, x, y));
        filters(0, 0, 3);
    }
    static float texel(unsigned level, unsigned x, unsigned y) {
        return static_cast<float>(100 * level + x) + static_cast<float>(y) / 16;
    }
    void type(surface_state::Type type) { set(surface_state::SurfaceType, type); }
    MessageStatus status(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                         const Options& o = {}) {
        return send(code, params, o).status;
    }
    float red(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
              const Options& o = {}) {
        const Answer answer = send(code, params, o);
        EXPECT_EQ(answer.status, kOk);
        return answer.number(0, 0);
    }
};
inline const auto kZero = all(0);
/// Places one texel of level 0 apart, so that pixels have level 0; in v with `vertical`.
inline std::vector<std::uint32_t> texels_from(float first, bool vertical) {
    std::vector<std::uint32_t> values(16);
    for (unsigned n = 0; n < 16; ++n)
        values[n] = f((first + static_cast<float>(vertical ? n >> 1 & 1 : n & 1)) / 16);
    return values;
}
inline std::vector<std::vector<std::uint32_t>> zeros(unsigned n) {
    return std::vector<std::vector<std::uint32_t>>(n, kZero);
}
inline Bench::Options pair() {
    Bench::Options o;
    o.simd = 0;
    return o;
}

/// By type of surface: which a message may be sent for.
inline std::array<bool, 5> legal_types(Levels& b, unsigned code, unsigned params) {
    std::array<bool, 5> legal{};
    const auto saved = b.surface;
    for (unsigned type = 0; type < legal.size(); ++type) {
        b.type(static_cast<surface_state::Type>(type));
        legal[type] = b.status(code, zeros(params)) == kOk;
    }
    b.surface = saved;
    return legal;
}

using Legal = std::array<bool, 5>;  // 1D, 2D, 3D, CUBE, BUFFER
inline constexpr Legal kImages{true, true, true, true, false},
    kShadows{true, true, false, true, false}, kLoads{true, true, true, false, true},
    kFlat{false, true, false, false, false}, kGathers{false, true, false, true, false};

/// 8 x 8 R32_UINT pixels of `1 << log` samples, a plane each.
struct Multisampled : Levels {
    explicit Multisampled(unsigned log) {
        shape(surface_state::SURFTYPE_2D, kR32Uint, 8, 8, 1, 128);
        set(surface_state::MIPCountLOD, 0);
        set(surface_state::SurfaceQPitch, 2);
        set(surface_state::NumberOfMultisamples, log);
        for (unsigned slice = 0; slice < 16; ++slice)
            for (unsigned y = 0; y < 8; ++y)
                for (unsigned x = 0; x < 8; ++x)
                    put(((slice * 8 + y) * 128) + x * 4, 1000 * slice + 10 * y + x);
    }
    std::uint32_t texel(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                        const Options& o = {}) {
        const Answer answer = send(code, params, o);
        EXPECT_EQ(answer.status, kOk);
        return answer.bits[0][0];
    }
};

}  // namespace gen9::sampler::rules
