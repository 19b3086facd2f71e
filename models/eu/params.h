// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/params.h"

namespace gen9::eu {

/// Parameters of one EU. Latencies follow the rows M-1..M-19 of Mesa's Gen9 performance model
/// (`src/intel/compiler/brw_ir_performance.cpp`), fitted to tm0 measurements: "front end" is the
/// time until the thread's next instruction may start, "unit" the time the pipe is busy, "result"
/// the time from there until the destination may be read.
struct EuParams : ParamSet {
    using ParamSet::ParamSet;

    Param threads{*this,
                  {"threads", "threads", "Hardware threads (slots).",
                   "Gen9 compute white paper v1.0: 7; BXT 6 (EU-003)"},
                  7,
                  1,
                  16};
    Param registers{*this,
                    {"registers", "registers",
                     "Registers of 32 bytes in the register file of an EU, which limit the threads "
                     "that it holds in timed mode; 0: 128 for each thread.",
                     "Gen9 compute white paper v1.0: 128 for each thread (EU-002); others for "
                     "exploration"},
                    0,
                    0,
                    2048};
    ChoiceParam register_allocation{
        *this,
        {"register_allocation", "",
         "Registers that a thread takes: fixed: 128; used: as many as its program names, of a "
         "machine that renames registers.",
         "EU-002: fixed; used for exploration, of no machine that was built"},
        "fixed",
        {"fixed", "used"}};
    Param register_granule{
        *this,
        {"register_granule", "registers",
         "With register_allocation=used a thread takes a multiple of so many.", "For exploration"},
        8,
        1,
        128};
    ChoiceParam policy{*this,
                       {"policy", "",
                        "Which thread is offered the units first; register: as software says in "
                        "TD_CTL2, oldest until then.",
                        "003:19108-19112 (EU-005, EU-006); TD_CTL2 bit 8: the driver's code"},
                       "register",
                       {"register", "oldest", "round_robin"}};
    Param issue_width{
        *this,
        {"issue_width", "instructions", "Issued in a cycle at most, each from another thread.",
         "EU-007, EU-306: one for each of the four units; others for exploration"},
        4,
        1,
        16};
    Param fpus{*this,
               {"fpus", "units", "FPUs beside the EM units; without one, EM does what both can do.",
                "EU-306: one; others for exploration"},
               1,
               0,
               4};
    Param em_units{*this,
                   {"em_units", "units", "FPUs that also do extended math and doubles.",
                    "EU-306: one; others for exploration"},
                   1,
                   1,
                   4};
    Param branch_units{
        *this,
        {"branch_units", "units", "Branch units.", "EU-306: one; others for exploration"},
        1,
        1,
        4};
    Param send_units{
        *this,
        {"send_units", "units", "Units that send messages.", "EU-306: one; others for exploration"},
        1,
        1,
        4};
    ChoiceParam data_paths{*this,
                           {"data_paths", "",
                            "Width of the 64-bit data paths; narrow ones bring rules of their own "
                            "for 64-bit data.",
                            "EU-046, EU-082 (000:1583-1625, 000:1223-1227); product data"},
                           "full",
                           {"full", "narrow"}};
    ChoiceParam strict{*this,
                       {"strict", "",
                        "Report instructions that break a rule of the PRM and are executed all the "
                        "same; Intel's compilers write some.",
                        "EU-031..EU-052 and others (docs/blocks/eu.md)"},
                       "off",
                       {"off", "on"}};
    ChoiceParam direct_messages{
        *this,
        {"direct_messages", "",
         "Functional mode: messages go as calls of their target where it grants that; off: all go "
         "as transactions. The results are the same.",
         "docs/blocks/eu.md"},
        "on",
        {"off", "on"}};
    ChoiceParam jit{
        *this,
        {"jit", "",
         "Functional mode: kernels that run often are compiled for the host's processor, as far as "
         "it has AVX-512 or AVX2; avx2: for AVX2 only; verify: each instruction is also executed "
         "by itself, and a difference ends the run. The results are the same.",
         "docs/blocks/eu.md"},
        "on",
        {"off", "avx2", "on", "verify"}};
    Param jit_after{
        *this,
        {"jit_after", "runs", "Functional mode: runs of the same code before it is compiled.",
         "Measured: compiling costs what some 300 runs win"},
        256,
        1,
        1 << 24};
    Param quantum_instructions{
        *this,
        {"quantum_instructions", "instructions",
         "Functional mode: instructions a thread runs before the others get a turn.",
         "Assumed: long against the cost of a switch, short against a spinning kernel"},
        4096,
        1,
        1u << 24};
    Param message_credits{*this,
                          {"message_credits", "messages",
                           "Messages per port sent and not yet taken from the target's queue.",
                           "Assumed: the depth of the send queue is not public (EU guide 3.9)"},
                          4,
                          1,
                          64};

