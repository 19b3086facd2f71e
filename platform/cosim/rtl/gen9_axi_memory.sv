// SPDX-License-Identifier: Apache-2.0
// A memory controller with an AXI4 port: 128 data bits, 40 address bits, 4 id bits, INCR bursts.
//
// Four banks of DRAM, chosen by address bits 7:6, each with an open row of 4 KB. A burst waits for its
// bank, then takes ROW_HIT clocks if the bank's row is open, ROW_MISS if not. So answers of different
// banks come in another order than their requests, those of one id in order if the initiator has one of
// each under way. Reads return a beat a clock; writes are answered after their last beat and their bank.
// The bytes lie outside, in the devices: gen9_axi_read and gen9_axi_write (DPI-C) stand for their pins.
//
//   pin        dir  width  meaning
//   clk        in   1      rising edge
//   reset_n    in   1      synchronous, low: nothing under way
//   unit       in   32     strap: which memory the DPI functions mean
//   aw*, w*, b*, ar*, r*   AXI4 (IHI 0022), without size, burst, lock, cache, prot, qos, region
module gen9_axi_memory #(
    parameter int ROW_HIT = 40,
    parameter int ROW_MISS = 75,
    parameter int PLACES = 16
) (
    input  logic         clk,
    input  logic         reset_n,
    input  int           unit,
    input  logic         awvalid,
    output logic         awready,
    input  logic [39:0]  awaddr,
    input  logic [3:0]   awid,
    input  logic [7:0]   awlen,
    input  logic         wvalid,
    output logic         wready,
    input  logic [127:0] wdata,
    input  logic [15:0]  wstrb,
    input  logic         wlast,
    output logic         bvalid,
    input  logic         bready,
    output logic [3:0]   bid,
    output logic [1:0]   bresp,
    input  logic         arvalid,
    output logic         arready,
    input  logic [39:0]  araddr,
    input  logic [3:0]   arid,
    input  logic [7:0]   arlen,
    output logic         rvalid,
    input  logic         rready,
    output logic [3:0]   rid,
    output logic [1:0]   rresp,
    output logic [127:0] rdata,
    output logic         rlast
);
  import "DPI-C" function void gen9_axi_read(input int unit, input longint address, output bit [127:0] data);
  import "DPI-C" function void gen9_axi_write(input int unit, input longint address, input bit [127:0] data,
                                              input bit [15:0] strobes);

  typedef struct packed {
    logic        used;
    logic [3:0]  id;
    logic [39:0] address;
    logic [7:0]  length;
    logic [31:0] due;
  } burst_t;

  burst_t reads [PLACES];
  burst_t writes [PLACES];
  logic [31:0] now;
  logic [31:0] bank_free [4];
  logic [27:0] bank_row [4];

  // The write burst whose data come next; addresses are taken one at a time.
  logic        filling;
  logic [39:0] fill_address;
  logic [7:0]  fill_length;
  logic [3:0]  fill_id;

  // The read burst whose beats stand on R.
  logic        sending;
  logic [3:0]  send_id;
  logic [39:0] send_address;
  logic [7:0]  send_left;

  function automatic logic full(input burst_t places [PLACES]);
    logic all;
    all = 1'b1;
    for (int i = 0; i < PLACES; ++i) all = all && places[i].used;
    return all;
  endfunction

  logic reads_full, writes_full;
  assign arready = reset_n && !reads_full;
  assign awready = reset_n && !filling && !writes_full;
  assign wready = reset_n && filling;
  assign bresp = 2'd0;
  assign rresp = 2'd0;

  // When a burst that asks now will have been through its bank.
  /* verilator lint_off BLKSEQ */
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [31:0] through_bank(input logic [39:0] address);
    logic [31:0] start;
    logic [1:0] bank;
    bank = address[7:6];
    start = $signed(bank_free[bank] - now) > 0 ? bank_free[bank] : now;
    start = start + (bank_row[bank] == address[39:12] ? 32'(ROW_HIT) : 32'(ROW_MISS));
    bank_row[bank] = address[39:12];
    bank_free[bank] = start;
    return start;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk) begin
    if (!reset_n) begin
      for (int i = 0; i < PLACES; ++i) begin
        reads[i] = '0;
        writes[i] = '0;
      end
      for (int i = 0; i < 4; ++i) begin
        bank_free[i] = 32'd0;
        bank_row[i] = 28'hFFFFFFF;
      end
      now = 32'd0;
      filling = 1'b0;
      sending = 1'b0;
      bvalid = 1'b0;
      rvalid = 1'b0;
      rlast = 1'b0;
      reads_full = 1'b0;
      writes_full = 1'b0;
    end else begin
      int place;
      bit [127:0] beat;
      logic taken_aw, taken_w, taken_ar;
      taken_aw = awvalid && awready;
      taken_w = wvalid && wready;
      taken_ar = arvalid && arready;
      // 1. Answers that were taken.
      if (bvalid && bready) bvalid = 1'b0;
      if (rvalid && rready) begin
        rvalid = 1'b0;
        if (rlast) sending = 1'b0;
      end
      // 2. Requests.
      if (taken_ar) begin
        place = PLACES;
        for (int i = 0; i < PLACES; ++i) if (!reads[i].used && place == PLACES) place = i;
        reads[place[3:0]] = '{used: 1'b1, id: arid, address: araddr, length: arlen, due: through_bank(araddr)};
      end
      if (taken_w) begin
        gen9_axi_write(unit, {24'd0, fill_address}, wdata, wstrb);
        fill_address = fill_address + 40'd16;
        if (wlast) begin
          filling = 1'b0;
          place = PLACES;
          for (int i = 0; i < PLACES; ++i) if (!writes[i].used && place == PLACES) place = i;
          writes[place[3:0]] = '{used: 1'b1, id: fill_id, address: fill_address, length: fill_length,
                                 due: through_bank(fill_address - 40'd16)};
        end
      end
      if (taken_aw) begin
        filling = 1'b1;
        fill_address = awaddr;
        fill_length = awlen;
        fill_id = awid;
      end
      // 3. Answers that are due: of several the one that is due longest.
      if (!bvalid) begin
        place = PLACES;
        for (int i = 0; i < PLACES; ++i)
          if (writes[i].used && $signed(now - writes[i].due) >= 0 &&
              (place == PLACES || $signed(writes[place[3:0]].due - writes[i].due) > 0)) place = i;
        if (place != PLACES) begin
          bvalid = 1'b1;
          bid = writes[place[3:0]].id;
          writes[place[3:0]].used = 1'b0;
        end
      end
      if (!sending) begin
        place = PLACES;
        for (int i = 0; i < PLACES; ++i)
          if (reads[i].used && $signed(now - reads[i].due) >= 0 &&
              (place == PLACES || $signed(reads[place[3:0]].due - reads[i].due) > 0)) place = i;
        if (place != PLACES) begin
          sending = 1'b1;
          send_id = reads[place[3:0]].id;
          send_address = reads[place[3:0]].address;
          send_left = reads[place[3:0]].length;
          reads[place[3:0]].used = 1'b0;
        end
      end
      if (sending && !rvalid) begin
        gen9_axi_read(unit, {24'd0, send_address}, beat);
        rvalid = 1'b1;
        rid = send_id;
        rdata = beat;
        rlast = send_left == 8'd0;
        send_address = send_address + 40'd16;
        send_left = send_left - 8'd1;
      end
      reads_full = full(reads);
      writes_full = full(writes);
      now = now + 32'd1;
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule
