// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>
#include <typeinfo>

#include "interconnect/payload/thread_request.h"

namespace gen9 {

struct ThreadRequestProtocol {
    using tlm_payload_type = ThreadRequest;
    using tlm_phase_type = tlm::tlm_phase;
};

// Extra phases, forward. None opens a transaction or has an answer but TLM_ACCEPTED.
/// What may_begin or may_send waited for may have come, at now + delay. Where the payload is the
/// request that has no END_REQ yet, it is there by then too, if it was announced for later.
struct OfferAgainPhase : tlm::tlm_phase {
    OfferAgainPhase() : tlm::tlm_phase(typeid(OfferAgainPhase), "OFFER_AGAIN") {}
};
inline const OfferAgainPhase kOfferAgain;

/// The group that the socket's last request left open gets no more threads. What it had is free a
/// cycle later in timed mode.
struct EndGroupPhase : tlm::tlm_phase {
    EndGroupPhase() : tlm::tlm_phase(typeid(EndGroupPhase), "END_GROUP") {}
};
inline const EndGroupPhase kEndGroup;

/// Could the request begin now? Its `state` says what it would wait for.
struct ProbePhase : tlm::tlm_phase {
    ProbePhase() : tlm::tlm_phase(typeid(ProbePhase), "PROBE") {}
};
inline const ProbePhase kProbe;

/// The threads of the client that run are to be saved, from now + delay on (PRE-08). Its source is
/// told by `saving` when that has begun, if it can, and when it is over. The payload says nothing.
struct SaveRequestPhase : tlm::tlm_phase {
    SaveRequestPhase() : tlm::tlm_phase(typeid(SaveRequestPhase), "SAVE_REQUEST") {}
};
inline const SaveRequestPhase kSaveRequest;

}  // namespace gen9
