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
const BlockPlace& of_64_kb(const BlockPlace& at) {
    if (at.slm_bytes != 64 * 1024)
        throw UserError("gpu.slm_kb: the RTL of slm has 64 KB, and no more");
    return at;
}

struct RtlSlm : SlmBlock {
    explicit RtlSlm(const BlockPlace& at) : slm(of_64_kb(at).name.c_str(), at.env, at.clock) {}
    MemoryTarget& mem_in() override { return slm.mem_in; }
    bool idle() const override { return slm.idle(); }
    SlmRtl slm;
};

struct BothSlm : SlmBlock {
    explicit BothSlm(const BlockPlace& at) : pair(of_64_kb(at).name.c_str(), at.env, at.clock) {}
    MemoryTarget& mem_in() override { return pair.beside.mem_in; }
    void settle() override { pair.tlm.settle(); }
    bool idle() const override { return pair.beside.idle() && pair.rtl.idle(); }
    SideBySide<slm::Slm, &slm::Slm::mem_in, SlmRtl, &SlmRtl::mem_in> pair;
};

struct RtlAlu : AluBlock {
    explicit RtlAlu(const BlockPlace& at) : alu(at.name.c_str(), at.env, at.clock) {}
    MemoryTarget& op_in() override { return alu.op_in; }
    AluRtl alu;
};
struct BothAlu : AluBlock {
    explicit BothAlu(const BlockPlace& at) : pair(at.name.c_str(), at.env, at.clock) {}
    MemoryTarget& op_in() override { return pair.beside.mem_in; }
    SideBySide<cs::AluModule, &cs::AluModule::op_in, AluRtl, &AluRtl::op_in> pair;
};

/// A memory controller as RTL, behind the AXI bridge.
struct RtlDram : DramBlock {
    explicit RtlDram(const BlockPlace& at)
        : bridge(at.name.c_str(), at.env, at.clock, std::make_unique<AxiMemoryRtl>(*at.memory),
                 [memory = at.memory](tlm::tlm_generic_payload& payload) {
                     return memory::perform_debug(*memory, payload);
                 }) {}
    MemoryTarget& mem_in() override { return bridge.mem_in; }
    bool idle() const override { return bridge.idle(); }
    AxiBridge bridge;
};

}  // namespace

void add_rtl_models(BlockModels& models) {
    models.slm.add("rtl", [](const BlockPlace& at) { return std::make_unique<RtlSlm>(at); });
    models.slm.add("both", [](const BlockPlace& at) { return std::make_unique<BothSlm>(at); });
    models.alu.add("rtl", [](const BlockPlace& at) { return std::make_unique<RtlAlu>(at); });
    models.alu.add("both", [](const BlockPlace& at) { return std::make_unique<BothAlu>(at); });
    models.dram.add("rtl", [](const BlockPlace& at) { return std::make_unique<RtlDram>(at); });
}

}  // namespace gen9::platform
