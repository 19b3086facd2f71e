// SPDX-License-Identifier: Apache-2.0
// Any message of motion estimation with any states: nothing crashes or reads beyond its pixels; what
// is refused says so once and returns zeros; and pixels that come line by line, as in timed mode,
// give the same answer as direct access, as in functional mode.
#include <array>
#include <memory>

#include "tests/fuzz/support/fuzz.h"
#include "tests/unit/vme/bench.h"

namespace {

using namespace gen9;
using namespace gen9::vme;
using namespace gen9::vme::test;
using fuzz::Random;

/// A legal message with some of its words, or its lengths and its descriptor, replaced.
Words random_message(Random& random) {
    const auto draw = [&](std::uint64_t n) { return random.below(n); };
    const unsigned type = draw(4), streams = draw(3);
    Words w(type, type == kSearch ? streams : 0, type == kSearch ? streams : 0);
    if (type == kSearch) {
        const Words plain = search(
            static_cast<int>(draw(70)), static_cast<int>(draw(70)), 20 + 4 * draw(12),
            20 + 4 * draw(12), static_cast<int>(draw(80)) - 40, static_cast<int>(draw(80)) - 40);
        for (unsigned i = 0; i < 6; ++i)
            w.message.payload[i] = plain.message.payload[i];
        if (streams == 2) w.set(0, 3, 10, 8, draw(2) ? 7 : 3);
        for (unsigned i = 6; i < 10; ++i)
            for (unsigned j = 0; j < 8; ++j)
                w.dword(i, j, draw(1ull << 32));
    }
    const unsigned changes = draw(12);
    for (unsigned i = 0; i < changes; ++i) {
        const unsigned phase = draw(8), index = draw(8);
        // Large windows and lengths are seldom legal at random: those words keep most of theirs.
        const bool few = draw(2) != 0;
        const unsigned bit = draw(32);
        if (few)
            w.set(phase, index, bit, bit, draw(2));
        else if (!(phase == 0 && (index == 3 || index == 5)) && !(phase == 1 && index == 2))
            w.dword(phase, index, draw(1ull << 32));
    }
    if (draw(20) == 0) w.message.descriptor ^= 1u << draw(29);
    if (draw(20) == 0) w.message.length = static_cast<std::uint8_t>(draw(16));
    if (draw(20) == 0) w.message.response_length = static_cast<std::uint8_t>(draw(20));
    return w;
}

void random_surfaces(Random& random, Bench& bench) {
    const auto draw = [&](std::uint64_t n) { return random.below(n); };
    bench.memory = {};
    for (unsigned index = 0; index < 34; ++index) {
        motion::Picture picture(1 + static_cast<int>(draw(80)), 1 + static_cast<int>(draw(80)));
        for (unsigned char& pixel : picture.pixels)
            pixel = static_cast<unsigned char>(draw(256));
        auto dwords = bench.memory.bind(index, picture, draw(3) ? 5 : 4);
        const unsigned changes = draw(3);
        for (unsigned i = 0; i < changes; ++i)
            dwords[draw(8)] ^= 1u << draw(32);
        // Addresses stay where the test has memory.
        state::SurfaceBaseAddress.set(dwords, state::SurfaceBaseAddress.get(dwords) & 0xFFFFF);
        bench.memory.put(index, dwords);
    }
    bench.core.invalidate_states();
}

std::uint64_t reports(const Bench& bench) {
    return bench.reporter.guest_errors() + bench.reporter.not_modelled_uses();
}

void one_case(std::uint64_t seed) {
    static const auto direct = std::make_unique<Bench>(), lines = std::make_unique<Bench>();
    for (Bench* const bench : {direct.get(), lines.get()}) {
        Random random(seed);
        random_surfaces(random, *bench);
    }
    for (unsigned n = 0; n < 8; ++n) {
        Random random(seed * 31 + n);
        Words a = random_message(random);
        Words b = a;
        const std::uint64_t before = reports(*direct);
        direct->run(a);
        const std::uint64_t more = reports(*direct) - before;
        lines->run_by_lines(b);
        const Message& m = a.message;
        if (m.status == MessageStatus::Pending) fuzz::broken(seed, "a message without a status");
        if (more != (m.status == MessageStatus::Ok ? 0u : 1u))
            fuzz::broken(seed, "not exactly one report: " + to_text(m));
        for (unsigned r = m.response_length; r < Message::kMaxResponse; ++r)
            if (m.response_enable[r]) fuzz::broken(seed, "a write back beyond the response");
        if (b.message.status != m.status)
            fuzz::broken(seed, "lines and direct access end differently");
        for (unsigned r = 0; r < m.response_length; ++r)
            if (std::memcmp(m.response[r].bytes, b.message.response[r].bytes, kGrfBytes) != 0)
                fuzz::broken(seed, "lines and direct access answer differently: " + to_text(m));
    }
}

}  // namespace

int main(int argc, char** argv) {
    return fuzz::run("motion estimation messages", fuzz::options(argc, argv, 300), one_case);
}
