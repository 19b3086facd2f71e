// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <map>
#include <string>
#include <systemc>
#include <vector>

#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "platform/tell/recording/recording.h"

namespace gen9::platform {

/// RecordedMemory: stands behind a block that is played alone, and answers as was recorded at the
/// block's way to memory.
/// Role     finds a request in the recording by its command and address, of several the oldest not
///          yet asked for; accepts and answers it after the same times with the same bytes
/// Sockets  mem_in  target  base protocol
/// Not here debug access: what is written is forgotten, reads find nothing
class RecordedMemory : public sc_core::sc_module {
  public:
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};

    RecordedMemory(sc_core::sc_module_name name, const Clock& clock, RecordingFile& file);

    /// Requests that were not recorded; after finish() also those recorded and never asked for.
    std::uint64_t wrong() const { return wrong_; }
    /// The first of these, a line each.
    const std::vector<std::string>& finish();

  private:
    using Payload = tlm::tlm_generic_payload;
    struct Key {
        std::uint64_t address;
        unsigned kind;  ///< read, write, lanes
        auto operator<=>(const Key&) const = default;
    };
    struct Entry {
        Key key{};
        unsigned line = 0;
        Cycles asked, accepted, answered;
        bool has_answer = false;
        recorded::Answer answer;
    };
    struct Due {
        Cycles at;
        Payload* payload;
    };

    static Key key_of(const Payload& payload);
    void read(RecordingFile& file);
    /// Plays what was recorded of a request; its answer is put into the payload.
    Entry play(Payload& payload);
    tlm::tlm_sync_enum begin(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void respond();
    void say(const std::string& text);

    const Clock& clock_;
    Wakeup wakeup_;
    std::map<Key, std::deque<Entry>> recorded_;
    std::vector<Due> due_;  ///< the earliest first
    std::uint64_t wrong_ = 0;
    std::vector<std::string> said_;
};

}  // namespace gen9::platform
