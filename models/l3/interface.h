// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::l3 {

class Bank;
struct L3Params;

struct BankSockets {
    AnyTarget<MemoryProtocol>& mem_in;      ///< requests of at most a line, and Control
    AnyInitiator<MemoryProtocol>& mem_out;  ///< to memory
};
/// A bank shares this with those beside it.
struct BankSetup {
    const L3Params& params;
    unsigned banks;      ///< of the whole L3
    bool alone = false;  ///< there is no L3 around it
};
/// A bank of L3; bank.h says more.
class BankBlock : public BlockWith<BankSockets, BankSetup> {
  public:
    /// The bank itself, if it is one whose cycles the L3 runs.
    virtual Bank* own() { return nullptr; }

  protected:
    using BlockWith::BlockWith;
};

/// A bank as the front sees it: its sockets, and the bank itself if it is of this model.
struct BankPorts {
    AnyTarget<MemoryProtocol>& in;
    AnyInitiator<MemoryProtocol>& out;
    Bank* own = nullptr;
};
/// Makes the bank of a name within the module that is under construction.
using MakeBank = std::function<BankPorts(const char* name, const BankSetup& setup)>;

struct L3Sockets {
    std::vector<AnyTarget<MemoryProtocol>*> mem_in;  ///< by client
    AnyTarget<MemoryProtocol>& control_in;
    AnyTarget<MemoryProtocol>& reg_in;
    AnyTarget<MemoryProtocol>& snoop_in;
    std::vector<AnyInitiator<MemoryProtocol>*> mem_out;  ///< by bank, the bank's own
};
struct L3Setup {
    unsigned clients, banks;
    unsigned nodes = 1;    ///< the slices, each with the same share of the banks
    MakeBank make_bank{};  ///< none: the banks are of this model
    unsigned savers = 0;   ///< the last clients, so many, are engines that save SLM
};

/// The front of the banks: clients, flushes, registers, the URB's bytes.
class L3Block : public BlockWith<L3Sockets, L3Setup> {
  public:
    /// Can the mode change while the machine runs?
    virtual bool can_change_timing() const = 0;

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::l3
