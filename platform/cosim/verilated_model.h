// SPDX-License-Identifier: Apache-2.0
#pragma once
// Verilator's header in a file that also sees SystemC: it then wants SystemC's time by short names.
#include <systemc>
using sc_core::sc_time_stamp;

#include <verilated.h>