    Param simple_front_end{
        *this,
        {"simple_front_end", "cycles", "ALU up to 32 bits: front end per destination register.",
         "M-1, EU-307"},
        2,
        1,
        64};
    Param simple_unit{
        *this,
        {"simple_unit", "cycles", "ALU up to 32 bits: unit per register of data.", "M-1, EU-012"},
        2,
        1,
        64};
    Param strided_passes{
        *this,
        {"strided_passes", "passes",
         "Passes per register of data of an instruction with a region whose elements lie apart.",
         "Inferred: W-8 char and long (docs/validation.md)"},
        2,
        1,
        8};
    Param simple_result{*this,
                        {"simple_result", "cycles", "ALU up to 32 bits: result.",
                         "M-1, EU-309; IGC I-1 gives 14 in all"},
                        8,
                        1,
                        64};
    Param simple_accumulator{
        *this,
        {"simple_accumulator", "cycles", "ALU up to 32 bits: accumulator result.", "M-1"},
        4,
        1,
        64};
    Param simple_flag{
        *this, {"simple_flag", "cycles", "ALU up to 32 bits: flag result.", "M-1"}, 12, 1, 64};
    Param wide_front_end{
        *this,
        {"wide_front_end", "cycles",
         "64-bit or DWxDW multiply: front end per destination register.", "M-2, M-3, M-5"},
        4,
        1,
        64};
    Param wide_unit{*this,
                    {"wide_unit", "cycles", "64-bit or DWxDW multiply: unit per register of data.",
                     "M-2, M-3, M-5"},
                    4,
                    1,
                    64};
    Param wide_result{
        *this, {"wide_result", "cycles", "64-bit or DWxDW multiply: result.", "M-2"}, 12, 1, 64};
    Param wide_accumulator{
        *this,
        {"wide_accumulator", "cycles", "64-bit or DWxDW multiply: accumulator result.", "M-2"},
        8,
        1,
        64};
    Param wide_flag{
        *this, {"wide_flag", "cycles", "64-bit or DWxDW multiply: flag result.", "M-2"}, 16, 1, 64};
    Param double_unit{
        *this,
        {"double_unit", "cycles", "Doubles, all on the EM pipe: unit per register of data.",
         "Measured: clpeak has FP64 at 0.251 of FP32 on three parts, with one of the FPUs (C-1)"},
        2,
        1,
        64};
    Param dot_front_end{
        *this,
        {"dot_front_end", "cycles", "dp2..dp4, dph: front end per destination register.", "M-6"},
        2,
        1,
        64};
    Param dot_unit{*this,
                   {"dot_unit", "cycles", "dp2..dp4, dph: unit per register of data.", "M-6"},
                   2,
                   1,
                   64};
    Param interpolate_front_end{
        *this,
        {"interpolate_front_end", "cycles", "pln, lrp: front end per destination register.", "M-7"},
        4,
        1,
        64};
    Param interpolate_unit{
        *this,
        {"interpolate_unit", "cycles", "pln, lrp: unit per register of data.", "M-7"},
        4,
        1,
        64};
    Param long_result{
        *this, {"long_result", "cycles", "dp*, pln, lrp: result.", "M-6, M-7, EU-313"}, 12, 1, 64};
    Param long_accumulator{
        *this,
        {"long_accumulator", "cycles", "dp*, pln, lrp: accumulator result.", "M-6, M-7"},
        8,
        1,
        64};
    Param long_flag{
        *this, {"long_flag", "cycles", "dp*, pln, lrp: flag result.", "M-6, M-7"}, 16, 1, 64};
    Param math_front_end{
        *this,
        {"math_front_end", "cycles", "Math: front end per destination register.", "M-8, M-9"},
        4,
        1,
        64};
    Param math_front_end_less{
        *this,
        {"math_front_end_less", "cycles", "Math: taken off the front end's time.", "M-8, M-9"},
        2,
        0,
        3};
    Param math_unit{*this,
                    {"math_unit", "cycles", "Math: unit per register of data.", "M-8, EU-308"},
                    4,
                    1,
                    64};
    Param math_result{*this, {"math_result", "cycles", "Math: result.", "M-8, EU-308"}, 16, 1, 64};
    Param pow_unit{*this,
                   {"pow_unit", "cycles", "Math pow, fdiv: unit per register of data.", "M-9"},
                   8,
                   1,
                   64};
    Param pow_result{*this, {"pow_result", "cycles", "Math pow, fdiv: result.", "M-9"}, 24, 1, 64};
    Param divide_front_end{
        *this, {"divide_front_end", "cycles", "Math integer divide: front end.", "M-10"}, 2, 1, 64};
    Param divide_unit{
        *this,
        {"divide_unit", "cycles", "Math integer divide: unit, whatever the width.", "M-10"},
        26,
        1,
        64};
    Param divide_result{
        *this, {"divide_result", "cycles", "Math integer divide: result.", "M-10"}, 28, 1, 64};
    Param branch_front_end{
        *this,
        {"branch_front_end", "cycles", "Flow control: front end.", "M-11, EU-310"},
        8,
        1,
        64};
    Param branch_unit{*this,
                      {"branch_unit", "cycles", "Flow control: branch unit.",
                       "Assumed: one branch a cycle (M-11 gives no unit time)"},
                      1,
                      1,
                      64};
    Param control_front_end{*this,
                            {"control_front_end", "cycles", "wait, nop: front end.",
                             "Assumed: as the shortest ALU instruction"},
                            2,
                            1,
                            64};
    Param switch_front_end{
        *this,
        {"switch_front_end", "cycles", "Front end of an instruction with {Switch}.", "EU-312"},
        20,
        1,
        256};
    Param exception_front_end{
        *this,
        {"exception_front_end", "cycles", "Entering and leaving the system routine: front end.",
         "Assumed: as {Switch}, the thread's instruction queue is dropped too"},
        20,
        1,
        4096};
    Param bank_conflict{
        *this,
        {"bank_conflict", "cycles",
         "Added to the front end per destination register by a register bank conflict.",
         "M-4, EU-311"},
        1,
        0,
        16};
    Param send_front_end{
        *this, {"send_front_end", "cycles", "Send: front end.", "M-12..M-18"}, 2, 1, 64};
    Param send_unit{*this,
                    {"send_unit", "cycles", "Send: unit per payload register.",
                     "Assumed: the message bus takes a register a cycle"},
                    1,
                    1,
                    64};
    Param payload_read{
        *this,
        {"payload_read", "cycles",
         "Send: time until the payload may be overwritten, without its registers.", "M-12"},
        8,
        0,
        256};
    Param payload_read_register{
        *this,
        {"payload_read_register", "cycles", "The same, added per payload register.", "M-12"},
        2,
        0,
        64};
    Param response_register{
        *this,
        {"response_register", "cycles", "Between the registers of one response becoming readable.",
         "Assumed: a register a cycle (EU-177 gives the order only)"},
        1,
        0,
        64};

    Param buffer_lines{
        *this,
        {"buffer_lines", "lines", "Instruction lines the EU holds for its threads.",
         "Assumed: no document describes the storage between the EU and its instruction cache"},
        64,
        2,
        4096};
    Param prefetch_lines{
        *this,
        {"prefetch_lines", "lines", "Lines fetched ahead of a thread, within its page.",
         "EU-016: up to eight instructions"},
        2,
        0,
        16};
};

}  // namespace gen9::eu
