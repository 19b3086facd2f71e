// SPDX-License-Identifier: Apache-2.0
// Plays what was recorded at the socket of a shared local memory (docs/cosimulation.md) into its RTL, and compares
// the bytes and the clock of every answer.
//
//   slm_replay_tb +recording=FILE [+latency=N] [+spoil=N]     +spoil: expects another answer of request N
//
// Cycles of the recording are clocks of the RTL: a request of cycle c is on the pins at the edge that begins c + 1;
// an answer of cycle c is on the pins after the edge that begins c.
module slm_replay_tb;
  localparam int FLIGHT = 4096;

  logic clk = 1'b0;
  logic reset_n = 1'b0;
  always #5 clk = ~clk;

  logic request_valid, request_ready, read_valid, write_valid, reading, writing;
  logic [15:0] latency;
  logic [11:0] request_id, read_id, write_id;
  logic [1:0] request_kind, served;
  logic [4:0] request_op, request_lanes;
  logic [3:0] request_width, waiting;
  logic [255:0] request_address;
  logic [1023:0] request_source0, request_source1, read_result;
  logic [127:0] request_enable;
  gen9_slm slm (.*);

  // ---- the recording, a record ahead ----
  int file, scanned, records, spoil;
  string path, word, kind;
  longint unsigned cycle, number, delay, trace, address, now;
  int blocking, space, requester, thread, mocs, coherent, uncached, policy, is_write, length, enabled, ok;
  int lane_kind, operation, width, lanes;
  logic [511:0] data, enables, offsets;
  logic [1023:0] source0, source1, result;

  // What is expected of the requests under way, by id: the lower bits of their numbers.
  logic answered [FLIGHT];      // by the RTL, before the recording's answer was read
  int run_length [FLIGHT];      // of a plain access: bytes; 0: lanes
  int lane_count [FLIGHT];
  logic [1023:0] found_result [FLIGHT];
  longint unsigned found_cycle [FLIGHT];
  int errors, requests, compared;

  task automatic fail(input string text);
    $fatal(1, "'%s', record %0d: %s", path, records, text);
  endtask
  task automatic complain(input string text);
    errors = errors + 1;
    if (errors <= 10) $display("MISMATCH: %s", text);
  endtask

  task automatic head(input string key);
    scanned = $fscanf(file, "%s %s", kind, word);
    if (scanned != 2 || kind != key) fail({"'", key, "' is expected"});
  endtask

  // The next record's first words; `kind` is "end" after the last.
  task automatic next();
    scanned = $fscanf(file, "%s %d", kind, cycle);
    if (scanned != 2) fail("the file is cut off");
    if (kind == "end") begin
      if (cycle != longint'(records)) fail("the file has another number of records than it says");
      cycle = ~64'd0;
      return;
    end
    records = records + 1;
    scanned = $fscanf(file, "%d", number);
    if (scanned != 1) fail("the file is cut off");
  endtask

  task automatic attributes();
    scanned = $fscanf(file, "%d %d %h %d %d %h %d %d %d %d", blocking, delay, trace, space, requester, thread, mocs,
                      coherent, uncached, policy);
    if (scanned != 10) fail("the file is cut off");
    if (blocking != 0) fail("a blocking call cannot be played into RTL");
  endtask

  // A run of bytes as lanes: the last one ends with the run, and may overlap the one before.
  function automatic int run_width(input int bytes);
    return bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
  endfunction
  function automatic int run_offset(input int bytes, input int lane);
    return lane * run_width(bytes) < bytes - run_width(bytes) ? lane * run_width(bytes) : bytes - run_width(bytes);
  endfunction

  task automatic offer_access();
    scanned = $fscanf(file, "%d %h %d %h %d %h", is_write, address, length, data, enabled, enables);
    if (scanned != 6 || length < 1 || length > 64) fail("an access that cannot be understood");
    request_kind = is_write != 0 ? 2'd1 : 2'd0;
    request_op = 5'd0;
    request_width = 4'(run_width(length));
    request_lanes = 5'((length + run_width(length) - 1) / run_width(length));
    for (int lane = 0; lane < int'(request_lanes); ++lane) begin
      request_address[lane*16+:16] = 16'(address) + 16'(run_offset(length, lane));
      request_source0[lane*64+:64] = 64'(data >> 8 * run_offset(length, lane));
      for (int b = 0; b < 8; ++b)
        request_enable[lane*8+b] = enabled == 0 || enables[(8*((run_offset(length, lane)+b)%64))+:8] != 8'd0;
    end
    run_length[number[11:0]] = length;
  endtask

  task automatic offer_lanes();
    scanned = $fscanf(file, "%h %d %d %d %d %h %h %h", address, lane_kind, operation, width, lanes, offsets, source0,
                      source1);
    if (scanned != 8 || lanes > 16 || width > 8) fail("lanes that cannot be understood");
    request_kind = 2'(lane_kind);
    request_op = 5'(operation);
    request_width = 4'(width);
    request_lanes = 5'(lanes);
    for (int lane = 0; lane < 16; ++lane) request_address[lane*16+:16] = 16'(address) + 16'(offsets >> 32 * lane);
    request_source0 = source0;
    request_source1 = source1;
    request_enable = '1;
    run_length[number[11:0]] = 0;
    lane_count[number[11:0]] = lanes;
  endtask

  // The recorded answer against what the pins gave for its request.
  task automatic compare();
    int id;
    logic [1023:0] value;
    scanned = $fscanf(file, "%d %d %h", ok, length, result);
    if (scanned != 3) fail("an answer that cannot be understood");
    id = int'(number[11:0]);
    compared = compared + 1;
    if (number == longint'(spoil)) result = ~result;
    if (!answered[id]) begin
      complain($sformatf("request %0d is not answered in clock %0d", number, cycle));
      return;
    end
    answered[id] = 1'b0;
    if (found_cycle[id] != cycle)
      complain($sformatf("request %0d is answered in clock %0d, recorded %0d", number, found_cycle[id], cycle));
    value = found_result[id];
    if (length != 0 && run_length[id] != 0) begin
      for (int lane = 0; lane * run_width(length) < length; ++lane)
        for (int b = 0; b < run_width(length); ++b)
          if (value[lane*64+b*8+:8] != result[(run_offset(length, lane)+b)*8+:8])
            complain($sformatf("request %0d, byte %0d: %02x, recorded %02x", number, run_offset(length, lane) + b,
                               value[lane*64+b*8+:8], result[(run_offset(length, lane)+b)*8+:8]));
    end else if (length != 0)
      for (int lane = 0; lane < lane_count[id]; ++lane)
        if (value[lane*64+:64] != result[lane*64+:64])
          complain($sformatf("request %0d, lane %0d: %016x, recorded %016x", number, lane, value[lane*64+:64],
                             result[lane*64+:64]));
  endtask

  // What is on the pins after an edge.
  task automatic take_answers();
    if (read_valid) begin
      answered[read_id] = 1'b1;
      found_cycle[read_id] = now;
      found_result[read_id] = read_result;
    end
    if (write_valid) begin
      answered[write_id] = 1'b1;
      found_cycle[write_id] = now;
    end
  endtask

  initial begin
    if (!$value$plusargs("recording=%s", path)) $fatal(1, "+recording=FILE is missing");
    if (!$value$plusargs("latency=%d", latency)) latency = 16'd99;
    if (!$value$plusargs("spoil=%d", spoil)) spoil = -1;
    file = $fopen(path, "r");
    if (file == 0) $fatal(1, "cannot read '%s'", path);
    errors = 0;
    requests = 0;
    records = 0;
    compared = 0;
    request_valid = 1'b0;
    request_address = '0;
    request_source0 = '0;
    request_source1 = '0;
    request_enable = '1;
    for (int i = 0; i < FLIGHT; ++i) answered[i] = 1'b0;
    head("gen9_socket");
    if (word != "1") fail("another version of recordings");
    head("socket");
    head("target");
    head("protocol");
    if (word != "memory") fail("no recording of a memory socket");
    head("clock_hz");
    repeat (2) @(negedge clk);
    reset_n = 1'b1;
    next();
    // `now` is the cycle that the last edge began. Nothing happens before the first record.
    now = cycle == 0 ? 0 : cycle - 1;
    @(negedge clk);
    while (kind != "end" || reading || writing) begin
      take_answers();
      request_valid = 1'b0;
      while (kind != "end" && cycle <= now) begin
        if (kind == "answer") compare();
        else if (kind == "accept") ;
        else if (kind == "access" || kind == "lanes") begin
          if (request_valid) fail("two requests in one clock");
          attributes();
          if (kind == "access") offer_access();
          else offer_lanes();
          request_id = number[11:0];
          request_valid = 1'b1;
          requests = requests + 1;
          if (!request_ready) complain($sformatf("request %0d is not taken in clock %0d", number, now));
        end else fail({"'", kind, "' cannot be played"});
        next();
      end
      @(negedge clk);
      now = now + 1;
      // Where nothing is under way time may pass at once.
      if (requests == compared && !request_valid && !reading && !writing && kind != "end" && cycle > now + 4)
        now = cycle - 2;
    end
    if (errors == 0 && compared != 0) $display("PASS: %0d requests, %0d answers", requests, compared);
    else $fatal(1, "%0d mismatches in %0d answers", errors, compared);
    $finish;
  end
endmodule
