// SPDX-License-Identifier: Apache-2.0
#pragma once
// Verilator's header in a file that also sees SystemC: it then wants SystemC's time by short names.
#include <systemc>
using sc_core::sc_time_stamp;

#include <verilated.h>

#include <memory>

namespace gen9::platform {

/// A context without threads: a process that forks could not end them.
inline std::unique_ptr<VerilatedContext> new_context() {
    auto context = std::make_unique<VerilatedContext>();
    context->threads(1);
    return context;
}

/// Ends a verilated model. Its destructor looks for its context in the thread.
template <class Model>
void end_model(VerilatedContext& context, std::unique_ptr<Model>& model) {
    Verilated::threadContextp(&context);
    model->final();
    model.reset();
}

}  // namespace gen9::platform
