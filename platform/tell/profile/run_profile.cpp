// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/profile/run_profile.h"

#include <algorithm>
#include <boost/json.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "eu/interface.h"
#include "hdc/decode/message_table.h"
#include "interconnect/payload/work.h"
#include "isa/text/disassemble.h"
#include "sampler/message/message.h"

namespace gen9::platform {
namespace {

namespace json = boost::json;

/// By SendState.
constexpr const char* kSpawnerWords[] = {
    "idle",           "sending",         "front_end",    "wait_urb",       "wait_slot",
    "wait_registers", "wait_slm",        "wait_barrier", "wait_handshake", "wait_payload",
    "wait_drain",     "wait_scoreboard", "wait_spawn",   "wait_fence"};
static_assert(std::size(kSpawnerWords) == kSendStates);
constexpr const char* kUrbWords[] = {"write HWord", "write OWord", "read HWord",
                                     "read OWord",  "atomic mov",  "atomic inc",
                                     "atomic add",  "write SIMD8", "read SIMD8"};
constexpr std::uint32_t kGatewayEnd = 0, kGatewayTime = 3, kGatewayBarrier = 4;

/// Words of the statistics: small letters, no spaces.
std::string as_name(const char* words) {
    std::string name = words;
    std::ranges::replace(name, ' ', '_');
    return name;
}

template <class Counts, class Name>
json::object sparse(const Counts& counts, Name name) {
    json::object object;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] != 0) object[name(i)] = counts[i];
    return object;
}

json::object cycles_by_use(const eu::CyclesByUse& cycles) {
    return sparse(cycles, [](std::size_t i) { return as_name(eu::kCycleUseWords[i]); });
}

json::object to_json(const eu::WorkUse& use) {
    const auto unit = [](std::size_t i) { return eu::kIssueUnitWords[i]; };
    return {
        {"cycles", cycles_by_use(use.cycles)},
        {"issues", sparse(use.issues, unit)},
        {"unit_cycles", sparse(use.unit_cycles, unit)},
        {"classes", sparse(use.classes, [](std::size_t i) { return eu::kLatencyClassWords[i]; })},
        {"lanes_active", use.lanes_active},
        {"lanes_possible", use.lanes_possible}};
}

/// The name of a type of message (eu::MessageLatency::type_of).
std::string message_name(std::uint16_t type) {
    const auto sfid = static_cast<Sfid>(type >> 7);
    const unsigned code = type >> 1 & 31;
    const std::string other = std::string(to_text(sfid)) + " " + std::to_string(code);
    switch (port_of(static_cast<std::uint8_t>(sfid))) {
        case MessagePort::DataPort: {
            const hdc::MessageRow* const row = hdc::find_row(sfid, code << 14);
            return (row ? row->name : other) + std::string(type & 1 ? " SLM" : "");
        }
        case MessagePort::Sampler: {
            const sampler::MessageRow* const row = sampler::find_message(code);
            return row ? row->name : other;
        }
        case MessagePort::Gateway:
            if (code == kGatewayBarrier) return "barrier";
            if (code == kGatewayTime) return "timestamp";
            return code == kGatewayEnd ? "gateway end of thread" : other;
        case MessagePort::Urb:
            return code < std::size(kUrbWords) ? std::string("URB ") + kUrbWords[code] : other;
        case MessagePort::Vme: {
            // The code begins at the higher bit of the type; the function tells the rest.
            const bool high = code & 1;
            if (sfid == Sfid::CheckRefine) return high ? "FBR" : "SIC";
            return high ? "IME" : "IDM";
        }
        case MessagePort::Spawner:
            return "thread spawner";
        default:
            return other;
    }
}

json::object latencies(const eu::WorkUse& use) {
    json::object object;
    // By type: which EU's message of a cycle is answered first cannot be seen.
    std::vector<eu::MessageLatency> rows = use.latencies;
    std::ranges::sort(rows, {}, &eu::MessageLatency::type);
    // Types whose messages have one name are one entry.
    std::vector<std::pair<std::string, eu::MessageLatency>> named;
    for (const eu::MessageLatency& row : rows) {
        const std::string name = message_name(row.type);
        const auto known = std::ranges::find(named, name, [](const auto& n) { return n.first; });
        if (known == named.end()) {
            named.emplace_back(name, row);
            continue;
        }
        known->second.count += row.count;
        known->second.cycles += row.cycles;
        std::ranges::transform(known->second.bins, row.bins, known->second.bins.begin(),
                               std::plus<>());
    }
    for (const auto& [name, row] : named) {
        const auto last = std::find_if(row.bins.rbegin(), row.bins.rend(),
                                       [](std::uint64_t count) { return count != 0; });
        object[name] = {{"count", row.count},
                        {"cycles", row.cycles},
                        {"bins", json::array(row.bins.begin(), last.base())}};
    }
    return object;
}

json::object queues(const eu::WorkUse& use, std::uint64_t cycles) {
    json::object object;
    for (std::size_t port = 0; port < use.ports.size(); ++port) {
        if (use.ports[port].in_flight == 0 || cycles == 0) continue;
        const auto mean = [&](std::uint64_t message_cycles) {
            return static_cast<double>(message_cycles) / static_cast<double>(cycles);
        };
        object[as_name(kWordsOf<MessagePort>[port])] = {
            {"waiting", mean(use.ports[port].waiting)},
            {"in_flight", mean(use.ports[port].in_flight)}};
    }
    return object;
}

