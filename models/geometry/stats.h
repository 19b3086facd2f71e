// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "interconnect/observe/stage_account.h"

namespace gen9::geometry {

struct VertexFetchStats : StageStats {
    using StageStats::StageStats;

    Counter draws{*this, "draws", "draws", "draws and clears begun"};
    Counter draws_stopped{*this, "draws_stopped", "draws", "draws stopped between two objects"};
    Counter indices{*this, "indices", "indices", "indices looked up, cuts included"};
    Counter cache_hits{*this, "cache_hits", "vertices", "vertices found in the vertex cache"};
    Counter fetched{*this, "fetched", "vertices", "vertices read and written to the URB"};
    Counter lines{*this, "lines", "lines", "lines of vertex data read"};
    Counter index_bytes{*this, "index_bytes", "bytes", "indices read"};
    Counter urb_bytes{*this, "urb_bytes", "bytes", "vertex data written to the URB"};
    Counter batches_sent{*this, "batches_sent", "batches", "batches handed on"};
    /// What IA_VERTICES_COUNT and IA_PRIMITIVES_COUNT count.
    Counter ia_vertices{*this, "ia_vertices", "vertices", "vertices of whole objects (VF-24)"};
    Counter ia_primitives{*this, "ia_primitives", "primitives", "primitives made (VF-25)"};
};

/// Every stage with shader threads counts these.
struct ShaderStageStats : StageStats {
    using StageStats::StageStats;

    Counter threads{*this, "threads", "threads", "threads sent"};
    Counter threads_retired{*this, "threads_retired", "threads", "threads that have ended"};
    Counter payload_registers{*this, "payload_registers", "registers",
                              "registers loaded into threads"};
    Counter urb_bytes{*this, "urb_bytes", "bytes", "data of threads read from the URB"};
    Counter constant_bytes{*this, "constant_bytes", "bytes", "push constants read"};
};

struct StreamOutputStats : StageStats {
    using StageStats::StageStats;

    Counter objects{*this, "objects", "objects", "objects of those batches"};
    Counter passed{*this, "passed", "objects", "objects that went on to the clipper"};
    Counter vertices{*this, "vertices", "vertices", "vertices read from the URB"};
    /// By stream; what SO_PRIM_STORAGE_NEEDED and SO_NUM_PRIMS_WRITTEN count where the state counts.
    std::array<Counter, 4> needed{{
        {*this, "needed0", "primitives", "objects of stream 0 that were to be written"},
        {*this, "needed1", "primitives", "objects of stream 1 that were to be written"},
        {*this, "needed2", "primitives", "objects of stream 2 that were to be written"},
        {*this, "needed3", "primitives", "objects of stream 3 that were to be written"},
    }};
    std::array<Counter, 4> written{{
        {*this, "written0", "primitives", "objects of stream 0 that were written"},
        {*this, "written1", "primitives", "objects of stream 1 that were written"},
        {*this, "written2", "primitives", "objects of stream 2 that were written"},
        {*this, "written3", "primitives", "objects of stream 3 that were written"},
    }};
    Counter lines{*this, "lines", "lines", "lines written to buffers"};
    Counter bytes{*this, "bytes", "bytes", "vertex data written to buffers"};
};

struct VertexShaderStats : ShaderStageStats {
    using ShaderStageStats::ShaderStageStats;

    /// What VS_INVOCATION_COUNT counts.
    Counter invocations{*this, "invocations", "vertices", "vertices shaded or let pass (VS-08)"};
};

struct GeometryShaderStats : ShaderStageStats {
    using ShaderStageStats::ShaderStageStats;

    Counter objects{*this, "objects", "objects", "objects that threads have worked on"};
    Counter dropped{*this, "dropped", "objects",
                    "objects for which there is no thread, by what the state says"};
    /// What GS_INVOCATION_COUNT and GS_PRIMITIVES_COUNT count.
    Counter invocations{*this, "invocations", "instances", "instances of objects (GS-19)"};
    Counter primitives{*this, "primitives", "primitives", "whole primitives made (GS-20)"};
    Counter vertices{*this, "vertices", "vertices", "vertices made"};
    Counter batches_made{*this, "batches_made", "batches", "batches of its own handed on"};
};

struct HullShaderStats : ShaderStageStats {
    using ShaderStageStats::ShaderStageStats;

    /// What HS_INVOCATION_COUNT counts.
    Counter invocations{*this, "invocations", "patches", "patches shaded (HS-17)"};
    Counter patches{*this, "patches", "patches", "patches given records"};
};

struct TessellationStats : StageStats {
    using StageStats::StageStats;

    Counter patches{*this, "patches", "patches", "patches tessellated or culled"};
    Counter culled{*this, "culled", "patches", "patches of which nothing is left (TE-03)"};
    Counter points{*this, "points", "points", "points of domains"};
    Counter objects{*this, "objects", "objects", "points, lines and triangles made of them"};
    Counter urb_bytes{*this, "urb_bytes", "bytes", "factors read from the URB"};
};

struct DomainShaderStats : ShaderStageStats {
    using ShaderStageStats::ShaderStageStats;

    /// What DS_INVOCATION_COUNT counts.
    Counter invocations{*this, "invocations", "points", "points of patches that came (DS-06)"};
    Counter points{*this, "points", "points", "points shaded"};
    Counter cache_hits{*this, "cache_hits", "points", "points found in the cache"};
    Counter objects{*this, "objects", "objects", "objects handed on"};
};

}  // namespace gen9::geometry
