// SPDX-License-Identifier: Apache-2.0
#include "platform/device/gpu_device.h"

#include <boost/json.hpp>
#include <map>

#include "common/bits.h"
#include "interconnect/kernel/memory_transaction.h"
#include "platform/device/interrupts.h"
#include "platform/host/address_space.h"
#include "platform/machine/gpu.h"
#include "platform/machine/products/products.h"

namespace gen9 {

using platform::InterruptRegisters;

/// The machine behind the sockets; it is the target of bar_in.
struct GpuDevice::Parts : tlm::tlm_fw_transport_if<> {
    Parts(GpuDevice& device, const Options& options)
        : config(config_of(options)),
          env{config, reporter, stats, options.timed ? Timing::Timed : Timing::Functional},
          gpu("gpu", env, &device.mem_out) {
        config.check_all_used();
        reg_out.bind(gpu.cs->sockets().reg_in);
        gpu.cs->on_interrupt = [this](unsigned bit, const sc_core::sc_time& delay) {
            const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
            raised.emplace(at, bit);
            line_changes.notify(raised.begin()->first - sc_core::sc_time_stamp());
        };
    }
    static Config config_of(const Options& options) {
        Config config;
        apply(platform::find_product(options.product), config);
        for (const std::string& setting : options.settings)
            config.set_text(setting, "GpuDevice");
        return config;
    }

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
        access(payload, [this](auto command, std::uint64_t at, std::uint32_t& value) {
            one(command, at, value);
        });
    }
    // An access has ended when the call returns.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase == tlm::BEGIN_REQ) b_transport(payload, delay);
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
        access(payload, [this](auto command, std::uint64_t at, std::uint32_t& value) {
            if (command == tlm::TLM_READ_COMMAND) look(at, value);
        });
        return payload.is_response_ok() && payload.is_read() ? payload.get_data_length() : 0;
    }

    template <class Each>
    void access(tlm::tlm_generic_payload& payload, Each&& each);
    void one(tlm::tlm_command command, std::uint64_t at, std::uint32_t& value);
    void look(std::uint64_t at, std::uint32_t& value);
    void engine_register(tlm::tlm_command command, std::uint64_t at, std::uint32_t& value,
                         bool debug);
    std::uint32_t table_half(std::uint64_t at) const;

    Config config;
    Reporter reporter;
    StatRegistry stats;
    Environment env;
    platform::Gpu gpu;
    InitiatorSocket<MemoryProtocol> reg_out{"reg_out"};
    MemoryPool pool;
    TraceIds trace_ids{TraceSource::Host};
    InterruptRegisters interrupts;
    sc_core::sc_event line_changes;
    std::multimap<sc_core::sc_time, unsigned> raised;  ///< interrupts on their way
};

template <class Each>
void GpuDevice::Parts::access(tlm::tlm_generic_payload& payload, Each&& each) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    const auto refuse = [&](tlm::tlm_response_status status) {
        payload.set_response_status(status);
    };
    payload.set_dmi_allowed(false);
    if (payload.get_byte_enable_ptr()) return refuse(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (length == 0 || length % 4 != 0 || address % 4 != 0 ||
        payload.get_streaming_width() < length || payload.get_data_ptr() == nullptr)
        return refuse(tlm::TLM_BURST_ERROR_RESPONSE);
    const bool registers = address < kRegisterBytes && length <= kRegisterBytes - address;
    const bool table =
        address >= kTableOffset && address < kBarBytes && length <= kBarBytes - address;
    if (!registers && !table) return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (!payload.is_read() && !payload.is_write()) return refuse(tlm::TLM_COMMAND_ERROR_RESPONSE);
    for (unsigned done = 0; done < length; done += 4) {
        unsigned char* const bytes = payload.get_data_ptr() + done;
        auto value = load<std::uint32_t>(bytes);
        each(payload.get_command(), address + done, value);
        if (payload.is_read()) store(bytes, value);
    }
    refuse(tlm::TLM_OK_RESPONSE);
}

std::uint32_t GpuDevice::Parts::table_half(std::uint64_t at) const {
    const auto index = static_cast<std::uint32_t>((at - kTableOffset) / 8);
    return static_cast<std::uint32_t>(gpu.gti->read_gtt(index) >> 8 * (at % 8));
}

void GpuDevice::Parts::one(tlm::tlm_command command, std::uint64_t at, std::uint32_t& value) {
    const auto offset = static_cast<std::uint32_t>(at);
    const bool write = command == tlm::TLM_WRITE_COMMAND;
    if (at >= kTableOffset) {
        if (!write) return look(at, value);
        const auto index = static_cast<std::uint32_t>((at - kTableOffset) / 8);
        const auto shift = 8 * static_cast<unsigned>(at % 8);
        const std::uint64_t others =
            gpu.gti->read_gtt(index) & ~(std::uint64_t{0xFFFFFFFF} << shift);
        (void)gpu.gti->write_gtt(index, others | std::uint64_t{value} << shift);
    } else if (InterruptRegisters::owns(offset)) {
        if (!write) return look(at, value);
        interrupts.write(offset, value);
        line_changes.notify(sc_core::SC_ZERO_TIME);
    } else {
        engine_register(command, at, value, false);
    }
}

void GpuDevice::Parts::look(std::uint64_t at, std::uint32_t& value) {
    const auto offset = static_cast<std::uint32_t>(at);
    if (at >= kTableOffset)
        value = table_half(at);
    else if (InterruptRegisters::owns(offset))
        value = interrupts.read(offset);
    else
        engine_register(tlm::TLM_READ_COMMAND, at, value, true);
}

void GpuDevice::Parts::engine_register(tlm::tlm_command command, std::uint64_t at,
                                       std::uint32_t& value, bool debug) {
    MemoryTransaction* const transaction = pool.get();
    transaction->access(command, at, 4);
    transaction->attributes.requester = Requester::Host;
    transaction->attributes.trace_id = trace_ids.next();
    store(transaction->data, value);
    sc_core::sc_time delay;
    if (debug)
        reg_out->transport_dbg(*transaction);
    else
        reg_out->b_transport(*transaction, delay);
    value = load<std::uint32_t>(transaction->data);
    transaction->release();
}

GpuDevice::GpuDevice(sc_core::sc_module_name module_name, const Options& options)
    : sc_module(module_name), parts_(std::make_unique<Parts>(*this, options)) {
    bar_in.bind(*parts_);
    SC_HAS_PROCESS(GpuDevice);
    SC_METHOD(drive_interrupt);
    sensitive << parts_->line_changes;
}

GpuDevice::~GpuDevice() = default;

void GpuDevice::drive_interrupt() {
    Parts& p = *parts_;
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    while (!p.raised.empty() && p.raised.begin()->first <= now) {
        p.interrupts.raise(p.raised.begin()->second);
        p.raised.erase(p.raised.begin());
    }
    interrupt_out.write(p.interrupts.line());
    if (!p.raised.empty()) p.line_changes.notify(p.raised.begin()->first - now);
}

bool GpuDevice::idle() const {
    return parts_->gpu.cs->idle();
}
bool GpuDevice::failed() const {
    return parts_->reporter.failed();
}
std::string GpuDevice::describe_waiting() const {
    return parts_->gpu.describe_waiting();
}
std::string GpuDevice::statistics() {
    parts_->gpu.settle();
    return boost::json::serialize(parts_->stats.to_json());
}

}  // namespace gen9
