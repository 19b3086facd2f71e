// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/beside.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gen9::platform {
namespace {

std::string hex(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

const LaneAccess* lanes_of(const tlm::tlm_generic_payload& payload) {
    const auto& attributes = attributes_of(payload);
    return attributes.operation == MemoryAttributes::Operation::Lanes ? &attributes.lanes : nullptr;
}

}  // namespace

std::string transaction_text(const tlm::tlm_generic_payload& payload) {
    const auto& attributes = attributes_of(payload);
    std::string text = "id " + hex(attributes.trace_id) + ", address " + hex(payload.get_address());
    if (const LaneAccess* lanes = lanes_of(payload)) {
        static const char* const kKinds[] = {"read", "write", "atomic"};
        text += std::string(", ") + kKinds[static_cast<unsigned>(lanes->kind)];
        if (lanes->kind == LaneAccess::Kind::Atomic)
            text += " operation " + std::to_string(static_cast<unsigned>(lanes->op));
        text += ", " + std::to_string(lanes->count) + " lanes of " +
                std::to_string(lanes->width_bytes) + " bytes at";
        for (unsigned lane = 0; lane < lanes->count; ++lane)
            text.append(1, ' ').append(hex(lanes->offset[lane]));
    } else {
        text += payload.is_read() ? ", read of " : ", write of ";
        text += std::to_string(payload.get_data_length()) + " bytes";
    }
    return text;
}

Beside::Beside(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name), env_(env), clock_(clock), responses_(mem_in, clock, 1) {
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return send(p, phase, delay);
    };
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return debug(p); };
    model_out.on_backward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return came_back(kModel, p, phase, delay);
    };
    rtl_out.on_backward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return came_back(kRtl, p, phase, delay);
    };
}

MemoryTransaction* Beside::copy_of(const Payload& payload) {
    MemoryTransaction* const copy = pool_.get();
    const unsigned length = std::min<unsigned>(payload.get_data_length(), kLineBytes);
    copy->access(payload.get_command(), payload.get_address(), length);
    if (payload.get_data_ptr() != nullptr && length != 0)
        std::memcpy(copy->data, payload.get_data_ptr(), length);
    if (payload.get_byte_enable_ptr() != nullptr) {
        copy->set_byte_enable_ptr(copy->enables);
        copy->set_byte_enable_length(payload.get_byte_enable_length());
        std::memcpy(copy->enables, payload.get_byte_enable_ptr(),
                    std::min<unsigned>(payload.get_byte_enable_length(), kLineBytes));
    }
    copy->attributes.copy_from(attributes_of(payload));
    return copy;
}

/// A sender that sends once more has been told that its last request was taken: by both?
void Beside::ask_last(Cycles now) {
    const auto last = under_way_.find(sent_);
    if (last == under_way_.end()) return;
    const Transaction& transaction = last->second;
    if (transaction.accepted[kRtl] || transaction.answer[kRtl]) return;
    stop(transaction,
         "the model has taken it, the RTL has not at cycle " + std::to_string(now.value));
}

tlm::tlm_sync_enum Beside::send(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return responses_.begin(payload, phase, delay, Cycles());
    if (!stopped_) ask_last(clock_.now());
    if (stopped_) return model_out->nb_transport_fw(payload, phase, delay);
    const std::uint64_t number = ++sent_;
    Transaction& transaction = under_way_[number];
    transaction.number = number;
    transaction.original = &payload;
    transaction.copy = copy_of(payload);
    transaction.text = transaction_text(payload);
    numbers_[&payload] = number;
    numbers_[transaction.copy] = number;

    tlm::tlm_phase rtl_phase = phase;
    sc_core::sc_time rtl_delay = delay;
    returned(transaction, kRtl, rtl_out->nb_transport_fw(*transaction.copy, rtl_phase, rtl_delay),
             *transaction.copy, rtl_phase, rtl_delay);
    const auto answer = model_out->nb_transport_fw(payload, phase, delay);
    returned(transaction, kModel, answer, payload, phase, delay);
    return answer;
}

void Beside::returned(Transaction& transaction, Side side, tlm::tlm_sync_enum answer,
                      const Payload& payload, tlm::tlm_phase phase, const sc_core::sc_time& delay) {
    const Cycles at = clock_.after(delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP))
        answered(transaction, side, payload, at);
    else if (answer == tlm::TLM_UPDATED)
        accepted(transaction, side, at);
}

