// SPDX-License-Identifier: Apache-2.0
// Nothing a program sends may crash the port or reach outside the model's memory.
#include <gtest/gtest.h>

#include <random>

#include "hdc/access/requests.h"
#include "tests/support/sample.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

using test::Bench;
using test::Send;
using test::SurfaceBits;

TEST(Harmless, AnyMessageWithAnyPayloadOnAnySurface) {
    Bench b;
    RequestList requests;
    std::mt19937 random(2024);
    const Sfid ports[] = {Sfid::DataPort0, Sfid::DataPort1, Sfid::DataPort2, Sfid::ConstantCache};
    for (unsigned n = 0; n < gen9::test::rounds(200000); ++n) {
        if (n % 50 == 0) {
            SurfaceBits surface;
            for (auto& dword : surface.dwords)
                dword = static_cast<std::uint32_t>(random());
            // Half of them well formed enough to be used: small, near the data, a format of the
            // table.
            if (random() % 2) {
                namespace state = packets::render_surface_state;
                surface = SurfaceBits::image(random() % 8, random() % 2 ? 0x0C7 : random() % 0x150,
                                             Bench::kData, 1 + random() % 64, 1 + random() % 64,
                                             1 + random() % 8, 1 + random() % 512);
                surface.set(state::TileMode, random() % 4).set(state::SurfaceArray, random() % 2);
                surface.set(state::ShaderChannelSelectRed, random() % 8);
            }
            b.bind(random() % 4, surface);
        }
        Send send(ports[random() % 4], static_cast<std::uint32_t>(random()) & 0x7FFFFFFF,
                  static_cast<std::uint32_t>(random()));
        if (random() % 2)
            send.message.descriptor = (send.message.descriptor & ~0xFFu) | random() % 4;
        send.message.length = static_cast<std::uint8_t>(random() % (Message::kMaxPayload + 1));
        if (random() % 4) test::fit_response(send.message);
        for (Grf& grf : send.message.payload)
            for (unsigned i = 0; i < kGrfBytes; i += 4)
                store(grf.bytes + i,
                      static_cast<std::uint32_t>(random() % 3 ? random() % 256 : random()));
        b.sender.slm_base = static_cast<std::uint32_t>(random() % 64) * 1024;
        b.kept.clear();
        const Send& done = b.run(send);
        EXPECT_NE(done.message.status, MessageStatus::Pending);
        if (done.message.status == MessageStatus::Ok && done.message.execution_mask)
            requests.build(b.plan);
        if (n % 1000 == 0) b.reporter = Reporter();
        b.reporter.log = [](const std::string&) {};
    }
}

}  // namespace
}  // namespace gen9::hdc
