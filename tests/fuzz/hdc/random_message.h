// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/fuzz/support/fuzz.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc::fuzz_test {

using fuzz::Random;
using test::Bench;
using test::Send;
using test::SurfaceBits;

/// A surface state: half of them are noise, half nearly right and within the data of the bench.
inline SurfaceBits random_surface(Random& random) {
    namespace state = packets::render_surface_state;
    SurfaceBits s;
    if (random.one_in(3)) {
        for (auto& dword : s.dwords)
            dword = static_cast<std::uint32_t>(random.bits());
        return s;
    }
    const unsigned formats[] = {0x0C7,
                                0x0D7,
                                0x0D6,
                                0x143,
                                0x140,
                                0x002,
                                0x087,
                                0x100,
                                0x182,
                                0x190,
                                0x113,
                                0x1FF,
                                random.below(0x200)};
    s = SurfaceBits::image(random.below(8), random.of(formats), Bench::kData, 1 + random.below(128),
                           1 + random.below(64), 1 + random.below(8), 64 << random.below(4));
    if (random.one_in(2)) s.set(state::SurfacePitch, random.below(2048));
    if (random.one_in(2)) s.set(state::TileMode, random.below(4));
    if (random.one_in(4)) s.set(state::TiledResourceMode, random.below(4));
    if (random.one_in(3)) s.set(state::SurfaceArray, 1);
    if (random.one_in(3)) s.set(state::SurfaceQPitch, random.below(64));
    if (random.one_in(4)) s.set(state::NumberOfMultisamples, random.below(8));
    if (random.one_in(4)) s.set(state::MIPCountLOD, random.below(16));
    if (random.one_in(6)) s.set(state::SurfaceMinLOD, random.below(16));
    if (random.one_in(6)) s.set(state::MinimumArrayElement, random.below(16));
    if (random.one_in(6)) s.set(state::XOffset, random.below(128));
    if (random.one_in(6)) s.set(state::YOffset, random.below(8));
    if (random.one_in(6)) s.set(state::VerticalLineStride, 1);
    if (random.one_in(6)) s.set(state::VerticalLineStrideOffset, 1);
    if (random.one_in(6)) s.set(state::MediaBoundaryPixelMode, random.below(4));
    if (random.one_in(6)) s.set(state::AuxiliarySurfaceMode, random.below(8));
    if (random.one_in(6)) s.set(state::AuxiliarySurfaceBaseAddress, Bench::kData + 0x4000);
    if (random.one_in(6)) s.set(state::ShaderChannelSelectRed, random.below(8));
    if (random.one_in(10)) s.set(state::MemoryCompressionEnable, 1);
    return s;
}

/// A message of a type the table has, most of its lengths right, addresses near the data or not.
inline Send random_message(Random& random) {
    const auto table = message_table();
    const MessageRow& row = table[random.below(table.size())];
    std::uint32_t descriptor = static_cast<std::uint32_t>(random.bits()) & 0x7FFFFFFF;
    if (!random.one_in(10))
        descriptor = (descriptor & ~(31u << 14)) | static_cast<std::uint32_t>(row.type) << 14;
    const std::uint8_t indices[] = {0, 1, 2, 3, 252, 253, 254, 255, 240};
    if (!random.one_in(10) && row.sfid != Sfid::DataPort2)
        descriptor = (descriptor & ~0xFFu) | (row.models == kA64 ? 255u : random.of(indices));
    if (row.header == Header::Required && !random.one_in(10)) descriptor |= 1u << 19;
    if (row.header == Header::Forbidden && !random.one_in(10)) descriptor &= ~(1u << 19);
    const std::uint32_t masks[] = {
        0xFFFF, 0x00FF, 0x0001, 0x8000, 0x0F0F, 0, static_cast<std::uint32_t>(random.bits())};
    Send send(row.sfid, descriptor, random.of(masks));
    Message& m = send.message;
    const bool any_response = random.one_in(3);
    m.response_length = static_cast<std::uint8_t>(any_response ? random.below(32) : 8);
    m.length = static_cast<std::uint8_t>(random.one_in(3) ? random.below(Message::kMaxPayload + 1)
                                                          : 12 + random.below(10));
    if (!any_response) test::fit_response(m);
    m.extended_descriptor = static_cast<std::uint32_t>(random.bits());
    if (random.one_in(2)) m.extended_descriptor &= 0x3FFF;
    m.system_routine = random.one_in(20);
    m.end_of_thread = random.one_in(50);
    for (Grf& grf : m.payload)
        for (unsigned i = 0; i < kGrfBytes; i += 4) {
            const std::uint64_t values[] = {
                random.below(64),
                random.below(4096),
                static_cast<std::uint32_t>(Bench::kData) + random.below(4096),
                0,
                0,
                random.bits()};
            store(grf.bytes + i, static_cast<std::uint32_t>(random.of(values)));
        }
    return send;
}

}  // namespace gen9::hdc::fuzz_test
