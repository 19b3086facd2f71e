// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <typeinfo>

namespace gen9 {

/// An extra phase of the command protocol, forward: a walker that has not been accepted sends no
/// further group. It opens no transaction, has no answer but TLM_ACCEPTED, and may be ignored by
/// who cannot stop. The response's command is then what is left of the walker (StoppedWalker).
struct StopWalkPhase : tlm::tlm_phase {
    StopWalkPhase() : tlm::tlm_phase(typeid(StopWalkPhase), "STOP_WALK") {}
};
inline const StopWalkPhase kStopWalk;

/// The same, and the threads that run are to be saved (PRE-08). Where they cannot be, it is as
/// kStopWalk. The payload is the walker that has not been accepted, or any command.
struct SaveWalkPhase : tlm::tlm_phase {
    SaveWalkPhase() : tlm::tlm_phase(typeid(SaveWalkPhase), "SAVE_WALK") {}
};
inline const SaveWalkPhase kSaveWalk;

}  // namespace gen9
