// SPDX-License-Identifier: Apache-2.0
// A self-checking testbench: the RTL of the command streamer's ALU and of the shared local memory
// against the model's cores, by DPI-C, with constrained random stimuli.
//
//   reference_tb +seed=N +count=N [+break]     +break spoils one result: the bench must see it
module reference_tb;
  import gen9_reference_pkg::*;

  logic clk = 1'b0;
  logic reset_n = 1'b0;
  always #5 clk = ~clk;

  int unsigned seed;
  int count, errors, broken;

  // ---- the ALU ----
  logic alu_valid, alu_ready, alu_done, alu_undefined, alu_write;
  logic [31:0] alu_instruction, alu_value, alu_read;
  logic [4:0] alu_index;
  logic [63:0] alu_a, alu_b, alu_accu;
  logic alu_zf, alu_cf;
  gen9_cs_alu alu (
      .clk(clk), .reset_n(reset_n), .instruction_valid(alu_valid), .instruction_ready(alu_ready),
      .instruction(alu_instruction), .done_valid(alu_done), .done_undefined(alu_undefined),
      .register_write(alu_write), .register_index(alu_index), .register_value(alu_value),
      .register_read(alu_read), .source_a(alu_a), .source_b(alu_b), .accumulator(alu_accu),
      .zero_flag(alu_zf), .carry_flag(alu_cf));

  // ---- shared local memory ----
  logic slm_valid, slm_ready, read_valid, write_valid, reading, writing;
  logic [11:0] slm_id, read_id, write_id;
  logic [1:0] slm_kind, served;
  logic [4:0] slm_op, slm_lanes;
  logic [3:0] slm_width, waiting;
  logic [255:0] slm_address;
  logic [1023:0] slm_source0, slm_source1, read_result;
  gen9_slm slm (
      .clk(clk), .reset_n(reset_n), .latency(16'd10), .request_valid(slm_valid), .request_ready(slm_ready),
      .request_id(slm_id), .request_kind(slm_kind), .request_op(slm_op), .request_width(slm_width),
      .request_lanes(slm_lanes), .request_address(slm_address), .request_source0(slm_source0),
      .request_source1(slm_source1), .request_enable({128{1'b1}}), .read_valid(read_valid),
      .read_id(read_id), .read_result(read_result), .write_valid(write_valid), .write_id(write_id),
      .served(served), .waiting(waiting), .reading(reading), .writing(writing));

  function automatic int unsigned random();
    seed = seed ^ (seed << 13);
    seed = seed ^ (seed >> 17);
    seed = seed ^ (seed << 5);
    return seed;
  endfunction
  function automatic longint unsigned random_value();
    case (random() % 6)
      0: return 64'd0;
      1: return ~64'd0;
      2: return 64'd1 << (random() % 64);
      3: return {32'd0, random()};
      default: return {random(), random()};
    endcase
  endfunction

  // Mostly instructions that exist; one of sixteen is any word.
  function automatic logic [31:0] random_alu_instruction();
    logic [11:0] opcode;
    logic [9:0] first, second;
    if (random() % 16 == 0) return random();
    case (random() % 4)
      0: begin
        opcode = random() % 2 == 0 ? 12'h080 : random() % 3 == 0 ? 12'h480 : random() % 2 == 0 ? 12'h081 : 12'h481;
        first = random() % 2 == 0 ? 10'h20 : 10'h21;
        second = 10'(random() % 16);
      end
      1, 2: begin
        opcode = 12'h100 + 12'(random() % 5);
        first = 10'(random() % 1024);
        second = 10'(random() % 1024);
      end
      default: begin
        opcode = random() % 2 == 0 ? 12'h180 : 12'h580;
        first = 10'(random() % 16);
        second = 10'h31 + 10'(random() % 3);
      end
    endcase
    return {opcode, first, second};
  endfunction

  task automatic complain(input string text);
    errors = errors + 1;
    if (errors <= 10) $display("MISMATCH: %s", text);
  endtask

  // A call of the reference that must have acted.
  task automatic must(input int status);
    if (status < 0) $fatal(1, "the reference refused a call: %s", gen9_status_text(status));
  endtask

  task automatic check_alu();
    chandle reference;
    int defined;
    longint unsigned value, expected;
    reference = gen9_alu_new();
    if (reference == null) $fatal(1, "no memory");
    for (int n = 0; n < 32; ++n) begin
      value = random_value();
      @(negedge clk);
      alu_write = 1'b1;
      alu_index = 5'(n);
      alu_value = value[31:0];
      must(gen9_alu_register(reference, n / 2, expected));
      must(gen9_alu_set_register(reference, n / 2,
                                 n % 2 == 0 ? {expected[63:32], value[31:0]} : {value[31:0], expected[31:0]}));
    end
    @(negedge clk);
    alu_write = 1'b0;
    for (int i = 0; i < count; ++i) begin
      alu_instruction = random_alu_instruction();
      alu_valid = 1'b1;
      defined = gen9_alu_step(reference, alu_instruction);
      @(negedge clk);
      if (!alu_done || alu_undefined != (defined == GEN9_UNDEFINED))
        complain($sformatf("ALU instruction %s: undefined %0d, the model says: %s", gen9_alu_text(alu_instruction),
                           alu_undefined, gen9_status_text(defined)));
      alu_valid = 1'b0;
      // One register's two halves; each register comes by often.
      for (int half = 0; half < 2; ++half) begin
        alu_index = 5'((i % 16) * 2 + half);
        #1;
        must(gen9_alu_register(reference, i % 16, expected));
        if (broken != 0 && i == count / 2) expected = ~expected;
        if (alu_read != (half == 0 ? expected[31:0] : expected[63:32]))
          complain($sformatf("after ALU instruction %s: R%0d half %0d is %08x, the model has %016x",
                             gen9_alu_text(alu_instruction), i % 16, half, alu_read, expected));
      end
    end
    must(gen9_alu_free(reference));
  endtask

  task automatic check_slm();
    chandle reference;
    bit [255:0] address;
    bit [1023:0] source0, source1, expected;
    int clocks, took, width;
    reference = gen9_slm_new();
    if (reference == null) $fatal(1, "no memory");
    for (int i = 0; i < count; ++i) begin
      slm_kind = i < 256 ? 2'd1 : 2'(random() % 3);
      slm_op = 5'(random() % 19);
      if (slm_op >= 5'd16) slm_op = slm_op + 5'd1;
      width = slm_kind == 2'd2 ? (slm_op >= 5'd17 ? 4 : 4 << (random() % 2)) : 1 << (random() % 4);
      slm_width = 4'(width);
      slm_lanes = i < 256 ? 5'd16 : 5'(1 + random() % 16);
      for (int lane = 0; lane < 16; ++lane) begin
        // Few addresses, so that lanes meet; aligned to their width.
        address[lane*16+:16] = 16'((random() % 64) * (random() % 4 == 0 ? 64 : 4) / width * width);
        source0[lane*64+:64] = random_value();
        source1[lane*64+:64] = random_value();
      end
      // The array starts unknown to the bench: the first writes cover what is accessed.
      if (i < 256)
        for (int lane = 0; lane < 16; ++lane) address[lane*16+:16] = 16'(i * 16 + lane) & ~16'(width - 1);
      slm_address = address;
      slm_source0 = source0;
      slm_source1 = source1;
      slm_id = 12'(i);
      slm_valid = 1'b1;
      clocks = gen9_slm_access(reference, {30'd0, slm_kind}, {27'd0, slm_op}, width, {27'd0, slm_lanes}, address,
                               source0, source1, expected);
      must(clocks);
      took = 0;
      @(negedge clk);
      slm_valid = 1'b0;
      while (!read_valid && !write_valid && took < 200) begin
        @(negedge clk);
        took = took + 1;
      end
      // From the edge that took it: the clocks of its banks, and the latency less two.
      if (took != clocks + 10 - 2)
        complain($sformatf("SLM access %0d: %0d clocks, the model says %0d", i, took, clocks + 8));
      if ((slm_kind == 2'd1 ? write_id : read_id) != slm_id) complain($sformatf("SLM access %0d: another id", i));
      if (broken != 0 && i == count / 2) expected = ~expected;
      if (slm_kind != 2'd1)
        for (int lane = 0; lane < 16; ++lane)
          if (lane < {27'd0, slm_lanes} && read_result[lane*64+:64] != expected[lane*64+:64])
            complain($sformatf("SLM access %0d, operation %0d, lane %0d: %016x, the model has %016x", i, slm_op,
                               lane, read_result[lane*64+:64], expected[lane*64+:64]));
      while (reading || writing) @(negedge clk);
    end
    must(gen9_slm_free(reference));
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("count=%d", count)) count = 5000;
    broken = $test$plusargs("break") ? 1 : 0;
    if (seed == 0) seed = 1;
    errors = 0;
    alu_valid = 1'b0;
    alu_write = 1'b0;
    alu_index = 5'd0;
    alu_value = 32'd0;
    alu_instruction = 32'd0;
    slm_valid = 1'b0;
    slm_kind = 2'd0;
    slm_op = 5'd0;
    slm_width = 4'd4;
    slm_lanes = 5'd1;
    slm_address = '0;
    slm_source0 = '0;
    slm_source1 = '0;
    slm_id = 12'd0;
    if (gen9_reference_version() != GEN9_REFERENCE_VERSION) $fatal(1, "the reference has another version");
    repeat (3) @(negedge clk);
    reset_n = 1'b1;
    @(negedge clk);
    check_alu();
    check_slm();
    if (errors == 0) $display("PASS: %0d ALU instructions, %0d accesses of local memory", count, count);
    else $fatal(1, "%0d mismatches", errors);
    $finish;
  end
endmodule
