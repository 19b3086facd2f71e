// SPDX-License-Identifier: Apache-2.0
/// Protocols between the stages of the 3D pipe, with the four phases of the base protocol.
///
/// BEGIN_REQ: a batch is there at now + delay, in timed mode at least a cycle later. END_REQ: it has
/// a place, and the next one may be sent from the next cycle on. BEGIN_RESP: all that came of it is
/// over, down to the retirement of its last pixel thread.
#pragma once
#include <tlm>
#include <typeinfo>

#include "interconnect/payload/depth_test.h"
#include "interconnect/payload/domain_batch.h"
#include "interconnect/payload/pixel_batch.h"
#include "interconnect/payload/primitive_batch.h"

namespace gen9 {

struct PrimitiveProtocol {
    using tlm_payload_type = PrimitiveBatch;
    using tlm_phase_type = tlm::tlm_phase;
};
struct DomainProtocol {
    using tlm_payload_type = DomainBatch;
    using tlm_phase_type = tlm::tlm_phase;
};
struct ClippedProtocol {
    using tlm_payload_type = ClippedBatch;
    using tlm_phase_type = tlm::tlm_phase;
};
struct ObjectProtocol {
    using tlm_payload_type = ObjectBatch;
    using tlm_phase_type = tlm::tlm_phase;
};
struct PixelProtocol {
    using tlm_payload_type = PixelBatch;
    using tlm_phase_type = tlm::tlm_phase;
};

/// Blocking only.
struct DepthTestProtocol {
    using tlm_payload_type = DepthTest;
    using tlm_phase_type = tlm::tlm_phase;
};

/// An extra phase of batches with vertices, backward, before BEGIN_RESP: at now + delay nobody reads
/// their URB entries any more. It has no answer but TLM_ACCEPTED.
struct VerticesReadPhase : tlm::tlm_phase {
    VerticesReadPhase() : tlm::tlm_phase(typeid(VerticesReadPhase), "VERTICES_READ") {}
};
inline const VerticesReadPhase kVerticesRead;

}  // namespace gen9
