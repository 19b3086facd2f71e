// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "common/signals.h"
#include "interconnect/kernel/memory_port.h"
#include "slm/interface.h"
#include "slm/params.h"

class Vgen9_slm;
class VerilatedContext;

namespace gen9::platform {

struct SlmRtlSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal request_valid{*this, "request_valid", "As sampled by the edge that begins the cycle."};
    Signal request_ready{*this, "request_ready", "A request is taken at the next edge."};
    Signal request_id{*this, "request_id", 12, SignalForm::Decimal, "As sampled; of the pins."};
    Signal request_kind{*this, "request_kind", 2, SignalForm::Decimal, "As sampled."};
    Signal trace_id{*this, "trace_id", 64, SignalForm::Hex, "Trace id of the request sampled."};
    Signal waiting{*this, "waiting", 4, SignalForm::Decimal, "Requests in the queue."};
    Signal served{*this, "served", 2, SignalForm::Decimal, "Requests served by the last edge."};
    Signal reading{*this, "reading", "The read pipe is occupied."};
    Signal writing{*this, "writing", "The write pipe is occupied."};
    Signal read_valid{*this, "read_valid", "A response of the read pipe."};
    Signal read_id{*this, "read_id", 12, SignalForm::Decimal, "Its request."};
    Signal read_result{*this, "read_result", 64, SignalForm::Hex, "Its lane 0."};
    Signal write_valid{*this, "write_valid", "A response of the write pipe."};
    Signal write_id{*this, "write_id", 12, SignalForm::Decimal, "Its request."};
};

/// SlmRtl: the shared local memory of a subslice as RTL (rtl/gen9_slm.sv), between a TLM socket and
/// its pins.
/// Role     gives requests to the pins in the clock of their arrival, tells END_REQ when `served`
///          gives a place back and BEGIN_RESP in the clock of `read_valid` or `write_valid`; gives
///          a clock edge to the RTL in each cycle in which it has something to do
/// Sockets  mem_in  target  base protocol  Lanes, addresses modulo 64 KB; as slm::Slm
/// Params   those of slm::Slm; `latency` is a strap of the RTL
/// Not here lanes of 16 bytes and runs of more than 64: nobody sends them to local memory; they are
///          answered with an error
class SlmRtl : public sc_core::sc_module, public slm::SlmBlock {
  public:
    slm::SlmParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    slm::SlmStats stats;
    SlmRtlSignals signals;

    SlmRtl(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~SlmRtl() override;
    slm::SlmSockets sockets() override { return {mem_in}; }
    bool idle() const override;
    /// The pins as they stand, for the report of an RTL that does not answer.
    std::string pins_text() const;

  private:
    using Payload = tlm::tlm_generic_payload;
    void process();
    /// Puts a request on the pins.
    void offer(Payload& payload);
    void offer_lane(unsigned lane, std::uint64_t address, std::uint64_t source0,
                    std::uint64_t source1, unsigned enable);
    void offer_run(const Payload& payload);
    /// One rising edge, and the pins after it.
    void edge();
    void show(Cycles now);
    /// Ends the requests whose responses stand on the pins; `blocking`: of a blocking call.
    /// A request has begun to occupy its pipes.
    void started(Payload& payload);
    void answer(bool blocking);
    void finish(unsigned id, bool read, bool blocking);
    void take_result(Payload& payload) const;
    void blocking(Payload& payload, sc_core::sc_time& delay);
    unsigned debug(Payload& payload);
    std::uint64_t limit() const;
    void not_answered();
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
    bool began_read_ = false, began_write_ = false;  ///< in this clock, on a pipe
    bool write_is_atomic_ = false;                   ///< what occupies the write pipe
    std::size_t answers_ = 0;                        ///< responses the pins owe
    Cycles last_answer_;                             ///< cycle in which the pins last did anything
};

}  // namespace gen9::platform
