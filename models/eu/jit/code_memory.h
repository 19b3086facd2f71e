// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace gen9::eu::jit {

/// Host code in pages of its own. They are written before they are executable, and never again.
class CodeMemory {
  public:
    CodeMemory() = default;
    /// Empty if the host gives no such memory.
    explicit CodeMemory(std::span<const std::uint8_t> code);
    CodeMemory(CodeMemory&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    CodeMemory& operator=(CodeMemory&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~CodeMemory();

    const std::uint8_t* data() const { return static_cast<const std::uint8_t*>(data_); }
    /// Bytes, in whole pages.
    std::size_t size() const { return size_; }
    bool empty() const { return data_ == nullptr; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace gen9::eu::jit
