// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/alu_rtl.h"

#include "platform/cosim/verilated_model.h"

#include <cstdio>

#include "Vgen9_cs_alu.h"
#include "common/bits.h"
#include "cs/alu_module.h"

namespace gen9::platform {
namespace {

/// Edges after which an instruction must be done.
constexpr unsigned kLimit = 64;

}  // namespace

AluRtl::AluRtl(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name),
      AluBlock(env),
      signals(name()),
      env_(env),
      clock_(clock),
      context_(new_context()),
      pins_(std::make_unique<Vgen9_cs_alu>(context_.get())) {
    enlist(env, signals);
    op_in.on_blocking = [this](Payload& payload, sc_core::sc_time& delay) {
        access(payload, delay);
    };
    op_in.on_debug = [this](Payload& payload) {
        sc_core::sc_time none;
        if (payload.get_address() == cs::kAluInstruction) return 0u;
        access(payload, none);
        return payload.is_response_ok() ? 4u : 0u;
    };
    pins_->instruction_valid = 0;
    pins_->register_write = 0;
    pins_->reset_n = 0;
    edge();
    pins_->reset_n = 1;
    pins_->eval();
}

AluRtl::~AluRtl() {
    end_model(*context_, pins_);
}

void AluRtl::edge() {
    pins_->clk = 0;
    pins_->eval();
    pins_->clk = 1;
    pins_->eval();
}

void AluRtl::access(Payload& payload, sc_core::sc_time& delay) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const std::uint64_t address = payload.get_address();
    if (payload.get_data_length() != 4 || address % 4 != 0) return;
    unsigned char* const data = payload.get_data_ptr();
    if (address == cs::kAluInstruction && payload.is_write())
        return execute(payload, load<std::uint32_t>(data), delay);
    if (address < cs::kAluGpr || address >= cs::kAluGpr + 4 * cs::AluUnit::kHalves) return;
    pins_->register_index = static_cast<CData>((address - cs::kAluGpr) / 4);
    if (payload.is_write()) {
        pins_->register_value = load<std::uint32_t>(data);
        pins_->register_write = 1;
        edge();
        pins_->register_write = 0;
    }
    pins_->eval();
    if (payload.is_read()) store<std::uint32_t>(data, pins_->register_read);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void AluRtl::execute(Payload& payload, std::uint32_t instruction, sc_core::sc_time& delay) {
    pins_->instruction = instruction;
    pins_->instruction_valid = 1;
    pins_->eval();
    const Cycles at = clock_.after(delay);
    unsigned edges = 0;
    bool done = false;
    while (!done && edges < kLimit) {
        const bool taken = pins_->instruction_valid && pins_->instruction_ready;
        edge();
        ++edges;
        if (taken) pins_->instruction_valid = 0;
        done = pins_->done_valid;
    }
    pins_->instruction_valid = 0;
    pins_->eval();
    delay += clock_.time(Cycles(edges));
    if (!done) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return env_.stop(std::string(name()) + ": the RTL has not answered for " +
                         std::to_string(kLimit) + " cycles: " + pins_text());
    }
    payload.set_response_status(pins_->done_undefined ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                      : tlm::TLM_OK_RESPONSE);
    if (signals.watched()) [[unlikely]]
        show(at);
}

void AluRtl::show(Cycles at) {
    signals.instruction_valid.pulse(at, at + Cycles(1));
    signals.instruction.set(pins_->instruction, at);
    signals.source_a.set(pins_->source_a, at);
    signals.source_b.set(pins_->source_b, at);
    signals.accumulator.set(pins_->accumulator, at);
    signals.zero_flag.set(unsigned{pins_->zero_flag}, at);
    signals.carry_flag.set(unsigned{pins_->carry_flag}, at);
}

std::string AluRtl::pins_text() const {
    char text[256];
    std::snprintf(text, sizeof text,
                  "reset_n %u, instruction_valid %u, instruction_ready %u, instruction 0x%08x, "
                  "done_valid %u, done_undefined %u, register_write %u, register_index %u",
                  pins_->reset_n, pins_->instruction_valid, pins_->instruction_ready,
                  pins_->instruction, pins_->done_valid, pins_->done_undefined,
                  pins_->register_write, pins_->register_index);
    return text;
}

}  // namespace gen9::platform
