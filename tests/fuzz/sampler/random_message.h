// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/fuzz/support/fuzz.h"
#include "tests/unit/sampler/media_bench.h"

namespace gen9::sampler::fuzz_test {

using fuzz::Random;
using Bench = test::MediaBench;
using test::MediaMessage;
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

/// A picture and a state of the scaler, each noise or nearly right. Table entry 1 has the picture.
inline constexpr unsigned kPictureEntry = 1, kScalerIndex = 1;
inline void random_scaler(Random& random, Bench& b) {
    b.shape_picture(random.below(19), 1 + random.below(70), 1 + random.below(70),
                    64 << random.below(5));
    b.picture[0] = random.one_in(3) ? random.below(4) << 30 : 0;
    b.picture[2] |= random.one_in(2) ? random.below(4) | random.below(64) << 21 : 0;
    b.picture[3] = random.below(256);
    b.picture[4] = random.below(256);
    if (random.one_in(3))
        for (auto& dword : b.picture)
            if (random.one_in(2)) dword = static_cast<std::uint32_t>(random.bits());
    for (auto& dword : b.scaler)
        dword = static_cast<std::uint32_t>(random.bits());
    if (random.one_in(2)) b.filter_mode(random.below(4), true, 255, random.one_in(2));
    MediaMessage message;
    message.binding = kPictureEntry;
    message.index = kScalerIndex;
    b.write_media_states(message);
}

/// A message of the media sampler, most of them nearly legal.
inline void random_media_message(Random& random, Bench& b) {
    MediaMessage m;
    const unsigned codes[] = {test::kScale, test::kScale, test::kScale, test::kUnorm,
                              test::kUnormKill};
    m.code = random.of(codes);
    m.binding = m.code == test::kScale ? kPictureEntry : 0;
    m.index = m.code == test::kScale ? kScalerIndex : 0;
    const auto number = [&] {
        return random.one_in(12) ? std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()))
                                 : static_cast<float>(random.below(4096)) / 2048 - 0.5f;
    };
    m.u = number();
    m.v = number();
    m.du = number() / 16;
    m.dv = number() / 16;
    if (random.one_in(3)) m.ddu = number() / 512;
    if (random.one_in(3)) m.ddv = number() / 512;
    m.block = random.one_in(3) ? random.below(512) : 0;
    m.sequence = random.one_in(2) ? random.below(4) : 0;
    m.function = random.one_in(16) ? random.below(16) : 0;
    m.bypass = !random.one_in(8);
    m.form = random.below(4);
    m.masked = random.one_in(2) ? random.below(16) : 0xD;
    if (random.one_in(8)) m.response = static_cast<int>(random.below(Message::kMaxResponse + 1));
    if (random.one_in(6)) {
        // Results for the surface of the other messages, or for none.
        m.response = 0;
        m.target = random.one_in(8) ? random.below(256) : 0;
        m.target_format = random.one_in(8) ? random.below(32) : random.below(6);
        m.target_x = random.one_in(4) ? random.below(0x10000) : 4 * random.below(32);
        m.target_y = random.one_in(4) ? random.below(0x10000) : random.below(64);
    }
    b.build_media(m);
    if (random.one_in(16)) b.message.length = static_cast<std::uint8_t>(random.below(31));
}

/// A message of any code, most of them with a length that fits.
inline void random_message(Random& random, Bench& b) {
    if (random.one_in(4)) return random_media_message(random, b);
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
