// SPDX-License-Identifier: Apache-2.0
/// What the tessellator hands to the domain shader stage.
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/payload/primitive_batch.h"

namespace gen9 {

/// A patch as its record in the URB.
struct DomainPatch {
    std::uint32_t record_row = 0;  ///< of its entry: 32-byte rows from the URB's start
    std::uint32_t primitive_id = 0;
};

/// A place in the domain of a patch.
struct DomainPoint {
    float u = 0, v = 0;
    std::uint32_t patch = 0;  ///< number in the batch
    bool is_new = false;      ///< the first time that its patch has it
};

/// Up to PrimitiveBatch::kObjects objects of consecutive patches. Their vertices are numbers of
/// points; each point of a patch is there once. kVerticesRead: nobody reads the records any more.
struct DomainBatch {
    PrimitiveBatch* passed = nullptr;  ///< the state tessellates nothing: this goes on as it is
    const Draw* draw = nullptr;
    std::uint32_t instance = 0;
    std::uint32_t record_rows = 0;  ///< of a record's entry
    bool continues = false;         ///< its first patch is the last one of the batch before
    bool goes_on = false;           ///< its last patch is the first one of the batch behind
    std::vector<DomainPatch> patches;
    std::vector<DomainPoint> points;
    std::vector<PrimitiveObject> objects;
    TraceId trace_id = 0;
};

}  // namespace gen9
