// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <boost/json/object.hpp>
#include <cstdint>

#include "common/enum_words.h"
#include "interconnect/observe/access_observer.h"

namespace gen9::platform {

/// The statistics name these clients of memory.
enum class MemoryClient : std::uint8_t {
    DataPort,
    Sampler,
    Constant,
    Instruction,
    State,
    Urb,
    Other
};
constexpr const char* to_text(MemoryClient client) {
    switch (client) {
        case MemoryClient::DataPort:
            return "data_port";
        case MemoryClient::Sampler:
            return "sampler";
        case MemoryClient::Constant:
            return "constant";
        case MemoryClient::Instruction:
            return "instruction";
        case MemoryClient::State:
            return "state";
        case MemoryClient::Urb:
            return "urb";
        case MemoryClient::Other:
            return "other";
    }
    return nullptr;
}
inline constexpr std::size_t kMemoryClients = count_of<MemoryClient>();

/// Accesses of memory on behalf of one walker, or of none.
struct MemoryUse {
    struct Level {
        std::uint64_t accesses = 0, hits = 0, bytes = 0;
    };
    struct Traffic {
        std::uint64_t read_bytes = 0, written_bytes = 0;
    };
    static constexpr std::size_t kLevels = 4;  ///< those of MemoryLevel that clients are told of
    std::array<std::array<Level, kLevels>, kMemoryClients> clients{};
    Level slm;
    std::uint64_t slm_conflict_cycles = 0, slm_atomics = 0, l3_atomics = 0;
    Traffic gti, dram;

    void add(const AccessObserver::Served& access);
    /// Over all clients.
    Level at(MemoryLevel level) const;
};

boost::json::object to_json(const MemoryUse& use);

}  // namespace gen9::platform
