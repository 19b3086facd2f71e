// SPDX-License-Identifier: Apache-2.0
#include "cs/alu_module.h"

#include "common/bits.h"

namespace gen9::cs {

AluModule::AluModule(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name),
      AluBlock(env),
      params(env.config, name()),
      signals(name()),
      clock_(clock) {
    enlist(env, params, signals);
    op_in.on_blocking = [this](Payload& payload, sc_core::sc_time& delay) {
        access(payload, delay);
    };
    op_in.on_debug = [this](Payload& payload) {
        sc_core::sc_time none;
        if (payload.get_address() == kAluInstruction) return 0u;
        access(payload, none);
        return payload.is_response_ok() ? 4u : 0u;
    };
}

AluModule::~AluModule() = default;

void AluModule::access(Payload& payload, sc_core::sc_time& delay) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const std::uint64_t address = payload.get_address();
    if (payload.get_data_length() != 4 || address % 4 != 0) return;
    unsigned char* const data = payload.get_data_ptr();
    const Cycles at = clock_.after(delay);
    if (address == kAluInstruction && payload.is_write()) {
        execute(payload, load<std::uint32_t>(data), at);
        delay += clock_.time(Cycles(params.cycles));
        return;
    }
    if (address < kAluGpr || address >= kAluGpr + 4 * AluUnit::kHalves) return;
    const auto half = static_cast<unsigned>((address - kAluGpr) / 4);
    if (payload.is_write()) {
        core_.write(half, load<std::uint32_t>(data));
        signals.gpr[half / 2].set(core_.gprs()[half / 2], at);
    } else {
        store(data, core_.read(half));
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void AluModule::execute(Payload& payload, std::uint32_t instruction, Cycles at) {
    const bool defined = core_.execute(instruction);
    payload.set_response_status(defined ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
    if (!signals.watched()) [[likely]]
        return;
    const Alu::State& alu = core_.state();
    signals.opcode.set(alu_word(instruction), at);
    signals.srca.set(alu.source_a, at);
    signals.srcb.set(alu.source_b, at);
    signals.accu.set(alu.accumulator, at);
    signals.zf.set(alu.zero, at);
    signals.cf.set(alu.carry, at);
    for (std::size_t n = 0; n < signals.gpr.size(); ++n)
        signals.gpr[n].set(core_.gprs()[n], at);
}

bool AluClient::transport(tlm::tlm_command command, std::uint64_t address, std::uint32_t& value,
                          sc_core::sc_time& delay) const {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload_.set_data_length(4);
    payload_.set_streaming_width(4);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    (*out_)->b_transport(payload_, delay);
    return payload_.is_response_ok();
}

bool AluClient::execute(std::uint32_t instruction) {
    known_ = 0;
    const sc_core::sc_time before = sc_core::sc_time_stamp() + *ahead_;
    const bool defined = transport(tlm::TLM_WRITE_COMMAND, kAluInstruction, instruction, *ahead_);
    spent_ += sc_core::sc_time_stamp() + *ahead_ - before;
    return defined;
}

std::uint32_t AluClient::read(unsigned half) const {
    const std::uint32_t bit = std::uint32_t{1} << half;
    if ((known_ & bit) && keeps()) return value_[half];
    std::uint32_t value = 0;
    sc_core::sc_time delay = *ahead_;
    const bool good = transport(tlm::TLM_READ_COMMAND, kAluGpr + 4 * half, value, delay);
    if (good) known_ |= bit;
    value_[half] = value;
    return value;
}

void AluClient::write(unsigned half, std::uint32_t value) {
    known_ &= ~(std::uint32_t{1} << half);
    sc_core::sc_time delay = *ahead_;
    transport(tlm::TLM_WRITE_COMMAND, kAluGpr + 4 * half, value, delay);
}

}  // namespace gen9::cs
