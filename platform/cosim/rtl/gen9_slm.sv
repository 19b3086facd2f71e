// SPDX-License-Identifier: Apache-2.0
// The shared local memory of a subslice: 64 KB in 16 banks of 4-byte words (SLM-01, SLM-09 to SLM-11).
//
// Requests are held in a queue and served in order of arrival (L3-61). A request of up to 16 lanes occupies the
// read pipe, the write pipe, or both (atomics), for as many clocks as its most loaded bank has different
// words; lanes of a read or write that name the same word share it, those of an atomic do not. It acts on
// the array, lane 0 first, at the edge at which it is served: at the earliest the edge that takes it.
// Its response appears `latency` - 2 clocks after the last clock in which it occupies a pipe.
//
//   pin               dir  width   meaning
//   clk               in   1       rising edge
//   reset_n           in   1       synchronous, low: queue, pipes and responses are empty; bytes stay
//   latency           in   16      strap, 2 to 1000: clocks from a request's arrival to its response without conflict
//   request_valid     in   1       a request is offered; it may not change until it is taken
//   request_ready     out  1       it is taken at the next edge
//   request_id        in   12      comes back with the response
//   request_kind      in   2       0 read, 1 write, 2 atomic
//   request_op        in   5       of an atomic: the PRM's code (003:6247-6249); 17, 18, 19: FMAX, FMIN, FCMPWR
//   request_width     in   4       bytes of a lane: 1, 2, 4 or 8; atomics 4 or 8, aligned to it
//   request_lanes     in   5       lanes in use, from lane 0
//   request_address   in   16*16   byte address of each lane
//   request_source0   in   16*64   value to be written, or first operand
//   request_source1   in   16*64   second operand
//   request_enable    in   16*8    of a write: bytes of each lane that are written
//   read_valid        out  1       a response of the read pipe (reads and atomics); there is no way to hold it
//   read_id           out  12
//   read_result       out  16*64   value of each lane, from bit 0
//   write_valid       out  1       a response of the write pipe
//   write_id          out  12
//   served            out  2       requests that left the queue at the last edge: places that are free again
//   waiting           out  4       requests in the queue
//   reading, writing  out  1       the pipe is occupied
module gen9_slm #(
    parameter int QUEUE = 9
) (
    input  logic          clk,
    input  logic          reset_n,
    input  logic [15:0]   latency,
    input  logic          request_valid,
    output logic          request_ready,
    input  logic [11:0]   request_id,
    input  logic [1:0]    request_kind,
    input  logic [4:0]    request_op,
    input  logic [3:0]    request_width,
    input  logic [4:0]    request_lanes,
    input  logic [255:0]  request_address,
    input  logic [1023:0] request_source0,
    input  logic [1023:0] request_source1,
    input  logic [127:0]  request_enable,
    output logic          read_valid,
    output logic [11:0]   read_id,
    output logic [1023:0] read_result,
    output logic          write_valid,
    output logic [11:0]   write_id,
    output logic [1:0]    served,
    output logic [3:0]    waiting,
    output logic          reading,
    output logic          writing
);
  localparam int LANES = 16, BANKS = 16, BYTES = 65536, FLIGHT = 1024;
  localparam logic [1:0] READ = 2'd0, WRITE = 2'd1, ATOMIC = 2'd2;

  typedef struct packed {
    logic [11:0]   id;
    logic [1:0]    kind;
    logic [4:0]    op;
    logic [3:0]    width;
    logic [4:0]    lanes;
    logic [255:0]  address;
    logic [1023:0] source0;
    logic [1023:0] source1;
    logic [127:0]  enable;
  } request_t;

  logic [7:0] bytes [BYTES]  /* verilator public_flat_rw */;

  // ---- requests, oldest first ----
  request_t queue [QUEUE];
  logic [3:0] queued;
  assign request_ready = reset_n && queued < 4'(QUEUE);
  assign waiting = queued;

  // ---- the clock, and when the pipes are free ----
  logic [31:0] now, read_free, write_free;  // the clock that the last edge began; first free clocks
  assign reading = $signed(read_free - now) > 0;
  assign writing = $signed(write_free - now) > 0;

  // Clocks a request occupies its pipes: over the banks, the most different words.
  // Only the lanes' places count, not their values.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [5:0] occupied(input request_t r);
    logic [13:0] words[LANES * 3];
    logic [5:0] count[BANKS];
    logic [5:0] most;
    int found;
    logic seen;
    found = 0;
    most = 6'd1;
    for (int bank = 0; bank < BANKS; ++bank) count[bank] = 6'd0;
    for (int lane = 0; lane < LANES; ++lane)
      if (lane < int'(r.lanes)) begin
        logic [15:0] address;
        int first, last;
        address = r.address[lane*16+:16];
        first = int'(address) / 4;
        last = (int'(address) + int'(r.width) - 1) / 4;
        for (int word = 0; word < 3; ++word)
          if (first + word <= last) begin
            logic [13:0] number;
            number = 14'(first + word);
            seen = 1'b0;
            if (r.kind != ATOMIC)
              for (int i = 0; i < LANES * 3; ++i) if (i < found && words[i] == number) seen = 1'b1;
            if (!seen) begin
              words[found] = number;
              found = found + 1;
              count[number[3:0]] = count[number[3:0]] + 6'd1;
              if (count[number[3:0]] > most) most = count[number[3:0]];
            end
          end
      end
    return most;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- atomic operations ----
  function automatic logic is_nan(input logic [30:0] magnitude);
    return magnitude > 31'h7F800000;
  endfunction
  // A signalling NaN, which wins against everything.
  function automatic logic is_signaling(input logic [30:0] magnitude);
    return magnitude[30:22] == 9'h1FE && magnitude[21:0] != 22'd0;
  endfunction
  // Is a less than b? Neither is a NaN; zeros are equal.
  function automatic logic float_less(input logic [31:0] a, input logic [31:0] b);
    if (a[30:0] == 31'd0 && b[30:0] == 31'd0) return 1'b0;
    if (a[31] != b[31]) return a[31];
    return a[31] ? a[30:0] > b[30:0] : a[30:0] < b[30:0];
  endfunction
  function automatic logic float_equal(input logic [31:0] a, input logic [31:0] b);
    return !is_nan(a[30:0]) && !is_nan(b[30:0]) && (a == b || (a[30:0] == 31'd0 && b[30:0] == 31'd0));
  endfunction

  function automatic logic [63:0] modified(input logic [4:0] op, input logic wide, input logic [63:0] old,
                                           input logic [63:0] source0, input logic [63:0] source1);
    logic signed [63:0] signed_old, signed_source;
    signed_old = wide ? $signed(old) : 64'($signed(old[31:0]));
    signed_source = wide ? $signed(source0) : 64'($signed(source0[31:0]));
    case (op)
      5'd0, 5'd14: return old == source0 ? source1 : old;
      5'd1: return old & source0;
      5'd2: return old | source0;
      5'd3: return old ^ source0;
      5'd4: return source0;
      5'd5: return old + 64'd1;
      5'd6, 5'd15: return old - 64'd1;
      5'd7: return old + source0;
      5'd8: return old - source0;
      5'd9: return source0 - old;
      5'd10: return signed_old > signed_source ? old : source0;
      5'd11: return signed_old < signed_source ? old : source0;
      5'd12: return old > source0 ? old : source0;
      5'd13: return old < source0 ? old : source0;
      5'd17:
      return !is_signaling(old[30:0]) && (is_signaling(source0[30:0]) || is_nan(old[30:0]) ||
                                          (!is_nan(source0[30:0]) && float_less(old[31:0], source0[31:0]))) ? source0 : old;
      5'd18:
      return !is_signaling(old[30:0]) && (is_signaling(source0[30:0]) || is_nan(old[30:0]) ||
                                          (!is_nan(source0[30:0]) && float_less(source0[31:0], old[31:0]))) ? source0 : old;
      5'd19: return float_equal(old[31:0], source0[31:0]) ? source1 : old;
      default: return old;
    endcase
  endfunction

  // ---- responses on their way, one queue for each pipe: their times only grow ----
  logic [31:0] read_due [FLIGHT], write_due [FLIGHT];
  logic [11:0] read_ids [FLIGHT], write_ids [FLIGHT];
  logic [1023:0] read_results [FLIGHT];
  logic [9:0] read_head, read_tail, write_head, write_tail;

  assign read_valid = read_head != read_tail && read_due[read_head] == now;
  assign read_id = read_ids[read_head];
  assign read_result = read_results[read_head];
  assign write_valid = write_head != write_tail && write_due[write_head] == now;
  assign write_id = write_ids[write_head];

  // ---- one clock ----
  // Blocking assignments: several requests may be served in a clock, each after the one before it.
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk) begin
    if (!reset_n) begin
      queued = 4'd0;
      served = 2'd0;
      now = 32'd0;
      read_free = 32'd0;
      write_free = 32'd0;
      read_head = 10'd0;
      read_tail = 10'd0;
      write_head = 10'd0;
      write_tail = 10'd0;
    end else begin
      logic take, going;
      request_t r;
      take = request_valid && request_ready;
      if (read_valid) read_head = read_head + 10'd1;
      if (write_valid) write_head = write_head + 10'd1;
      now = now + 32'd1;
      if (take) begin
        r.id = request_id;
        r.kind = request_kind;
        r.op = request_op;
        r.width = request_width;
        r.lanes = request_lanes;
        r.address = request_address;
        r.source0 = request_source0;
        r.source1 = request_source1;
        r.enable = request_enable;
        queue[queued] = r;
        queued = queued + 4'd1;
      end
      // Serve from the head what finds its pipes free: at most one request for each.
      going = 1'b1;
      served = 2'd0;
      for (int turn = 0; turn < 2; ++turn)
        if (going && 4'(served) < queued) begin
          logic uses_read, uses_write;
          r = queue[4'(served)];
          uses_read = r.kind != WRITE;
          uses_write = r.kind != READ;
          if ((uses_read && reading_at(read_free)) || (uses_write && reading_at(write_free))) going = 1'b0;
          else begin
            logic [31:0] ends, due;
            logic [1023:0] result;
            logic [63:0] old, updated;
            ends = now + 32'(occupied(r));
            due = ends + 32'(latency) - 32'd2;
            result = '0;
            for (int lane = 0; lane < LANES; ++lane)
              if (lane < int'(r.lanes)) begin
                old = 64'd0;
                for (int b = 0; b < 8; ++b)
                  if (b < int'(r.width)) old[b*8+:8] = bytes[16'(r.address[lane*16+:16]+16'(b))];
                if (r.kind == WRITE) updated = r.source0[lane*64+:64];
                else
                  updated = modified(r.op, r.width == 4'd8, old,
                                     masked(r.width, r.source0[lane*64+:64]),
                                     masked(r.width, r.source1[lane*64+:64]));
                if (r.kind != READ)
                  for (int b = 0; b < 8; ++b)
                    if (b < int'(r.width) && (r.kind == ATOMIC || r.enable[lane*8+b]))
                      bytes[16'(r.address[lane*16+:16]+16'(b))] = updated[b*8+:8];
                // PREDEC returns the new value, all others the old one.
                result[lane*64+:64] = r.kind == ATOMIC && r.op == 5'd15 ? masked(r.width, updated) : old;
              end
            if (uses_read) begin
              read_free = ends;
              read_due[read_tail] = due;
              read_ids[read_tail] = r.id;
              read_results[read_tail] = result;
              read_tail = read_tail + 10'd1;
            end else begin
              write_due[write_tail] = due;
              write_ids[write_tail] = r.id;
              write_tail = write_tail + 10'd1;
            end
            if (uses_write) write_free = ends;
            served = served + 2'd1;
          end
        end
      for (int i = 0; i < QUEUE; ++i) if (i + int'(served) < QUEUE) queue[i] = queue[4'(i+int'(served))];
      queued = queued - 4'(served);
    end
  end
  /* verilator lint_on BLKSEQ */

  function automatic logic reading_at(input logic [31:0] free);
    return $signed(free - now) > 0;
  endfunction
  function automatic logic [63:0] masked(input logic [3:0] width, input logic [63:0] value);
    return width == 4'd8 ? value : {32'd0, value[31:0]};
  endfunction
endmodule
