// SPDX-License-Identifier: Apache-2.0
// The model's cores as a reference for testbenches: DPI-C imports of libgen9_reference.so.
// gen9_reference.h says what each function does and returns: less than 0 is an error.
// IEEE 1800, no UVM; a UVM scoreboard can call it.
package gen9_reference_pkg;
  localparam int GEN9_REFERENCE_VERSION = 1;
  localparam int GEN9_OK = 0, GEN9_BAD_OBJECT = -1, GEN9_BAD_ARGUMENT = -2, GEN9_UNDEFINED = -3, GEN9_INTERNAL = -4;
  import "DPI-C" function int gen9_reference_version();
  import "DPI-C" function string gen9_status_text(input int status);

  // The command streamer's ALU.
  import "DPI-C" function chandle gen9_alu_new();
  import "DPI-C" function int gen9_alu_free(input chandle alu);
  import "DPI-C" function int gen9_alu_step(input chandle alu, input int unsigned instruction);
  import "DPI-C" function int gen9_alu_register(input chandle alu, input int number, output longint unsigned value);
  import "DPI-C" function int gen9_alu_set_register(input chandle alu, input int number, input longint unsigned value);
  import "DPI-C" function string gen9_alu_text(input int unsigned instruction);

  // Atomics, a line of L3.
  import "DPI-C" function int gen9_atomic(input int operation, input int bytes, input longint unsigned old,
      input longint unsigned source0, input longint unsigned source1, output longint unsigned returned,
      output longint unsigned memory);
  import "DPI-C" function int gen9_l3_access(input int kind, input int operation, input int bytes, input int lanes,
      input bit [255:0] address, input bit [1023:0] source0, input bit [1023:0] source1, inout bit [511:0] line,
      output bit [1023:0] result);

  // Shared local memory.
  import "DPI-C" function chandle gen9_slm_new();
  import "DPI-C" function int gen9_slm_free(input chandle slm);
  import "DPI-C" function int gen9_slm_access(input chandle slm, input int kind, input int operation,
      input int bytes, input int lanes, input bit [255:0] address, input bit [1023:0] source0,
      input bit [1023:0] source1, output bit [1023:0] result);

  // A thread of an execution unit.
  localparam int GEN9_NEXT = 0, GEN9_SEND = 1, GEN9_END = 2, GEN9_WAIT = 3, GEN9_FAULT = 4, GEN9_EXCEPTION = 5,
                 GEN9_LIMIT = 6;
  import "DPI-C" function chandle gen9_thread_new(input int unsigned mask);
  import "DPI-C" function int gen9_thread_free(input chandle thread);
  import "DPI-C" function int gen9_thread_register(input chandle thread, input int number, output bit [255:0] value);
  import "DPI-C" function int gen9_thread_set_register(input chandle thread, input int number, input bit [255:0] value);
  import "DPI-C" function int gen9_thread_flag(input chandle thread, input int number, output int unsigned value);
  import "DPI-C" function int gen9_thread_set_flag(input chandle thread, input int number, input int unsigned value);
  import "DPI-C" function int gen9_thread_address(input chandle thread, input int number, output int unsigned value);
  import "DPI-C" function int gen9_thread_set_address(input chandle thread, input int number, input int unsigned value);
  import "DPI-C" function int gen9_thread_control(input chandle thread, input int number, output int unsigned value);
  import "DPI-C" function int gen9_thread_set_control(input chandle thread, input int number, input int unsigned value);
  import "DPI-C" function int gen9_thread_ip(input chandle thread, output int unsigned value);
  import "DPI-C" function int gen9_thread_execute(input chandle thread, input bit [127:0] instruction);
  import "DPI-C" function int gen9_thread_load(input chandle thread, input int index, input bit [127:0] instruction);
  import "DPI-C" function int gen9_thread_run(input chandle thread, input int limit);
  import "DPI-C" function int gen9_region_address(input chandle thread, input bit [127:0] instruction,
      input int operand, input int lane);

  // Messages and text.
  import "DPI-C" function int gen9_message_decode(input bit [127:0] instruction, output int shared_function,
      output int length, output int response, output int header, output int ends, output int unsigned descriptor);
  import "DPI-C" function string gen9_disassemble(input bit [127:0] instruction);
  import "DPI-C" function string gen9_message_text(input bit [127:0] instruction);
endpackage
