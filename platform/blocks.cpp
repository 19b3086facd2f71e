// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks.h"

#include "cs/alu_module.h"
#include "gateway/module.h"
#include "l3/module.h"
#include "memory/dram.h"
#include "memory/llc.h"
#include "platform/cosim/rtl_models.h"
#include "platform/passage.h"
#include "rs/module.h"
#include "slm/module.h"

namespace gen9::platform {
namespace {

// The transaction-level models, as blocks.

struct TlmSlm : SlmBlock {
    explicit TlmSlm(const BlockPlace& at)
        : slm(at.name.c_str(), at.env, at.clock, at.saves, at.slm_bytes) {}
    MemoryTarget& mem_in() override { return slm.mem_in; }
    std::optional<SaveSockets> save() override {
        if (!slm.save_engine) return {};
        return SaveSockets{slm.save_engine->control_in, slm.save_engine->mem_out};
    }
    void settle() override { slm.settle(); }
    slm::Slm slm;
};

struct TlmAlu : AluBlock {
    explicit TlmAlu(const BlockPlace& at) : alu(at.name.c_str(), at.env, at.clock) {}
    MemoryTarget& op_in() override { return alu.op_in; }
    cs::AluModule alu;
};

struct TlmStreamer : StreamerBlock {
    explicit TlmStreamer(const BlockPlace& at) : rs(at.name.c_str(), at.env, at.clock) {}
    ResourceTarget& request_in() override { return rs.request_in; }
    MemoryInitiator& fetch_out() override { return rs.fetch_out; }
    MemoryInitiator& mem_out() override { return rs.mem_out; }
    void settle() override { rs.settle(); }
    std::string describe_waiting() const override { return rs.describe_waiting(); }
    bool idle() const override { return rs.idle(); }
    rs::ResourceStreamer rs;
};

struct TlmGateway : GatewayBlock {
    explicit TlmGateway(const BlockPlace& at)
        : gateway(at.name.c_str(), at.env, at.clock, at.eus) {}
    MessageTarget& msg_in(unsigned eu) override { return *gateway.msg_in[eu]; }
    MemoryTarget& reg_in() override { return gateway.reg_in; }
    void settle() override { gateway.settle(); }
    std::string describe_waiting() const override { return gateway.describe_waiting(); }
    gateway::Gateway gateway;
};

struct TlmBank : BankBlock {
    explicit TlmBank(const BlockPlace& at) : bank(at.name.c_str(), at.env, at.clock, *at.bank) {}
    MemoryTarget& mem_in() override { return bank.mem_in; }
    MemoryInitiator& mem_out() override { return bank.mem_out; }
    l3::Bank* own() override { return &bank; }
    bool idle() const override { return bank.idle(); }
    l3::Bank bank;
};

/// Of what keeps nothing: a machine without this cache.
template <class Interface>
struct None : Interface {
    explicit None(const BlockPlace& at) : passage(at.name.c_str(), at.env, at.clock) {}
    MemoryTarget& mem_in() override { return passage.mem_in; }
    MemoryInitiator& mem_out() override { return passage.mem_out; }
    bool idle() const override { return passage.idle(); }
    Passage passage;
};

struct TlmLlc : LlcBlock {
    explicit TlmLlc(const BlockPlace& at) : llc(at.name.c_str(), at.env, at.clock, *at.memory) {}
    MemoryTarget& mem_in() override { return llc.mem_in; }
    MemoryInitiator& mem_out() override { return llc.mem_out; }
    bool idle() const override { return llc.in_flight() == 0; }
    void settle() override { llc.settle(); }
    void expect_changes() override { llc.expect_changes(); }
    void change_timing() override { llc.change_timing(); }
    memory::Llc llc;
};

struct TlmDram : DramBlock {
    explicit TlmDram(const BlockPlace& at) : dram(at.name.c_str(), at.env, at.clock, *at.memory) {}
    MemoryTarget& mem_in() override { return dram.mem_in; }
    void settle() override { dram.settle(); }
    memory::Dram dram;
};

template <class Model, class Interface>
void add(Models<Interface>& models, const char* name) {
    models.add(name, [](const BlockPlace& place) { return std::make_unique<Model>(place); });
}

}  // namespace

BlockModels& BlockModels::all() {
    static BlockModels models = [] {
        BlockModels built_in;
        add<TlmSlm>(built_in.slm, "tlm");
        add<TlmAlu>(built_in.alu, "tlm");
        add<TlmStreamer>(built_in.streamer, "tlm");
        add<TlmGateway>(built_in.gateway, "tlm");
        add<TlmBank>(built_in.bank, "tlm");
        add<None<BankBlock>>(built_in.bank, "none");
        add<TlmLlc>(built_in.llc, "tlm");
        add<None<LlcBlock>>(built_in.llc, "none");
        add<TlmDram>(built_in.dram, "tlm");
        add_rtl_models(built_in);
        return built_in;
    }();
    return models;
}

l3::MakeBank banks_of(std::deque<Place<BankBlock>>& banks, const std::string& parent,
                      Environment& env, const Clock& clock) {
    return [&banks, parent, &env, &clock](const char* name, const l3::BankSetup& setup) {
        BlockPlace place{name, env, clock};
        place.bank = &setup;
        auto& bank = banks.emplace_back(BlockModels::all().bank, parent, place);
        return l3::BankPorts{bank->mem_in(), bank->mem_out(), bank->own()};
    };
}

}  // namespace gen9::platform
