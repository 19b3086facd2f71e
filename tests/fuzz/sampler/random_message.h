// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/fuzz/support/fuzz.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler::fuzz_test {

using fuzz::Random;
using test::Bench;
namespace surface_state = test::surface_state;
namespace sampler_state = test::sampler_state;

/// A surface state: a third are noise, the others nearly right and their texels in the bench.
inline void random_surface(Random& random, Bench& b) {
    if (random.one_in(3)) {
        for (auto& dword : b.surface)
            dword = static_cast<std::uint32_t>(random.bits());
        if (random.one_in(2)) b.set(surface_state::SurfaceType, random.below(5));
        if (random.one_in(2)) b.set(surface_state::SurfaceBaseAddress, Bench::kTexels);
        return;
    }
    const unsigned formats[] = {0x0C7,
                                0x0D8,
                                0x000,
                                0x080,
                                0x0D7,
                                0x143,
                                0x182,
                                0x1A5,
                                0x186,
                                0x189,
                                0x1A2,
                                0x1A1,
                                0x1AA,
                                0x1C2,
                                0x088,
                                0x113,
                                random.below(512)};
    const auto type = static_cast<surface_state::Type>(random.below(5));
    b.shape(type, random.of(formats), 1 + random.below(64), 1 + random.below(64),
            1 + random.below(6), 64 << random.below(5));
    if (random.one_in(8)) b.set(surface_state::ASTCEnable, 1);
    if (random.one_in(2)) b.set(surface_state::SurfaceArray, 1);
    if (random.one_in(2)) b.set(surface_state::TileMode, random.below(4));
    if (random.one_in(4)) b.set(surface_state::TiledResourceMode, random.below(4));
    if (random.one_in(2)) b.set(surface_state::SurfaceQPitch, random.below(64));
    if (random.one_in(2)) b.set(surface_state::MIPCountLOD, random.below(16));
    if (random.one_in(4)) b.set(surface_state::SurfaceMinLOD, random.below(16));
    if (random.one_in(4)) b.set(surface_state::ResourceMinLOD, random.below(4096));
    if (random.one_in(6)) b.set(surface_state::MipTailStartLOD, random.below(16));
    if (random.one_in(6)) b.set(surface_state::MinimumArrayElement, random.below(8));
    if (random.one_in(6)) b.set(surface_state::NumberOfMultisamples, random.below(8));
    if (random.one_in(8)) b.set(surface_state::AuxiliarySurfaceMode, random.below(8));
    if (random.one_in(6)) b.set(surface_state::CubeFaceEnables, random.below(64));
    if (random.one_in(4)) b.set(surface_state::ShaderChannelSelectGreen, random.below(8));
    if (random.one_in(6)) b.set(surface_state::XOffset, random.below(128));
    if (random.one_in(6)) b.set(surface_state::YOffset, random.below(8));
    if (random.one_in(8)) b.set(surface_state::VerticalLineStride, 1);
}

inline void random_sampler(Random& random, Bench& b) {
    for (auto& dword : b.sampler)
        dword = static_cast<std::uint32_t>(random.bits());
    if (!random.one_in(8)) b.set_sampler(sampler_state::ChromaKeyEnable, 0);
    if (!random.one_in(8)) b.set_sampler(sampler_state::SamplerDisable, 0);
    if (!random.one_in(4)) b.filters(random.below(3), random.below(3), random.below(4));
    if (!random.one_in(4)) b.set_sampler(sampler_state::BorderColorPointer, Bench::kBorder);
}

/// A message of any code, most of them with a length that fits.
inline void random_message(Random& random, Bench& b) {
    Bench::Options o;
    const unsigned modes[] = {0, 1, 1, 2, 2, 2, 3};
    const std::uint32_t masks[] = {0xFFFF, 0xFF, 1, 0x8000, 0x0F0F, 0, random.below(0x10000)};
    o.simd = random.of(modes);
    o.mask = random.of(masks);
    o.header = !random.one_in(5);
    o.half = random.one_in(4);
    o.binding = random.one_in(6) ? random.below(256) : 0;
    o.index = random.one_in(6) ? random.below(16) : 0;
    o.header2 =
        random.one_in(3) ? static_cast<std::uint32_t>(random.bits()) : random.below(15) << 12;
    o.extended = static_cast<std::uint32_t>(random.bits());
    if (random.one_in(8)) o.response = static_cast<int>(random.below(Message::kMaxResponse + 1));
    std::vector<std::vector<std::uint32_t>> params(
        random.one_in(3) ? random.below(o.simd == 2 ? 6 : 12) : 2 + random.below(3));
    for (auto& param : params) {
        param.resize(o.simd == 0 ? 2 : o.simd == 2 ? 16 : 8);
        const bool integers = random.one_in(3);
        for (auto& value : param) {
            const float unit = static_cast<float>(random.below(4096)) / 1024 - 1;
            value = random.one_in(10) ? static_cast<std::uint32_t>(random.bits())
                    : integers        ? random.below(70)
                                      : test::f(random.one_in(4) ? unit * 64 : unit);
        }
    }
    b.build(random.one_in(4) ? test::kSampleLz : random.below(32), params, o);
    b.message.end_of_thread = random.one_in(40);
    if (random.one_in(8)) b.message.length = static_cast<std::uint8_t>(random.below(31));
}

}  // namespace gen9::sampler::fuzz_test
