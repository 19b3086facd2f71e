// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "interconnect/payload/direct_lines.h"
#include "interconnect/payload/memory_request.h"

namespace gen9 {

/// Host memory behind the page of an address, when it may be touched directly.
struct DirectPage {
    std::uint8_t* host = nullptr;  ///< of the page's first byte; null: no direct access
    bool writable = false;
    DirectLines* lines = nullptr;  ///< where accesses are to be marked; null: nobody wants to know
    /// Bytes of the pages before it and behind it that may be touched in the same way, and follow
    /// one another in host memory.
    std::uint64_t before = 0, behind = 0;

    bool goes_to(std::uint64_t own_address, std::uint64_t address) const {
        return address - (own_address - before) < before + kPageBytes + behind;
    }
};

/// Pages that follow one another in host memory as they do in the machine's.
class Stretch {
  public:
    /// Finds an address and the bytes from there on; null says that the stretch does not hold all.
    std::uint8_t* find(std::uint64_t address, std::uint64_t bytes, bool reads) const {
        const std::uint64_t at = address - begin_;
        return at < bytes_ && bytes_ - at >= bytes && (reads || writable_) ? host_ + at : nullptr;
    }
    std::uint64_t begin() const { return begin_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Does a page come right before it or behind it, or is it still empty?
    bool borders(std::uint64_t page) const {
        return bytes_ == 0 || page == begin_ + bytes_ || page + kPageBytes == begin_;
    }
    /// Tells of a page that an access outside needs. The stretch becomes larger if the page goes on
    /// with it, and if all pages between do where it lies apart. Otherwise it stays as it is, or is
    /// of this page alone when more accesses have missed it than it has pages.
    /// `page(address)` gives the DirectPage at an address, without host memory where there is none.
    template <class Page>
    void add(std::uint64_t address, const DirectPage& direct, Page page) {
        if (bytes_ != 0) {
            if (address - begin_ + reach_ < bytes_ + 2 * reach_) {
                if (join(address, direct, page)) return;
                // Something else begins here: not every page behind it is to be looked at again.
                most_reach_ = std::max(most_reach_ / 2, kPageBytes);
                reach_ = std::min(reach_, most_reach_);
            } else {
                reach_ = std::min(2 * reach_, most_reach_);
            }
            if (++missed_ < bytes_ / kPageBytes) return;
        }
        missed_ = 0;
        begin_ = address - direct.before;
        host_ = direct.host - direct.before;
        bytes_ = direct.before + kPageBytes + direct.behind;
        writable_ = direct.writable;
    }

  private:
    template <class Page>
    bool join(std::uint64_t address, const DirectPage& direct, Page page) {
        const auto goes_on = [this](std::uint64_t at, const DirectPage& other) {
            return other.host == host_ + distance(at) && other.writable == writable_;
        };
        if (!goes_on(address, direct)) return false;
        const std::uint64_t from = std::min(begin_, address - direct.before);
        const std::uint64_t to = std::max(begin_ + bytes_, address + kPageBytes + direct.behind);
        for (std::uint64_t at = from; at != to;) {
            if (at - begin_ < bytes_)
                at = begin_ + bytes_;
            else if (direct.goes_to(address, at))
                at = address + kPageBytes + direct.behind;
            else if (goes_on(at, page(at)))
                at += kPageBytes;
            else
                return false;
        }
        host_ += distance(from);
        begin_ = from;
        bytes_ = to - from;
        return true;
    }
    std::ptrdiff_t distance(std::uint64_t at) const {
        return static_cast<std::ptrdiff_t>(at - begin_);
    }

    std::uint64_t begin_ = 0, bytes_ = 0;
    std::uint8_t* host_ = nullptr;
    bool writable_ = false;
    std::uint64_t missed_ = 0;  ///< accesses, since it began
    /// A page may be so far away for the pages between to be looked at. The reach grows when a page
    /// was too far, and shrinks where the pages between did not go on.
    std::uint64_t reach_ = 16 * kPageBytes, most_reach_ = 1024 * kPageBytes;
};

}  // namespace gen9
