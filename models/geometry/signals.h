// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "interconnect/observe/stage_account.h"

namespace gen9::geometry {

struct VertexFetchSignals : StageSignals {
    using StageSignals::StageSignals;
    Signal groups{*this, "groups", 8, SignalForm::Decimal,
                  "Groups of vertices that are read or written."};
    Signal free_entries{*this, "free_entries", 16, SignalForm::Decimal,
                        "URB entries that the next vertices can have."};
    Signal batches{*this, "batches", 16, SignalForm::Decimal,
                   "Batches handed on that have not ended."};
};

/// Of every stage with shader threads.
struct ShaderStageSignals : StageSignals {
    using StageSignals::StageSignals;
    Signal batches{*this, "batches", 8, SignalForm::Decimal, "Batches at hand."};
    Signal threads{*this, "threads", 10, SignalForm::Decimal, "Threads that run."};
};

struct StreamOutputSignals : StageSignals {
    using StageSignals::StageSignals;
    Signal batches{*this, "batches", 8, SignalForm::Decimal, "Batches at hand."};
    std::array<Signal, 4> write_offset{{
        {*this, "write_offset0", 32, SignalForm::Decimal, "Write offset of buffer 0, in bytes."},
        {*this, "write_offset1", 32, SignalForm::Decimal, "Write offset of buffer 1, in bytes."},
        {*this, "write_offset2", 32, SignalForm::Decimal, "Write offset of buffer 2, in bytes."},
        {*this, "write_offset3", 32, SignalForm::Decimal, "Write offset of buffer 3, in bytes."},
    }};
};

/// Of those that make vertices or patch records of their own.
struct OwningStageSignals : ShaderStageSignals {
    using ShaderStageSignals::ShaderStageSignals;
    Signal free_entries{*this, "free_entries", 16, SignalForm::Decimal, "Free URB entries."};
};

struct TessellationSignals : StageSignals {
    using StageSignals::StageSignals;
    Signal batches{*this, "batches", 8, SignalForm::Decimal, "Batches of patches at hand."};
    Signal ready{*this, "ready", 8, SignalForm::Decimal, "Batches of points not sent yet."};
};

}  // namespace gen9::geometry
