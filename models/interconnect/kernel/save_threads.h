// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <typeinfo>

namespace gen9 {

/// An extra phase of the dispatch protocol, forward: from now + delay on, the threads of the target
/// execute no further instruction, and save themselves by the system routine. Each then answers its
/// dispatch as at its end, with `saved` set. It opens no transaction; the payload says nothing.
struct SaveThreadsPhase : tlm::tlm_phase {
    SaveThreadsPhase() : tlm::tlm_phase(typeid(SaveThreadsPhase), "SAVE_THREADS") {}
};
inline const SaveThreadsPhase kSaveThreads;

}  // namespace gen9
