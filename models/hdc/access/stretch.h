// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "interconnect/direct_lines.h"
#include "interconnect/memory_request.h"

namespace gen9::hdc {

/// Host memory behind the page of an address, when it may be touched directly.
struct DirectPage {
    std::uint8_t* host = nullptr;  ///< of the page's first byte; null: no direct access
    bool writable = false;
    DirectLines* lines = nullptr;  ///< where accesses are to be marked; null: nobody wants to know
};

/// Pages that follow one another in host memory as they do in the machine's.
class Stretch {
  public:
    /// Of an address and the bytes from there on: null unless the stretch holds them all.
    std::uint8_t* find(std::uint64_t address, unsigned bytes, bool reads) const {
        const std::uint64_t at = address - begin_;
        return at < bytes_ && bytes_ - at >= bytes && (reads || writable_) ? host_ + at : nullptr;
    }
    /// Makes the stretch one that holds the page: larger if the page goes on with it, and if all
    /// pages between do where it lies a little apart; else of this page alone. `page(address)`
    /// gives the DirectPage at an address, without host memory where it is not known.
    template <class Page>
    void add(std::uint64_t address, const DirectPage& direct, Page page) {
        const auto goes_on = [this](std::uint64_t at, const DirectPage& other) {
            return other.host == host_ + distance(at) && other.writable == writable_;
        };
        std::uint64_t from = begin_, to = begin_ + bytes_;
        bool joins = bytes_ != 0 && address - from + kReachBytes < bytes_ + 2 * kReachBytes &&
                     goes_on(address, direct);
        while (joins && address >= to) {
            joins = to == address || goes_on(to, page(to));
            to += kPageBytes;
        }
        while (joins && address < from) {
            from -= kPageBytes;
            joins = from == address || goes_on(from, page(from));
        }
        if (!joins) {
            *this = {};
            begin_ = address;
            host_ = direct.host;
            bytes_ = kPageBytes;
            writable_ = direct.writable;
            return;
        }
        host_ += distance(from);
        begin_ = from;
        bytes_ = to - from;
    }

  private:
    std::ptrdiff_t distance(std::uint64_t at) const {
        return static_cast<std::ptrdiff_t>(at - begin_);
    }
    /// How far away a page may be for the pages between to be looked at.
    static constexpr std::uint64_t kReachBytes = 16 * kPageBytes;
    std::uint64_t begin_ = 0, bytes_ = 0;
    std::uint8_t* host_ = nullptr;
    bool writable_ = false;
};

}  // namespace gen9::hdc
