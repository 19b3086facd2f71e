// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "tests/unit/vme/messages.h"
#include "vme/core.h"

namespace gen9::vme::test {

/// The core with memory behind it. What it looks at is counted by line.
struct Bench : surface::StateReader, PixelMemory {
    PictureMemoryBytes memory;
    Reporter reporter;
    VmeStats stats{"vme"};
    Core core{reporter, stats, *this};
    std::unique_ptr<Request> request = std::make_unique<Request>();
    Effort effort;
    std::uint64_t pixel_reads = 0;

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
        ++pixel_reads;
        if (address + kLineBytes > memory.bytes.size())
            memory.bytes.resize(address + kLineBytes);
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
