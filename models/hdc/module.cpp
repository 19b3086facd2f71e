// SPDX-License-Identifier: Apache-2.0
#include "hdc/module.h"

#include "common/bits.h"

namespace gen9::hdc {

namespace {

constexpr std::uint32_t kSlmEnable = 1;  ///< L3CNTLREG bit 0 (SLM-07)

}  // namespace

Hdc::Hdc(sc_core::sc_module_name module_name, Environment& env, const Clock& clock, unsigned eus,
         std::uint32_t slm_bytes)
    : sc_core::sc_module(module_name),
      HdcBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name(), eus),
      env_(env),
      clock_(clock),
      socket_memory_(env, mem_out, slm_out, slm_bytes),
      core_(env.reporter, stats, socket_memory_, params.local_thread_checking == "on", slm_bytes),
      functional_(socket_memory_),
      timed_(env, clock, params, stats, signals, core_, socket_memory_, msg_in, mem_out, slm_out,
             eus) {
    enlist(env, params, stats, signals);
    timed_.open([this](Message& message) { execute(message); });
    for (auto& socket : msg_in)
        socket.direct = &direct_.emplace_back(core_, functional_, typed_);
    control_in.takes({.invalidate_state = true, .invalidate_tlb = true, .settle = true},
                     [this](const MemoryAttributes& asked, sc_core::sc_time&) {
                         const CacheControl& control = asked.control;
                         // Whenever host pointers are not good any more, this says so to direct
                         // messages.
                         if (control.invalidate_state || control.invalidate_tlb) core_.invalidate();
                         if (control.invalidate_tlb) functional_.invalidate();
                         if (control.settle) wait_until_idle();
                     });
    reg_in.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        if (payload.is_write() && payload.get_data_length() == 4)
            set_slm_enabled(load<std::uint32_t>(payload.get_data_ptr()) & kSlmEnable);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) { invalidate(); };
    slm_out.on_invalidate = [this](std::uint64_t, std::uint64_t) {
        socket_memory_.forget_slm();
        core_.find_anew();
    };
    timed_.wakeup.runs<&Hdc::step>(this);
}

Hdc::~Hdc() = default;

void Hdc::step() {
    timed_.step();
    // What is said in a cycle is used in the next.
    if (settling_ && timed_.idle()) clock_.notify(settled_, clock_.now() + Cycles(1));
}

void Hdc::wait_until_idle() {
    settling_ = true;
    while (!timed_.idle())
        wait(settled_);
    settling_ = false;
}

void Hdc::execute(Message& message) {
    socket_memory_.works_for(message);
    core_.find(message, access_, watcher_ == nullptr ? kDirectForms : kPlanOnly);
    if (watcher_ != nullptr && access_.form == Access::Form::Planned) [[unlikely]]
        watcher_->accesses(message, access_.planned->plan, [&](std::uint8_t index) {
            return core_.surface_at(*message.sender, index);
        });
    if (!functional_.run(access_, message)) [[unlikely]] {
        core_.plan(message, access_);
        functional_.run(access_, message);
    }
    if (access_.form == Access::Form::Fence && access_.flushes) socket_memory_.flush_data(message);
}

void Hdc::watch(AccessWatcher& watcher) {
    watcher_ = &watcher;
    for (auto& socket : msg_in)
        socket.direct = nullptr;
}

void Hdc::invalidate() {
    functional_.invalidate();
    core_.invalidate();
}

}  // namespace gen9::hdc
