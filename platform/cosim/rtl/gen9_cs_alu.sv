// SPDX-License-Identifier: Apache-2.0
// The command streamer's ALU with its 16 general purpose registers (PRM: 003:1110-1523).
//
// One ALU instruction (a DWord of MI_MATH) is taken each clock in which `instruction_valid` and
// `instruction_ready` are high. Its effect is there after that clock's edge; `done_valid` is high in the
// next clock, with `done_undefined` if the instruction is none that the PRM defines, which changes nothing.
// Registers are read and written by 32-bit halves through the register port, as MMIO does
// (0x2600 + 8 * n); the port must be quiet in a clock in which an instruction is taken.
//
//   pin                 dir  width  meaning
//   clk                 in   1      rising edge
//   reset_n             in   1      synchronous, low: registers, sources, accumulator and flags are 0
//   instruction_valid   in   1      an instruction is offered
//   instruction_ready   out  1      it is taken at the next edge
//   instruction         in   32     31:20 opcode, 19:10 operand 1, 9:0 operand 2
//   done_valid          out  1      the instruction taken at the last edge has acted
//   done_undefined      out  1      with done_valid: reserved opcode or operand, nothing was changed
//   register_write      in   1      writes a half of a register at the next edge
//   register_index      in   5      4:1 register, 0 upper half
//   register_value      in   32     value to be written
//   register_read       out  32     the half that register_index names, combinational
//   source_a, source_b, accumulator, zero_flag, carry_flag  out: for waveforms and debuggers
module gen9_cs_alu (
    input  logic        clk,
    input  logic        reset_n,
    input  logic        instruction_valid,
    output logic        instruction_ready,
    input  logic [31:0] instruction,
    output logic        done_valid,
    output logic        done_undefined,
    input  logic        register_write,
    input  logic [4:0]  register_index,
    input  logic [31:0] register_value,
    output logic [31:0] register_read,
    output logic [63:0] source_a,
    output logic [63:0] source_b,
    output logic [63:0] accumulator,
    output logic        zero_flag,
    output logic        carry_flag
);
  // Encodings: 003:1454-1523.
  localparam logic [11:0] NOOP = 12'h000, LOAD = 12'h080, LOADINV = 12'h480, LOAD0 = 12'h081,
                          LOAD1 = 12'h481, ADD = 12'h100, SUB = 12'h101, AND = 12'h102,
                          OR = 12'h103, XOR = 12'h104, STORE = 12'h180, STOREINV = 12'h580;
  localparam logic [9:0] SRCA = 10'h20, SRCB = 10'h21, ACCU = 10'h31, ZF = 10'h32, CF = 10'h33;

  logic [63:0] gpr [16];

  wire [11:0] opcode = instruction[31:20];
  wire [9:0] operand1 = instruction[19:10];
  wire [9:0] operand2 = instruction[9:0];
  wire to_source = operand1 == SRCA || operand1 == SRCB;
  wire to_register = operand1[9:4] == 6'd0;
  wire from_register = operand2[9:4] == 6'd0;

  assign instruction_ready = reset_n;
  assign register_read = register_index[0] ? gpr[register_index[4:1]][63:32] : gpr[register_index[4:1]][31:0];

  logic is_load, is_compute, is_store, defined;
  logic [63:0] loaded, stored, result;
  logic carry;

  always_comb begin
    is_load = 1'b0;
    is_compute = 1'b0;
    is_store = 1'b0;
    defined = 1'b1;
    loaded = 64'd0;
    stored = 64'd0;
    result = 64'd0;
    carry = 1'b0;
    case (opcode)
      NOOP: ;
      LOAD, LOADINV: begin
        is_load = to_source && from_register;
        defined = is_load;
        loaded = opcode == LOADINV ? ~gpr[operand2[3:0]] : gpr[operand2[3:0]];
      end
      LOAD0, LOAD1: begin
        is_load = to_source;
        defined = is_load;
        loaded = opcode == LOAD1 ? ~64'd0 : 64'd0;
      end
      ADD: begin
        is_compute = 1'b1;
        {carry, result} = {1'b0, source_a} + {1'b0, source_b};
      end
      SUB: begin
        is_compute = 1'b1;
        {carry, result} = {1'b0, source_a} - {1'b0, source_b};
      end
      AND: begin
        is_compute = 1'b1;
        result = source_a & source_b;
      end
      OR: begin
        is_compute = 1'b1;
        result = source_a | source_b;
      end
      XOR: begin
        is_compute = 1'b1;
        result = source_a ^ source_b;
      end
      STORE, STOREINV: begin
        is_store = to_register && (operand2 == ACCU || operand2 == ZF || operand2 == CF);
        defined = is_store;
        case (operand2)
          ACCU: stored = accumulator;
          ZF: stored = {64{zero_flag}};
          default: stored = {64{carry_flag}};
        endcase
        if (opcode == STOREINV) stored = ~stored;
      end
      default: defined = 1'b0;
    endcase
  end

  always_ff @(posedge clk) begin
    if (!reset_n) begin
      for (int i = 0; i < 16; ++i) gpr[i] <= 64'd0;
      source_a <= 64'd0;
      source_b <= 64'd0;
      accumulator <= 64'd0;
      zero_flag <= 1'b0;
      carry_flag <= 1'b0;
      done_valid <= 1'b0;
      done_undefined <= 1'b0;
    end else begin
      done_valid <= instruction_valid;
      done_undefined <= instruction_valid && !defined;
      if (instruction_valid) begin
        if (is_load && operand1 == SRCA) source_a <= loaded;
        if (is_load && operand1 == SRCB) source_b <= loaded;
        if (is_compute) begin
          accumulator <= result;
          zero_flag <= result == 64'd0;
          carry_flag <= carry;
        end
        if (is_store) gpr[operand1[3:0]] <= stored;
      end else if (register_write) begin
        if (register_index[0]) gpr[register_index[4:1]][63:32] <= register_value;
        else gpr[register_index[4:1]][31:0] <= register_value;
      end
    end
  end
endmodule
