// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/rtl_models.h"

#include "cs/alu_module.h"
#include "memory/perform.h"
#include "platform/blocks.h"
#include "platform/cosim/alu_rtl.h"
#include "platform/cosim/axi_bridge.h"
#include "platform/cosim/axi_memory_rtl.h"
#include "platform/cosim/beside.h"
#include "platform/cosim/slm_rtl.h"
#include "slm/module.h"

namespace gen9::platform {
namespace {

/// The place, if the RTL fits it: it has the machine's 64 KB.
const BlockPlace& of_64_kb(const BlockPlace& at, const slm::SlmSetup& setup) {
    if (setup.bytes != 64 * 1024)
        throw UserError("gpu.slm_kb: the RTL of slm has 64 KB, and no more");
    return at;
}

struct BothSlm : SlmBlock {
    explicit BothSlm(const BlockPlace& at)
        : SlmBlock(at.env), pair(at.name.c_str(), at.env, at.clock) {}
    slm::SlmSockets sockets() override { return {pair.beside.mem_in}; }
    bool idle() const override { return pair.beside.idle() && pair.rtl.idle(); }
    SideBySide<slm::Slm, &slm::Slm::mem_in, SlmRtl, &SlmRtl::mem_in> pair;
};

struct BothAlu : AluBlock {
    explicit BothAlu(const BlockPlace& at)
        : AluBlock(at.env), pair(at.name.c_str(), at.env, at.clock) {}
    cs::AluSockets sockets() override { return {pair.beside.mem_in}; }
    SideBySide<cs::AluModule, &cs::AluModule::op_in, AluRtl, &AluRtl::op_in> pair;
};

}  // namespace

void add_rtl_models(BlockModels& models) {
    models.slm.add("rtl", [](const BlockPlace& at, const slm::SlmSetup& setup) {
        return std::make_unique<SlmRtl>(of_64_kb(at, setup).name.c_str(), at.env, at.clock);
    });
    models.slm.add("both", [](const BlockPlace& at, const slm::SlmSetup& setup) {
        return std::make_unique<BothSlm>(of_64_kb(at, setup));
    });
    models.alu.add("rtl", [](const BlockPlace& at, const NoSetup&) {
        return std::make_unique<AluRtl>(at.name.c_str(), at.env, at.clock);
    });
    models.alu.add(
        "both", [](const BlockPlace& at, const NoSetup&) { return std::make_unique<BothAlu>(at); });
    // A memory controller as RTL, behind the AXI bridge.
    models.dram.add("rtl", [](const BlockPlace& at, const memory::MemorySetup& setup) {
        return std::make_unique<AxiBridge>(
            at.name.c_str(), at.env, at.clock, std::make_unique<AxiMemoryRtl>(setup.memory),
            [memory = &setup.memory](tlm::tlm_generic_payload& payload) {
                return memory::perform_debug(*memory, payload);
            });
    });
}

}  // namespace gen9::platform
