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

}  // namespace gen9::geometry
