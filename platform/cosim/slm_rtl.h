// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "interconnect/memory_port.h"
#include "slm/params.h"

class Vgen9_slm;
class VerilatedContext;

namespace gen9::platform {

/// SlmRtl: the shared local memory of a subslice as RTL (rtl/gen9_slm.sv), between a TLM socket and
/// its pins.
/// Role     gives requests to the pins in the clock of their arrival, tells END_REQ when `served`
///          gives a place back and BEGIN_RESP in the clock of `read_valid` or `write_valid`; gives
///          a clock edge to the RTL in each cycle in which it has something to do
/// Sockets  mem_in  target  base protocol  Lanes, addresses modulo 64 KB; as slm::Slm
/// Params   those of slm::Slm; `latency` is a strap of the RTL
/// Not here accesses without Lanes and lanes of 16 bytes: nobody sends them to local memory; they
///          are answered with an error
class SlmRtl : public sc_core::sc_module {
  public:
    slm::SlmParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    slm::SlmStats stats;

    SlmRtl(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~SlmRtl() override;
    bool idle() const;
    /// The pins as they stand, for the report of an RTL that does not answer.
    std::string pins_text() const;

  private:
    using Payload = tlm::tlm_generic_payload;
    void process();
    /// Puts a request on the pins, or takes it from them.
    void offer(Payload& payload);
    /// One rising edge, and the pins after it.
    void edge();
    /// Ends the requests whose responses stand on the pins; `blocking`: of a blocking call.
    void answer(bool blocking);
    void finish(unsigned id, bool read, bool blocking);
    void blocking(Payload& payload, sc_core::sc_time& delay);
    unsigned debug(Payload& payload);
    bool fits(const Payload& payload) const;
    void count(const Payload& payload);

    Environment& env_;
    const Clock& clock_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vgen9_slm> pins_;
    RequestQueue queue_;
    Wakeup wakeup_;
    std::size_t given_ = 0;            ///< of the queue's requests, to the pins
    std::vector<Payload*> in_flight_;  ///< by id; null: free
    std::vector<unsigned> free_ids_;
    std::size_t answers_ = 0;  ///< responses the pins owe
    Cycles last_answer_;       ///< cycle in which the pins last did anything
};

}  // namespace gen9::platform
