// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/axi_memory_rtl.h"

#include "platform/cosim/verilated_model.h"

#include <svdpi.h>

#include <array>
#include <cstring>
#include <vector>

#include "Vgen9_axi_memory.h"
#include "common/check.h"
#include "memory/physical_memory.h"

namespace gen9::platform {
namespace {

/// The memories that controllers have as their devices, by their strap `unit`.
std::vector<memory::PhysicalMemory*>& devices() {
    static std::vector<memory::PhysicalMemory*> all;
    return all;
}

memory::PhysicalMemory& device(int unit) {
    return *devices().at(static_cast<std::size_t>(unit));
}

}  // namespace

AxiMemoryRtl::AxiMemoryRtl(memory::PhysicalMemory& memory)
    : context_(new_context()), rtl_(std::make_unique<Vgen9_axi_memory>(context_.get())) {
    rtl_->unit = static_cast<IData>(devices().size());
    devices().push_back(&memory);
    rtl_->reset_n = 0;
    clock();
    rtl_->reset_n = 1;
    rtl_->eval();
}

AxiMemoryRtl::~AxiMemoryRtl() {
    devices().at(rtl_->unit) = nullptr;
    end_model(*context_, rtl_);
}

void AxiMemoryRtl::clock() {
    rtl_->clk = 0;
    rtl_->eval();
    rtl_->clk = 1;
    rtl_->eval();
}

void AxiMemoryRtl::edge(AxiPins& pins) {
    rtl_->awvalid = pins.awvalid;
    rtl_->awaddr = pins.awaddr;
    rtl_->awid = pins.awid;
    rtl_->awlen = pins.awlen;
    rtl_->wvalid = pins.wvalid;
    rtl_->wlast = pins.wlast;
    rtl_->wstrb = pins.wstrb;
    std::memcpy(&rtl_->wdata[0], pins.wdata.data(), AxiPins::kBeatBytes);
    rtl_->bready = pins.bready;
    rtl_->arvalid = pins.arvalid;
    rtl_->araddr = pins.araddr;
    rtl_->arid = pins.arid;
    rtl_->arlen = pins.arlen;
    rtl_->rready = pins.rready;
    clock();
    pins.awready = rtl_->awready;
    pins.wready = rtl_->wready;
    pins.arready = rtl_->arready;
    pins.bvalid = rtl_->bvalid;
    pins.bid = rtl_->bid;
    pins.bresp = rtl_->bresp;
    pins.rvalid = rtl_->rvalid;
    pins.rid = rtl_->rid;
    pins.rresp = rtl_->rresp;
    pins.rlast = rtl_->rlast;
    std::memcpy(pins.rdata.data(), &rtl_->rdata[0], AxiPins::kBeatBytes);
}

}  // namespace gen9::platform

extern "C" void gen9_axi_read(int unit, long long address, svBitVecVal* data) {
    std::array<std::uint8_t, gen9::platform::AxiPins::kBeatBytes> bytes{};
    (void)gen9::platform::device(unit).read(gen9::PhysAddr(static_cast<std::uint64_t>(address)),
                                            bytes);
    std::memcpy(data, bytes.data(), bytes.size());
}

extern "C" void gen9_axi_write(int unit, long long address, const svBitVecVal* data,
                               const svBitVecVal* strobes) {
    std::array<std::uint8_t, gen9::platform::AxiPins::kBeatBytes> bytes{};
    std::memcpy(bytes.data(), data, bytes.size());
    const gen9::PhysAddr at(static_cast<std::uint64_t>(address));
    for (unsigned i = 0; i < bytes.size(); ++i)
        if (strobes[0] >> i & 1) (void)gen9::platform::device(unit).write(at + i, {&bytes[i], 1});
}
