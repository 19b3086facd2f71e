// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/recording/recorded_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "common/check.h"

namespace gen9::platform {
namespace {

constexpr std::size_t kMaxSaid = 10;
constexpr Cycles kNext(1);
enum Kind : unsigned { kRead, kWrite, kLanes };
constexpr const char* kKindNames[] = {"read", "write", "lanes"};

std::string named(const char* kind, std::uint64_t address) {
    char text[64];
    std::snprintf(text, sizeof text, "%s of 0x%llx", kind,
                  static_cast<unsigned long long>(address));
    return text;
}

}  // namespace

RecordedMemory::RecordedMemory(sc_core::sc_module_name module_name, const Clock& clock,
                               RecordingFile& file)
    : sc_core::sc_module(module_name), clock_(clock), wakeup_(clock) {
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return begin(p, phase, delay);
    };
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) {
        const Entry entry = play(p);
        delay += clock_.time(entry.answered - entry.asked);
    };
    mem_in.on_debug = [](Payload& p) {
        if (p.is_read()) std::memset(p.get_data_ptr(), 0, p.get_data_length());
        return p.get_data_length();
    };
    wakeup_.runs<&RecordedMemory::respond>(this);
    read(file);
}

RecordedMemory::Key RecordedMemory::key_of(const Payload& payload) {
    const bool lanes = attributes_of(payload).operation == MemoryAttributes::Operation::Lanes;
    return {payload.get_address(), lanes ? kLanes : payload.is_write() ? kWrite : kRead};
}

void RecordedMemory::read(RecordingFile& file) {
    std::map<std::uint64_t, Entry> by_number;
    while (const auto record = file.next()) {
        if (const auto* access = std::get_if<recorded::Access>(&record->what)) {
            by_number[record->number].key = {access->address, access->write ? kWrite : kRead};
        } else if (const auto* lanes = std::get_if<recorded::Lanes>(&record->what)) {
            by_number[record->number].key = {lanes->address, kLanes};
        } else {
            const auto found = by_number.find(record->number);
            if (found == by_number.end())
                throw UserError("line " + std::to_string(record->line) +
                                ": an answer to no request");
            Entry& entry = found->second;
            if (const auto* answer = std::get_if<recorded::Answer>(&record->what)) {
                entry.answer = *answer;
                entry.answered = record->cycle;
                entry.has_answer = true;
            } else {
                entry.accepted = record->cycle;
            }
            continue;
        }
        Entry& entry = by_number[record->number];
        entry.line = record->line;
        entry.asked = entry.accepted = entry.answered = record->cycle;
    }
    for (auto& [number, entry] : by_number)
        recorded_[entry.key].push_back(std::move(entry));
}

RecordedMemory::Entry RecordedMemory::play(Payload& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    auto& waiting = recorded_[key_of(payload)];
    if (waiting.empty()) {
        ++wrong_;
        say("memory is asked for a " +
            named(kKindNames[key_of(payload).kind], payload.get_address()) + " at cycle " +
            std::to_string(clock_.now().value) + ", which is not in the recording");
        if (payload.is_read() && payload.get_data_ptr())
            std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
        return {};
    }
    Entry entry = std::move(waiting.front());
    waiting.pop_front();
    const std::vector<std::uint8_t>& data = entry.answer.data;
    if (auto* attributes = find_attributes(payload); key_of(payload).kind == kLanes)
        std::memcpy(attributes->lanes.result.data(), data.data(),
                    std::min(data.size(), sizeof attributes->lanes.result));
    else if (payload.is_read())
        std::memcpy(payload.get_data_ptr(), data.data(),
                    std::min<std::size_t>(data.size(), payload.get_data_length()));
    if (entry.has_answer && !entry.answer.ok)
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return entry;
}

tlm::tlm_sync_enum RecordedMemory::begin(Payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const Cycles arrival = clock_.after(delay);
    const Entry entry = play(payload);
    // One that was never answered never is.
    if (entry.has_answer || entry.line == 0) {
        const Due due{std::max(arrival + (entry.answered - entry.asked), clock_.now() + kNext),
                      &payload};
        due_.insert(std::upper_bound(due_.begin(), due_.end(), due,
                                     [](const Due& a, const Due& b) { return a.at < b.at; }),
                    due);
        wakeup_.at(std::max(due_.front().at - kNext, clock_.now() + kNext));
    }
    phase = tlm::END_REQ;
    delay = clock_.until(arrival + (entry.accepted - entry.asked));
    return tlm::TLM_UPDATED;
}

/// An answer is told in the cycle before it comes.
void RecordedMemory::respond() {
    const Cycles now = clock_.now();
    while (!due_.empty() && due_.front().at <= now + kNext) {
        const Due due = due_.front();
        due_.erase(due_.begin());
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = clock_.until(due.at);
        mem_in->nb_transport_bw(*due.payload, phase, delay);
    }
    if (!due_.empty()) wakeup_.at(due_.front().at - kNext);
}

const std::vector<std::string>& RecordedMemory::finish() {
    for (const auto& [key, entries] : recorded_)
        for (const Entry& entry : entries) {
            ++wrong_;
            say("memory was asked for a " + named(kKindNames[key.kind], key.address) + " (line " +
                std::to_string(entry.line) + " of its recording), and is not");
        }
    return said_;
}

void RecordedMemory::say(const std::string& text) {
    if (said_.size() < kMaxSaid) said_.push_back(text);
}

}  // namespace gen9::platform
