// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace gen9::platform {

/// The pins of an AXI4 port of 128 data bits, 40 address bits and 4 id bits, as they stand in one
/// clock (public: AMBA AXI and ACE protocol specification, IHI 0022). Bursts are INCR, beats of 16
/// bytes; lock, cache, prot, qos and region are not there.
struct AxiPins {
    static constexpr unsigned kBeatBytes = 16;
    static constexpr unsigned kIds = 16;
    using Beat = std::array<std::uint8_t, kBeatBytes>;

    // Driven by the initiator.
    bool awvalid = false;
    std::uint64_t awaddr = 0;
    std::uint8_t awid = 0, awlen = 0;  ///< awlen: beats less 1
    bool wvalid = false, wlast = false;
    Beat wdata{};
    std::uint16_t wstrb = 0;  ///< bit = byte that is written
    bool bready = false;
    bool arvalid = false;
    std::uint64_t araddr = 0;
    std::uint8_t arid = 0, arlen = 0;
    bool rready = false;

    // Driven by the target.
    bool awready = false, wready = false, arready = false;
    bool bvalid = false;
    std::uint8_t bid = 0, bresp = 0;  ///< 0 OKAY, 2 SLVERR, 3 DECERR
    bool rvalid = false, rlast = false;
    std::uint8_t rid = 0, rresp = 0;
    Beat rdata{};
};

/// A target behind AXI pins: verilated RTL, or a model in a test.
class AxiTarget {
  public:
    virtual ~AxiTarget() = default;
    /// A rising edge: takes the pins as they stood before it and drives its own for the clock that
    /// begins.
    virtual void edge(AxiPins& pins) = 0;
};

/// Watches the pins of a port, clock by clock, and names the first rule that is broken. The rules'
/// numbers are chapters of the specification.
class AxiChecker {
  public:
    /// The pins as they stand in one clock. Returns the broken rule; empty: none.
    std::string check(const AxiPins& pins);

  private:
    std::string stable(const AxiPins& pins) const;
    std::string handshakes(const AxiPins& pins);

    bool first_ = true;
    AxiPins before_;
    std::array<unsigned, AxiPins::kIds> reads_{}, writes_{};  ///< addresses taken, not answered
    /// Beats that a read's response still owes, oldest first; beats of writes by address and by
    /// data.
    std::array<std::array<std::uint8_t, 64>, AxiPins::kIds> read_beats_{};
    unsigned write_beats_ = 0;
    std::array<std::uint8_t, 64> write_lengths_{};
    unsigned lengths_taken_ = 0, bursts_ended_ = 0, answers_ = 0;
};

}  // namespace gen9::platform
