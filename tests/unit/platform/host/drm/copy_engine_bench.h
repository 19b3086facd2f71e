// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platform/host/drm/copy_engine.h"

namespace gen9::drm {

/// Where the bench's memory lies.
inline constexpr std::uint64_t kBatch = 0x10'0000, kFrom = 0x100'0000, kTo = 0x200'0000;
inline constexpr std::uint32_t kEnd = 0x0500'0000;  ///< MI_BATCH_BUFFER_END

/// A copy engine, and the memory it works on: a batch, and two buffers of equal size.
struct CopyEngineBench {
    std::vector<std::uint8_t> batch, from, to;
    std::vector<std::string> said;
    static constexpr std::uint64_t kMaxSteps = 1 << 25;
    /// Steps that were told, and after how many the engine is to stop.
    std::uint64_t told = 0, stop_after = ~std::uint64_t{0};
    std::function<bool(const std::string&)> wait_for_host = [](auto&) { return false; };
    unsigned waited = 0;
    CopyEngine engine{
        {[this](std::uint64_t address) { return at(address); }, [] { return 4711u; },
         [this](std::uint64_t steps) { return (told += steps) < stop_after; }, kMaxSteps,
         [this](const std::string& what) { return wait_for_host(what); }, [this] { ++waited; }},
        [this](const std::string& text) { said.push_back(text); }};

    explicit CopyEngineBench(std::size_t bytes) : from(bytes), to(bytes) {}
    std::span<std::uint8_t> at(std::uint64_t address) {
        for (auto [base, bytes] : {std::pair{kBatch, &batch}, {kFrom, &from}, {kTo, &to}})
            if (address >= base && address - base < bytes->size())
                return std::span(*bytes).subspan(address - base);
        return {};
    }
    /// Runs commands as a batch, which it ends: to its end?
    bool run(std::vector<std::uint32_t> commands) {
        return end_of(std::move(commands)) == CopyEngine::End::Whole;
    }
    CopyEngine::End end_of(std::vector<std::uint32_t> commands) {
        commands.push_back(kEnd);
        batch.resize(commands.size() * 4);
        std::memcpy(batch.data(), commands.data(), batch.size());
        return engine.run(kBatch);
    }
};

/// A place in pixels, as commands have it.
constexpr std::uint32_t point(unsigned x, unsigned y) {
    return y << 16 | x;
}

}  // namespace gen9::drm
