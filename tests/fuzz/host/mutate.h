// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace gen9::platform::test {

/// Damages bytes in the ways hostile and broken peers do. The seed decides everything.
class Mutator {
  public:
    explicit Mutator(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

    std::vector<std::uint8_t> mutate(std::vector<std::uint8_t> bytes) {
        for (std::uint32_t n = 1 + below(6); n != 0 && !bytes.empty(); --n)
            change(bytes);
        return bytes;
    }

  private:
    void change(std::vector<std::uint8_t>& bytes) {
        static constexpr std::uint32_t kInteresting[] = {
            0,     1,      4,      5,       12,          0x7F,        0xFF,
            0xFFF, 0x1000, 0xFFFF, 0x10000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
            case 0:
                bytes[at] ^= static_cast<std::uint8_t>(1u << below(8));
                break;
            case 1:
                bytes[at] = static_cast<std::uint8_t>(random_());
                break;
            case 2:
                bytes.resize(at);
                break;
            case 3: {  // a whole field
                const std::uint32_t value = kInteresting[below(std::size(kInteresting))];
                if (at / 4 * 4 + 4 <= bytes.size()) std::memcpy(&bytes[at / 4 * 4], &value, 4);
                break;
            }
            case 4:  // something is missing
                bytes.erase(
                    bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    bytes.begin() + static_cast<std::ptrdiff_t>(at + below(bytes.size() - at + 1)));
                break;
            default: {  // something comes twice
                const auto part = std::vector<std::uint8_t>(
                    bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    bytes.begin() +
                        static_cast<std::ptrdiff_t>(
                            at + below(std::min<std::size_t>(64, bytes.size() - at) + 1)));
                const auto to = below(bytes.size());
                bytes.insert(bytes.begin() + to, part.begin(), part.end());
            }
        }
    }

    std::mt19937 random_;
};

}  // namespace gen9::platform::test
