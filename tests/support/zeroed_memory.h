// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gen9::test {

/// The bytes of a played memory, zeros at first. It costs the pages that are touched: a test that
/// makes one for each of its rounds does not fill megabytes each time. Pages before and behind it
/// end a test that leaves it.
class ZeroedMemory {
  public:
    /// `size`: whole pages.
    explicit ZeroedMemory(std::size_t size) : size_(size) {
        if (size % kPage != 0) throw std::invalid_argument("memory of parts of pages");
        void* const all = mmap(nullptr, size + 2 * kPage, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) throw std::bad_alloc();
        begin_ = static_cast<std::uint8_t*>(all) + kPage;
        if (size != 0 && mprotect(begin_, size, PROT_READ | PROT_WRITE) != 0) {
            munmap(all, size + 2 * kPage);
            throw std::bad_alloc();
        }
    }
    ZeroedMemory(const ZeroedMemory& other) : ZeroedMemory(other.size_) {
        std::ranges::copy(other, begin_);
    }
    ZeroedMemory(ZeroedMemory&& other) noexcept
        : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    ZeroedMemory& operator=(ZeroedMemory other) noexcept {
        std::swap(begin_, other.begin_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~ZeroedMemory() {
        if (begin_ != nullptr) munmap(begin_ - kPage, size_ + 2 * kPage);
    }

    std::size_t size() const { return size_; }
    std::uint8_t* data() { return begin_; }
    const std::uint8_t* data() const { return begin_; }
    std::uint8_t* begin() { return begin_; }
    std::uint8_t* end() { return begin_ + size_; }
    const std::uint8_t* begin() const { return begin_; }
    const std::uint8_t* end() const { return begin_ + size_; }
    std::uint8_t& operator[](std::size_t at) { return begin_[at]; }
    const std::uint8_t& operator[](std::size_t at) const { return begin_[at]; }
    std::uint8_t& at(std::size_t place) {
        if (place >= size_) throw std::out_of_range("beyond a played memory");
        return begin_[place];
    }
    bool operator==(const ZeroedMemory& other) const { return std::ranges::equal(*this, other); }
    bool operator==(const std::vector<std::uint8_t>& other) const {
        return std::ranges::equal(*this, other);
    }

  private:
    static constexpr std::size_t kPage = 4096;
    std::uint8_t* begin_ = nullptr;
    std::size_t size_;
};

}  // namespace gen9::test