void add_to(json::object& instruction, const SourcePlace& place) {
    if (place.line == 0) return;
    if (!place.file.empty()) instruction["file"] = place.file;
    instruction["line"] = place.line;
    if (!place.text.empty()) instruction["source"] = place.text;
}

json::object occupancy(const WorkRecord& work, unsigned threads) {
    json::object spawner = sparse(work.sending, [](std::size_t i) { return kSpawnerWords[i]; });
    if (const std::uint64_t tail = (work.end - work.all_sent).value) spawner["tail"] = tail;
    return {{"thread_cycles", work.thread_cycles},
            {"possible", (work.end - work.begin).value * threads},
            {"spawner", std::move(spawner)}};
}

}  // namespace

void RunProfile::watch(sc_core::sc_object& machine) {
    if (auto* const eu = dynamic_cast<eu::EuBlock*>(&machine)) eu->profile(eus_);
    if (auto* const memory = dynamic_cast<AccessSource*>(&machine)) memory->accesses = this;
    for (sc_core::sc_object* part : machine.get_child_objects())
        watch(*part);
}

const MemoryUse& RunProfile::memory(std::uint32_t work) const {
    static const MemoryUse kNothing;
    return work < memory_.size() ? memory_[work] : kNothing;
}

void RunProfile::served(const Served& access) {
    // A walker's reads before it begins are told with the number that it will have.
    const std::uint32_t work = work_of(access.cause, begun_ + 1);
    if (work > begun_ || !counts_) return outside_.add(access);
    while (memory_.size() <= work)
        memory_.emplace_back();
    memory_[work].add(access);
}

void RunProfile::work_began(const WorkRecord& work) {
    begun_ = work.number + 1;
    if (!counts_) return;
    under_way_.push_back(work.number);
    if (under_way_.size() == 1) eus_.idle_belongs_to(work.number, work.begin);
}

void RunProfile::work_ended(const WorkRecord& work) {
    if (std::erase(under_way_, work.number) == 0) return;
    eus_.idle_belongs_to(under_way_.empty() ? eu::Profile::kNoWork : under_way_.front(), work.end);
}

void RunProfile::describe(const WorkRecord& work, unsigned threads, json::object& entry) const {
    static const eu::WorkUse kNothing;
    const auto& all = eus_.all_work();
    const eu::WorkUse& use = work.number < all.size() ? all[work.number] : kNothing;
    entry["eu"] = to_json(use);
    entry["occupancy"] = occupancy(work, threads);
    entry["memory"] = platform::to_json(memory(work.number));
    entry["latency"] = latencies(use);
    entry["queues"] = queues(use, (work.end - work.begin).value);
}

json::object RunProfile::outside() const {
    return {{"eu", to_json(eus_.outside())}, {"memory", platform::to_json(outside_)}};
}

json::array RunProfile::code(std::span<const WorkRecord> all_work, const json::array& entries,
                             const LaunchNames& names) const {
    // Kernels by what they are called and where they begin, in the order of their first launch.
    struct Kernel {
        json::object entry;
        std::uint64_t start = 0;
        json::array launches;
        const LaunchName* name = nullptr;
        std::vector<const eu::InstructionUse*> instructions;
    };
    std::vector<Kernel> kernels;
    std::map<std::string, std::size_t> by_key;
    std::map<std::uint32_t, std::size_t> by_work;
    std::vector<std::size_t> order(all_work.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return all_work[i].number; });
    for (const std::size_t i : order) {
        json::object known;
        for (const char* name : {"name", "program", "kernel_start", "simd_width"})
            if (const auto* value = entries[i].get_object().if_contains(name)) known[name] = *value;
        const auto [place, is_new] = by_key.try_emplace(json::serialize(known), kernels.size());
        if (is_new) {
            kernels.emplace_back().entry = std::move(known);
            kernels.back().start = all_work[i].kernel_start.value;
            kernels.back().name = names.of(all_work[i].number);
        }
        kernels[place->second].launches.emplace_back(all_work[i].number);
        by_work[all_work[i].number] = place->second;
    }
    for (const eu::InstructionUse& use : eus_.instructions())
        if (const auto kernel = by_work.find(use.work); kernel != by_work.end())
            kernels[kernel->second].instructions.push_back(&use);

    json::array code;
    for (Kernel& kernel : kernels) {
        std::ranges::stable_sort(kernel.instructions, {},
                                 [](const auto* use) { return use->address.value; });
        json::array instructions;
        for (const eu::InstructionUse* use : kernel.instructions) {
            const std::uint64_t offset = use->address.value - kernel.start;
            json::object& entry = instructions.emplace_back(json::object()).get_object();
            entry = {{"offset", static_cast<std::int64_t>(offset)},
                     {"text", use->known ? isa::disassemble(use->instruction, use->ip) : ""},
                     {"executions", use->executions},
                     {"lanes_active", use->lanes_active},
                     {"lanes_possible", use->lanes_possible},
                     {"cycles", cycles_by_use(use->cycles)}};
            if (kernel.name && kernel.name->source) add_to(entry, kernel.name->source(offset));
        }
        kernel.entry["launches"] = std::move(kernel.launches);
        kernel.entry["instructions"] = std::move(instructions);
        code.push_back(std::move(kernel.entry));
    }
    return code;
}

}  // namespace gen9::platform
