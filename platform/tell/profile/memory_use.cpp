// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/profile/memory_use.h"

#include <boost/json.hpp>
#include <iterator>

namespace gen9::platform {
namespace {

constexpr const char* kLevelWords[] = {"cache", "l3", "llc", "dram"};
static_assert(std::size(kLevelWords) == MemoryUse::kLevels);

MemoryClient client_of(Requester requester) {
    switch (requester) {
        case Requester::DataPort:
            return MemoryClient::DataPort;
        case Requester::Sampler:
            return MemoryClient::Sampler;
        case Requester::ConstantCache:
            return MemoryClient::Constant;
        case Requester::InstructionCache:
            return MemoryClient::Instruction;
        case Requester::StateCache:
            return MemoryClient::State;
        case Requester::Urb:
            return MemoryClient::Urb;
        case Requester::CommandStreamer:
        case Requester::Host:
        case Requester::ResourceStreamer:
        case Requester::RenderTarget:
        case Requester::RenderControl:
        case Requester::Depth:
        case Requester::Stencil:
        case Requester::VertexFetch:
            break;
    }
    return MemoryClient::Other;
}

}  // namespace

void MemoryUse::add(const AccessObserver::Served& access) {
    const auto count = [&](Level& level) {
        ++level.accesses;
        level.hits += access.hit;
        level.bytes += access.bytes;
    };
    const auto pass = [&](Traffic& traffic) {
        (access.write ? traffic.written_bytes : traffic.read_bytes) += access.bytes;
    };
    switch (access.level) {
        case MemoryLevel::Slm:
            count(slm);
            slm_conflict_cycles += access.extra_cycles;
            slm_atomics += access.atomics;
            return;
        case MemoryLevel::Gti:
            return pass(gti);
        case MemoryLevel::Dram:
            pass(dram);
            break;
        case MemoryLevel::L3:
            l3_atomics += access.atomics;
            break;
        case MemoryLevel::Cache:
        case MemoryLevel::Llc:
            break;
    }
    count(clients[static_cast<std::size_t>(client_of(access.requester))]
                 [static_cast<std::size_t>(access.level)]);
}

MemoryUse::Level MemoryUse::at(MemoryLevel level) const {
    Level sum;
    for (const auto& client : clients) {
        const Level& part = client[static_cast<std::size_t>(level)];
        sum.accesses += part.accesses;
        sum.hits += part.hits;
        sum.bytes += part.bytes;
    }
    return sum;
}

boost::json::object to_json(const MemoryUse& use) {
    boost::json::object clients;
    for (std::size_t client = 0; client < kMemoryClients; ++client) {
        boost::json::object levels;
        for (std::size_t i = 0; i < MemoryUse::kLevels; ++i) {
            const MemoryUse::Level& level = use.clients[client][i];
            if (level.accesses == 0) continue;
            boost::json::object entry = {{"accesses", level.accesses}};
            if (static_cast<MemoryLevel>(i) != MemoryLevel::Dram) entry["hits"] = level.hits;
            entry["bytes"] = level.bytes;
            levels[kLevelWords[i]] = std::move(entry);
        }
        if (!levels.empty()) clients[kWordsOf<MemoryClient>[client]] = std::move(levels);
    }
    const auto traffic = [](const MemoryUse::Traffic& of) {
        return boost::json::object{{"read_bytes", of.read_bytes},
                                   {"written_bytes", of.written_bytes}};
    };
    return {{"clients", std::move(clients)},
            {"slm",
             {{"accesses", use.slm.accesses},
              {"bytes", use.slm.bytes},
              {"conflict_cycles", use.slm_conflict_cycles}}},
            {"gti", traffic(use.gti)},
            {"dram", traffic(use.dram)},
            {"atomics", {{"slm", use.slm_atomics}, {"l3", use.l3_atomics}}}};
}

}  // namespace gen9::platform
