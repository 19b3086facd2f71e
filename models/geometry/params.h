// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::geometry {

struct VertexFetchParams : ParamSet {
    using ParamSet::ParamSet;

    Param vertices_per_clock{
        *this,
        {"vertices_per_clock", "vertices", "indices looked up in the vertex cache in a cycle",
         "Assumed: no public figure; 3d-settled 23.12"},
        1,
        1,
        16};
    Param vertex_cache{
        *this,
        {"vertex_cache", "vertices", "vertices of an indexed draw that are found again",
         "Assumed: no public figure; 3d-settled 3.11 proposes 16 to 32"},
        32,
        0,
        1024};
    Param groups{*this,
                 {"groups", "groups", "groups of up to 16 vertices that are read at a time",
                  "Assumed: no public figure; enough to hide memory"},
                 4,
                 1,
                 64};
    Param batch_queue{*this,
                      {"batch_queue", "batches", "batches that wait for the vertex shader stage",
                       "Assumed: no public figure"},
                      2,
                      1,
                      64};
};

/// Every stage with shader threads has these.
struct ShaderStageParams : ParamSet {
    using ParamSet::ParamSet;

    Param batch_queue{
        *this,
        {"batch_queue", "batches", "batches that wait to be taken", "Assumed: no public figure"},
        2,
        1,
        64};
    Param batches{*this,
                  {"batches", "batches", "batches whose threads are made or run at a time",
                   "Assumed: no public figure"},
                  8,
                  1,
                  64};
    Param thread_interval{*this,
                          {"thread_interval", "cycles", "from one thread to the next",
                           "Assumed: no public figure; 3d-settled 23.12"},
                          2,
                          1,
                          1000};
    Param groups{*this,
                 {"groups", "threads", "threads whose data are read ahead",
                  "Assumed: no public figure; enough to hide the URB"},
                 4,
                 1,
                 64};
};

struct GeometryShaderParams : ShaderStageParams {
    using ShaderStageParams::ShaderStageParams;

    Param vertices_per_clock{
        *this,
        {"vertices_per_clock", "vertices", "vertices of threads' output taken in a cycle",
         "Assumed: no public figure; as many as the vertex fetch makes"},
        1,
        1,
        16};
};

struct StreamOutputParams : ParamSet {
    using ParamSet::ParamSet;

    Param batch_queue{
        *this,
        {"batch_queue", "batches", "batches that wait to be taken", "Assumed: no public figure"},
        2,
        1,
        64};
    Param batches{*this,
                  {"batches", "batches",
                   "batches that it works on: vertices of the next ones are read meanwhile",
                   "Assumed: reads are hidden behind work"},
                  2,
                  1,
                  64};
    Param object_cycles{
        *this,
        {"object_cycles", "cycles", "from one object that is written out to the next",
         "Assumed: no public figure; an object a clock, as in the stages around it"},
        1,
        0,
        1000};
};

struct TessellationParams : ParamSet {
    using ParamSet::ParamSet;

    Param batch_queue{
        *this,
        {"batch_queue", "batches", "batches that wait to be taken", "Assumed: no public figure"},
        2,
        1,
        64};
    Param batches{*this,
                  {"batches", "batches", "batches of patches whose factors are read ahead",
                   "Assumed: no public figure; enough to hide the URB"},
                  2,
                  1,
                  64};
    Param objects_per_clock{*this,
                            {"objects_per_clock", "objects", "objects made in a cycle",
                             "Assumed: no public figure; as set-up, 3d-settled 23.12"},
                            1,
                            1,
                            64};
    Param ready{*this,
                {"ready", "batches", "batches of points that wait for the domain shader stage",
                 "Assumed: no public figure"},
                2,
                1,
                64};
};

struct DomainShaderParams : ShaderStageParams {
    using ShaderStageParams::ShaderStageParams;

    Param cache{*this,
                {"cache", "points", "points of a patch that are found again",
                 "Assumed: no public figure; two rings of a patch of the highest factors"},
                512,
                0,
                4096};
    Param objects_per_clock{
        *this,
        {"objects_per_clock", "objects", "objects whose points are looked up in a cycle",
         "Assumed: no public figure; as set-up, 3d-settled 23.12"},
        1,
        1,
        64};
};

}  // namespace gen9::geometry
