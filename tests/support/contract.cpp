// SPDX-License-Identifier: Apache-2.0
#include "tests/support/contract.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"

namespace gen9::test {
namespace {

constexpr unsigned kShare = kLineBytes / 4;  // of a line, owned by one initiator

}  // namespace

bool Findings::has(const std::string& sentence) const {
    return std::find(sentences.begin(), sentences.end(), sentence) != sentences.end();
}

std::string Findings::text() const {
    std::string text = std::to_string(sentences.size()) + " findings";
    for (std::size_t i = 0; i < std::min<std::size_t>(sentences.size(), 5); ++i)
        text += "; " + sentences[i];
    return text;
}

MemoryContract::MemoryContract(sc_core::sc_module_name name, const Clock& clock,
                               const MemoryTraffic& traffic, std::uint32_t seed)
    : sc_core::sc_module(name), clock_(clock), traffic_(traffic), wakeup_(clock), gaps_(seed) {
    for (unsigned i = 0; i < traffic.initiators; ++i) {
        initiators_.emplace_back().random.seed(seed + 1 + i);
        auto& socket = mem_out.emplace_back(("mem_out" + std::to_string(i)).c_str());
        socket.on_backward = [this, i](auto& payload, auto& phase, auto&) {
            return backward(i, payload, phase);
        };
    }
    SC_HAS_PROCESS(MemoryContract);
    SC_METHOD(process);
    sensitive << wakeup_.event;
    dont_initialize();
}

void MemoryContract::begin() {
    reference_ = memory();
}

std::size_t MemoryContract::sent() const {
    std::size_t sent = 0;
    for (const Initiator& initiator : initiators_)
        sent += initiator.requests.size() - (initiator.next != nullptr);
    return sent;
}

std::vector<std::uint8_t> MemoryContract::memory() {
    std::vector<std::uint8_t> bytes(traffic_.bytes);
    MemoryTransaction line{nullptr};
    line.attributes.space = traffic_.space;
    for (std::uint64_t offset = 0; offset < traffic_.bytes; offset += kLineBytes) {
        line.access(tlm::TLM_READ_COMMAND, traffic_.base + offset, kLineBytes);
        findings.check(mem_out[0]->transport_dbg(line) == kLineBytes, rule::kState);
        std::memcpy(&bytes[offset], line.data, kLineBytes);
    }
    return bytes;
}

// --- What is sent

MemoryContract::Request& MemoryContract::make(Initiator& initiator, unsigned index) {
    Request& request = initiator.requests.emplace_back();
    MemoryTransaction& t = *(request.transaction = initiator.next = pool_.get());
    const auto draw = [&](std::uint64_t n) {
        return static_cast<unsigned>(initiator.random() % n);
    };
    const std::uint64_t line = traffic_.base + draw(traffic_.bytes / kLineBytes) * kLineBytes;
    t.attributes.space = traffic_.space;
    const unsigned kind = traffic_.whole_line_reads ? 0 : draw(4);
    if (kind == 3) {
        make_lanes(initiator, request, line + index * kShare);
        return request;
    }
    const unsigned first = traffic_.whole_line_reads ? 0 : draw(kShare);
    const unsigned size = traffic_.whole_line_reads ? kLineBytes : 1 + draw(kShare - first);
    const std::uint64_t address = line + (traffic_.whole_line_reads ? 0 : index * kShare + first);
    if (kind == 0) {
        t.access(tlm::TLM_READ_COMMAND, address, size);
        std::memset(t.data, 0xA5, kLineBytes);
        std::memcpy(request.data.data(), at(address), size);
        return request;
    }
    t.access(tlm::TLM_WRITE_COMMAND, address, size);
    const std::uint64_t mask = kind == 1 ? ~0ull : initiator.random();
    t.enable_bytes(mask, size);
    for (unsigned i = 0; i < size; ++i) {
        t.data[i] = static_cast<std::uint8_t>(draw(256));
        if (mask >> i & 1) at(address)[i] = t.data[i];
    }
    return request;
}

void MemoryContract::make_lanes(Initiator& initiator, Request& request, std::uint64_t address) {
    const auto draw = [&](std::uint64_t n) {
        return static_cast<unsigned>(initiator.random() % n);
    };
    MemoryTransaction& t = *request.transaction;
    t.access(tlm::TLM_READ_COMMAND, address, kLineBytes);
    t.attributes.operation = MemoryAttributes::Operation::Lanes;
    LaneAccess& lanes = t.attributes.lanes;
    lanes.kind = LaneAccess::Kind::Atomic;
    if (traffic_.lane_accesses) lanes.kind = static_cast<LaneAccess::Kind>(draw(3));
    lanes.op = AtomicOp::Add;
    lanes.width_bytes = 4;
    lanes.count = static_cast<std::uint8_t>(1 + draw(LaneAccess::kMaxLanes));
    for (unsigned i = 0; i < lanes.count; ++i) {
        lanes.offset[i] = draw(kShare / 4) * 4;
        lanes.source0[i] = draw(1u << 31);
        std::uint8_t* const place = at(address + lanes.offset[i]);
        const auto old = load<std::uint32_t>(place),
                   source = static_cast<std::uint32_t>(lanes.source0[i]);
        request.result[i] = old;
        if (lanes.kind == LaneAccess::Kind::Atomic) store(place, old + source);
        if (lanes.kind == LaneAccess::Kind::Write) store(place, source);
    }
}

void MemoryContract::run_blocking() {
    for (unsigned n = 0; n < traffic_.requests; ++n)
        for (unsigned i = 0; i < mem_out.size(); ++i) {
            Request& request = make(initiators_[i], i);
            initiators_[i].next = nullptr;
            sc_core::sc_time delay;
            mem_out[i]->b_transport(*request.transaction, delay);
            request.ends = 1;
            answer(initiators_[i], request);
        }
}

void MemoryContract::process() {
    for (unsigned i = 0; i < mem_out.size(); ++i) {
        Initiator& initiator = initiators_[i];
        if (!initiator.next && initiator.requests.size() < traffic_.requests) make(initiator, i);
        if (initiator.next && gaps_() % 8 && may_send(initiator)) send(i);
    }
    if (sent() < std::size_t{traffic_.requests} * mem_out.size())
        wakeup_.at(clock_.now() + Cycles(1));
}

bool MemoryContract::may_send(Initiator& initiator) const {
    const std::size_t before = initiator.requests.size() - 1;
    if (initiator.unended || before - initiator.answered >= traffic_.window) return false;
    if (traffic_.keeps_order) return true;
    const std::uint64_t line = initiator.next->get_address() / kLineBytes;
    while (initiator.settled < before && initiator.requests[initiator.settled].answers)
        ++initiator.settled;
    return std::all_of(initiator.requests.begin() + static_cast<std::ptrdiff_t>(initiator.settled),
                       initiator.requests.end() - 1, [&](const Request& r) {
                           return r.answers || r.transaction->get_address() / kLineBytes != line;
                       });
}

// --- What comes back

void MemoryContract::send(unsigned index) {
    Initiator& initiator = initiators_[index];
    Request& request = initiator.requests.back();
    initiator.next = nullptr;
    initiator.unended = &request;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const auto answer_now = mem_out[index]->nb_transport_fw(*request.transaction, phase, delay);
    if (answer_now == tlm::TLM_COMPLETED) {
        answer(initiator, request);
    } else if (answer_now == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
        ended(initiator, request);
    } else if (answer_now == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        answer(initiator, request);
        phase = tlm::END_RESP;
        mem_out[index]->nb_transport_fw(*request.transaction, phase, delay);
    } else {
        findings.check(answer_now == tlm::TLM_ACCEPTED, rule::kPhase);
        held_ += request.ends == 0;
    }
}

MemoryContract::Request* MemoryContract::find(Initiator& initiator,
                                              const tlm::tlm_generic_payload& payload) {
    for (Request& request : initiator.requests)
        if (request.transaction == &payload && &payload != initiator.next) return &request;
    findings.check(false, rule::kKnown);
    return nullptr;
}

tlm::tlm_sync_enum MemoryContract::backward(unsigned index, tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase) {
    Initiator& initiator = initiators_[index];
    findings.check(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, rule::kPhase);
    Request* const request = find(initiator, payload);
    if (phase != tlm::BEGIN_RESP) {
        if (request) ended(initiator, *request);
        return tlm::TLM_ACCEPTED;
    }
    if (request) answer(initiator, *request);
    return tlm::TLM_COMPLETED;
}

void MemoryContract::ended(Initiator& initiator, Request& request) {
    findings.check(++request.ends == 1 && request.answers == 0, rule::kEndedOnce);
    if (initiator.unended == &request) initiator.unended = nullptr;
}

void MemoryContract::answer(Initiator& initiator, Request& request) {
    // Base protocol: an answer that comes first ends its request too.
    if (initiator.unended == &request) initiator.unended = nullptr;
    findings.check(++request.answers == 1, rule::kAnsweredOnce);
    if (request.answers != 1) return;
    ++answered_;
    ++initiator.answered;
    const MemoryTransaction& t = *request.transaction;
    findings.check(t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, rule::kStatus);
    const LaneAccess& lanes = t.attributes.lanes;
    if (t.attributes.operation == MemoryAttributes::Operation::Lanes)
        findings.check(lanes.kind == LaneAccess::Kind::Write ||
                           std::equal(lanes.result.begin(), lanes.result.begin() + lanes.count,
                                      request.result.begin()),
                       rule::kData);
    else if (t.is_read())
        findings.check(std::memcmp(t.data, request.data.data(), t.get_data_length()) == 0,
                       rule::kData);
}

void MemoryContract::end() {
    std::size_t unanswered = 0;
    for (Initiator& initiator : initiators_)
        for (Request& request : initiator.requests) {
            unanswered += request.answers == 0;
            if (request.answers) request.transaction->release();
        }
    findings.check(unanswered == 0 && finished(), rule::kNothingLost);
    findings.check(pool_.in_flight() == unanswered, rule::kReturned);
    findings.check(memory() == reference_, rule::kState);
}

}  // namespace gen9::test