tlm::tlm_sync_enum Beside::came_back(Side side, Payload& payload, tlm::tlm_phase& phase,
                                     const sc_core::sc_time& delay) {
    const Cycles at = clock_.after(delay);
    if (const auto known = numbers_.find(&payload); known != numbers_.end()) {
        Transaction& transaction = under_way_.at(known->second);
        if (phase == tlm::END_REQ)
            accepted(transaction, side, at);
        else
            answered(transaction, side, payload, at);
    } else {
        GEN9_CHECK(stopped_, std::string(name()) + ": an answer nobody asked for");
    }
    if (side == kRtl) return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    if (phase == tlm::BEGIN_RESP) {
        responses_.respond(payload, at);
        return tlm::TLM_COMPLETED;
    }
    sc_core::sc_time passed = delay;
    return mem_in->nb_transport_bw(payload, phase, passed);
}

void Beside::accepted(Transaction& transaction, Side side, Cycles at) {
    transaction.accepted[side] = at;
    const auto& [model, rtl] = transaction.accepted;
    if (model && rtl && *model != *rtl)
        stop(transaction, "the model takes it at cycle " + std::to_string(model->value) +
                              ", the RTL at cycle " + std::to_string(rtl->value));
}

Beside::Answer Beside::answer_of(const Payload& payload, Cycles at) const {
    Answer answer;
    answer.at = at;
    answer.status = payload.get_response_status();
    if (const LaneAccess* lanes = lanes_of(payload)) {
        if (lanes->kind != LaneAccess::Kind::Write) answer.lanes = lanes->result;
    } else if (payload.is_read()) {
        std::memcpy(answer.data.data(), payload.get_data_ptr(),
                    std::min<unsigned>(payload.get_data_length(), kLineBytes));
    }
    return answer;
}

void Beside::answered(Transaction& transaction, Side side, const Payload& payload, Cycles at) {
    transaction.answer[side] = answer_of(payload, at);
    numbers_.erase(&payload);
    const auto& [model, rtl] = transaction.answer;
    if (!model || !rtl) return;
    const std::string differs = difference(transaction, *model, *rtl);
    if (differs.empty())
        ++agreed_;
    else
        stop(transaction, differs);
    transaction.copy->release();
    under_way_.erase(transaction.number);
}

std::string Beside::difference(const Transaction& transaction, const Answer& model,
                               const Answer& rtl) const {
    if (model.at != rtl.at)
        return "the model answers at cycle " + std::to_string(model.at.value) +
               ", the RTL at cycle " + std::to_string(rtl.at.value);
    if (model.status != rtl.status) return "the response status differs";
    if (const LaneAccess* lanes = lanes_of(*transaction.copy)) {
        for (unsigned lane = 0; lane < lanes->count; ++lane)
            if (model.lanes[lane] != rtl.lanes[lane])
                return "lane " + std::to_string(lane) + " is " + hex(model.lanes[lane]) +
                       " in the model, " + hex(rtl.lanes[lane]) + " in the RTL";
        return {};
    }
    for (std::size_t i = 0; i < model.data.size(); ++i)
        if (model.data[i] != rtl.data[i])
            return "byte " + std::to_string(i) + " is " + hex(model.data[i]) + " in the model, " +
                   hex(rtl.data[i]) + " in the RTL";
    return {};
}

void Beside::stop(const Transaction& transaction, const std::string& difference) {
    stopped_ = true;
    env_.stop(std::string(name()) + ": model and RTL differ in transaction " +
              std::to_string(transaction.number) + ": " + difference + " (" + transaction.text +
              ")");
}

void Beside::blocking(Payload& payload, sc_core::sc_time& delay) {
    Transaction transaction;
    transaction.number = ++sent_;
    transaction.copy = copy_of(payload);
    transaction.text = transaction_text(payload);
    const Cycles now = clock_.now();
    sc_core::sc_time model_delay = delay, rtl_delay = delay;
    rtl_out->b_transport(*transaction.copy, rtl_delay);
    model_out->b_transport(payload, model_delay);
    const Answer model = answer_of(payload, now + clock_.cycles(model_delay));
    const Answer rtl = answer_of(*transaction.copy, now + clock_.cycles(rtl_delay));
    const std::string differs = difference(transaction, model, rtl);
    if (differs.empty())
        ++agreed_;
    else
        stop(transaction, differs);
    transaction.copy->release();
    delay = model_delay;
}

unsigned Beside::debug(Payload& payload) {
    const unsigned length = model_out->transport_dbg(payload);
    if (payload.is_write()) {
        rtl_out->transport_dbg(payload);
    } else if (payload.is_read() && length <= kLineBytes) {
        Transaction transaction;
        transaction.number = ++sent_;
        transaction.copy = copy_of(payload);
        transaction.text = "debug, " + transaction_text(payload);
        rtl_out->transport_dbg(*transaction.copy);
        const std::string differs = difference(transaction, answer_of(payload, Cycles()),
                                               answer_of(*transaction.copy, Cycles()));
        if (!differs.empty()) stop(transaction, differs);
        transaction.copy->release();
    }
    return length;
}

}  // namespace gen9::platform
