// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <typeinfo>

namespace gen9 {

/// An extra phase of the command protocol, forward: a walker that has not been accepted sends no
/// further group, and a draw no further object. It is said of no command, so its payload says nothing; it opens no transaction,
/// has no answer but TLM_ACCEPTED, and may be ignored by who cannot stop. The response
/// then says what is left of it (PipelineCommand::remaining, remaining_draw).
struct StopWalkPhase : tlm::tlm_phase {
    StopWalkPhase() : tlm::tlm_phase(typeid(StopWalkPhase), "STOP_WALK") {}
};
inline const StopWalkPhase kStopWalk;

/// The same, and the threads that run are to be saved (PRE-08). Where they cannot be, it is as
/// kStopWalk.
struct SaveWalkPhase : tlm::tlm_phase {
    SaveWalkPhase() : tlm::tlm_phase(typeid(SaveWalkPhase), "SAVE_WALK") {}
};
inline const SaveWalkPhase kSaveWalk;

}  // namespace gen9
