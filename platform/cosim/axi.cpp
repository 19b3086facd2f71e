// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/axi.h"

#include <algorithm>

namespace gen9::platform {
namespace {

/// A burst may not cross a 4 KB border (A3.4.1).
bool crosses(std::uint64_t address, unsigned length) {
    const std::uint64_t first = address & ~std::uint64_t{AxiPins::kBeatBytes - 1};
    const std::uint64_t last = first + (length + 1u) * AxiPins::kBeatBytes - 1;
    return first >> 12 != last >> 12;
}

}  // namespace

std::string AxiChecker::check(const AxiPins& pins) {
    std::string broken = first_ ? std::string() : stable(pins);
    if (broken.empty()) broken = handshakes(pins);
    before_ = pins;
    first_ = false;
    return broken;
}

/// A value that is valid and was not taken stays as it is (A3.2.1).
std::string AxiChecker::stable(const AxiPins& pins) const {
    const AxiPins& b = before_;
    if (b.awvalid && !b.awready &&
        (!pins.awvalid || pins.awaddr != b.awaddr || pins.awid != b.awid || pins.awlen != b.awlen))
        return "A3.2.1: AW changed before AWREADY";
    if (b.wvalid && !b.wready &&
        (!pins.wvalid || pins.wdata != b.wdata || pins.wstrb != b.wstrb || pins.wlast != b.wlast))
        return "A3.2.1: W changed before WREADY";
    if (b.arvalid && !b.arready &&
        (!pins.arvalid || pins.araddr != b.araddr || pins.arid != b.arid || pins.arlen != b.arlen))
        return "A3.2.1: AR changed before ARREADY";
    if (b.bvalid && !b.bready && (!pins.bvalid || pins.bid != b.bid || pins.bresp != b.bresp))
        return "A3.2.1: B changed before BREADY";
    if (b.rvalid && !b.rready &&
        (!pins.rvalid || pins.rid != b.rid || pins.rdata != b.rdata || pins.rlast != b.rlast ||
         pins.rresp != b.rresp))
        return "A3.2.1: R changed before RREADY";
    return {};
}

std::string AxiChecker::handshakes(const AxiPins& pins) {
    // Answers first: they belong to what was taken in earlier clocks (A3.3.1).
    if (pins.bvalid && pins.bready) {
        if (pins.bid >= AxiPins::kIds || writes_[pins.bid] == 0)
            return "A3.3.1: BVALID for a write nobody asked for";
        if (answers_ == bursts_ended_) return "A3.3.1: BVALID before the last W beat";
        --writes_[pins.bid];
        ++answers_;
    }
    if (pins.rvalid && pins.rready) {
        if (pins.rid >= AxiPins::kIds || reads_[pins.rid] == 0)
            return "A3.3.1: RVALID for a read nobody asked for";
        auto& beats = read_beats_[pins.rid];
        const bool last = beats[0] == 1;
        if (pins.rlast != last)
            return last ? "A3.4.1: no RLAST at the last beat"
                        : "A3.4.1: RLAST before the last beat";
        if (--beats[0] == 0) {
            std::rotate(beats.begin(), beats.begin() + 1, beats.end());
            --reads_[pins.rid];
        }
    }
    if (pins.arvalid && pins.arready) {
        if (crosses(pins.araddr, pins.arlen)) return "A3.4.1: a read burst crosses 4 KB";
        if (reads_[pins.arid] == read_beats_[0].size())
            return "more reads of an id than are watched";
        read_beats_[pins.arid][reads_[pins.arid]++] = static_cast<std::uint8_t>(pins.arlen + 1);
    }
    if (pins.awvalid && pins.awready) {
        if (crosses(pins.awaddr, pins.awlen)) return "A3.4.1: a write burst crosses 4 KB";
        if (lengths_taken_ - bursts_ended_ == write_lengths_.size())
            return "more writes than are watched";
        write_lengths_[lengths_taken_++ % write_lengths_.size()] =
            static_cast<std::uint8_t>(pins.awlen + 1);
        ++writes_[pins.awid];
    }
    if (pins.wvalid && pins.wready) {
        if (bursts_ended_ == lengths_taken_)
            return "W before its AW: allowed, but not by this port";
        ++write_beats_;
        const bool last = write_beats_ == write_lengths_[bursts_ended_ % write_lengths_.size()];
        if (pins.wlast != last)
            return last ? "A3.4.1: no WLAST at the last beat"
                        : "A3.4.1: WLAST before the last beat";
        if (last) {
            ++bursts_ended_;
            write_beats_ = 0;
        }
    }
    return {};
}

}  // namespace gen9::platform
