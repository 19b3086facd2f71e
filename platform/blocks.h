// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/environment.h"
#include "common/params.h"
#include "interconnect/clock.h"
#include "interconnect/sockets.h"

namespace gen9::memory {
class PhysicalMemory;
}

namespace gen9::l3 {
class Bank;
struct BankPorts;
struct BankSetup;
}  // namespace gen9::l3

namespace gen9::platform {

// Sockets as the platform binds them: a module of ours, of a plugin, or any other TLM-2.0 module
// may be at the other end.
using MemoryTarget = tlm::tlm_target_socket<32, MemoryProtocol>;
using MemoryInitiator = tlm::tlm_initiator_socket<32, MemoryProtocol>;
using MessageTarget = tlm::tlm_target_socket<32, MessageProtocol>;
using ResourceTarget = tlm::tlm_target_socket<32, ResourceProtocol>;

/// What stands in a place of the machine, whichever model of it: its sockets (in the interface of
/// its kind, below), and what the platform asks of it besides.
class Block {
  public:
    virtual ~Block() = default;
    /// Brings counters of cycles up to now.
    virtual void settle() {}
    /// Before the first cycle: the environment's mode may change.
    virtual void expect_changes() {}
    /// The mode has changed, while nothing was under way.
    virtual void change_timing() {}
    /// Who waits for what, one line each, for the report of a hang; empty: nobody.
    virtual std::string describe_waiting() const { return {}; }
    /// Has nothing to do and nothing in flight.
    virtual bool idle() const { return true; }
};

/// Shared local memory of a subslice: Lanes or plain accesses, addresses modulo
/// BlockPlace::slm_bytes.
class SlmBlock : public Block {
  public:
    virtual MemoryTarget& mem_in() = 0;
    /// Of the engine that saves it (slm/save_engine.h), if there is one.
    struct SaveSockets {
        MemoryTarget& control_in;
        MemoryInitiator& mem_out;
    };
    virtual std::optional<SaveSockets> save() { return {}; }
};
/// The command streamer's ALU and general purpose registers; cs/alu_module.h describes the socket.
class AluBlock : public Block {
  public:
    virtual MemoryTarget& op_in() = 0;
};
/// The resource streamer; interconnect/resource.h describes what it is asked.
class StreamerBlock : public Block {
  public:
    virtual ResourceTarget& request_in() = 0;
    virtual MemoryInitiator& fetch_out() = 0;
    virtual MemoryInitiator& mem_out() = 0;
};
/// Message gateway of a subslice.
class GatewayBlock : public Block {
  public:
    virtual MessageTarget& msg_in(unsigned eu) = 0;
    virtual MemoryTarget& reg_in() = 0;
};
/// A bank of L3: requests of at most a line, and Control. bank.h of l3/ says more.
class BankBlock : public Block {
  public:
    virtual MemoryTarget& mem_in() = 0;
    virtual MemoryInitiator& mem_out() = 0;
    /// The bank itself, if it is one whose cycles the L3 runs.
    virtual l3::Bank* own() { return nullptr; }
};
/// Last level cache: physical addresses.
class LlcBlock : public Block {
  public:
    virtual MemoryTarget& mem_in() = 0;
    virtual MemoryInitiator& mem_out() = 0;
};
/// System memory: physical addresses.
class DramBlock : public Block {
  public:
    virtual MemoryTarget& mem_in() = 0;
};

/// What a block is given when it is made.
struct BlockPlace {
    std::string name;  ///< within the module that is under construction
    Environment& env;
    const Clock& clock;
    unsigned eus = 0;                          ///< gateway: execution units of the subslice
    memory::PhysicalMemory* memory = nullptr;  ///< LLC and DRAM: where the bytes are
    const l3::BankSetup* bank = nullptr;       ///< L3 bank: what it shares with the others
    std::uint32_t slm_bytes = 64 * 1024;       ///< SLM: its size, a power of two
    bool saves = false;                        ///< SLM: a context switch may save it
};

/// The models there are of one kind of block, by name.
template <class Interface>
class Models {
  public:
    using Make = std::function<std::unique_ptr<Interface>(const BlockPlace&)>;

    explicit Models(const char* kind) : kind_(kind) {}
    /// Throws UserError when the name is taken.
    void add(const std::string& name, Make make) {
        for (const auto& [taken, _] : models_)
            if (taken == name)
                throw UserError("there is a model '" + name + "' of " + kind_ + " already");
        models_.emplace_back(name, std::move(make));
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& [name, _] : models_)
            all.push_back(name);
        return all;
    }
    /// `name` is one of names().
    std::unique_ptr<Interface> make(const std::string& name, const BlockPlace& place) const {
        for (const auto& [known, make] : models_)
            if (known == name) return make(place);
        throw UserError("there is no model '" + name + "' of " + kind_);
    }

  private:
    const char* kind_;
    std::vector<std::pair<std::string, Make>> models_;
};

/// Every model of every kind: those of gen9sim ("tlm", and with Verilator "rtl" and "both"), and
/// those that plugins add before a machine is built.
struct BlockModels {
    Models<SlmBlock> slm{"slm"};
    Models<AluBlock> alu{"cs.alu"};
    Models<StreamerBlock> streamer{"rs"};
    Models<GatewayBlock> gateway{"gateway"};
    Models<BankBlock> bank{"l3.bank"};
    Models<LlcBlock> llc{"llc"};
    Models<DramBlock> dram{"dram"};

    static BlockModels& all();
};

/// Which model stands in a place: the parameter `model` of the block's own path.
struct ModelChoice : ParamSet {
    ModelChoice(const Config& config, const std::string& path, std::vector<std::string> names)
        : ParamSet(config, path),
          model{*this,
                {"model", "", "Which model of the block stands here.", "Model: co-simulation"},
                "tlm",
                std::move(names)} {}
    ChoiceParam model;
};

/// A place of the machine and the block in it.
template <class Interface>
class Place {
  public:
    /// `parent` is the hierarchical name of the module that is under construction.
    Place(const Models<Interface>& models, const std::string& parent, const BlockPlace& place)
        : choice_(place.env.config, parent + "." + place.name, models.names()) {
        place.env.params.push_back(&choice_);
        block_ = models.make(choice_.model.get(), place);
    }
    Interface* operator->() { return block_.get(); }
    const Interface* operator->() const { return block_.get(); }

  private:
    ModelChoice choice_;
    std::unique_ptr<Interface> block_;
};

/// Makes the banks of the L3 whose path is `parent`, and puts them into `banks`.
std::function<l3::BankPorts(const char* name, const l3::BankSetup&)> banks_of(
    std::deque<Place<BankBlock>>& banks, const std::string& parent, Environment& env,
    const Clock& clock);

}  // namespace gen9::platform
