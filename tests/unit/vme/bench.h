// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "tests/unit/vme/messages.h"
#include "vme/core.h"

namespace gen9::vme::test {

/// The core with memory behind it.
struct Bench : surface::StateReader, PixelMemory {
    PictureMemoryBytes memory;
    Reporter reporter;
    VmeStats stats{"vme"};
    Core core{reporter, stats, *this};
    std::unique_ptr<Request> request = std::make_unique<Request>();
    Effort effort;

    Bench() {
        reporter.log = [](const std::string&) {};
    }
    Bench(const motion::Picture& source, const motion::Picture& reference) : Bench() {
        memory.bind(0, source);
        memory.bind(1, reference);
    }
    Bench(const motion::Picture& source, const motion::Picture& forward,
          const motion::Picture& backward)
        : Bench(source, forward) {
        memory.bind(2, backward);
    }

    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t) override {
        if (address.value + size > memory.bytes.size()) return false;
        std::memcpy(bytes, memory.bytes.data() + address.value, size);
        return true;
    }
    const std::uint8_t* pixels(std::uint64_t address) override {
        // As much memory as a test has; addresses beyond it come round.
        constexpr std::uint64_t kMost = 4 << 20;
        address %= kMost;
        if (address + kLineBytes > memory.bytes.size()) memory.bytes.resize(kMost + kLineBytes);
        return memory.bytes.data() + address;
    }
    /// As functional mode does.
    Words& run(Words& words) {
        Message& m = words.get();
        if (!core.begin(m, *request)) return words;
        Core::fill(*request, *this);
        effort = core.finish(m, *request);
        return words;
    }
    Words run(Words&& words) { return run(words); }
    /// As timed mode does: by lines.
    Words& run_by_lines(Words& words) {
        Message& m = words.get();
        if (!core.begin(m, *request)) return words;
        Core::list_lines(*request);
        for (std::size_t i = 0; i < request->lines.size(); ++i)
            request->lines.deliver(i, pixels(request->lines.address(i)));
        Core::fill_from_lines(*request);
        effort = core.finish(m, *request);
        return words;
    }
    /// What was reported last.
    std::string report() const {
        return reporter.entries().empty() ? "" : reporter.entries().back().text;
    }
};

}  // namespace gen9::vme::test
