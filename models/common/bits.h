// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gen9 {

/// Bits high..low of `value` (the PRM's own order), moved to bit 0.
template <class T>
constexpr T bits(T value, unsigned high, unsigned low) {
    static_assert(std::is_unsigned_v<T>);
    const unsigned width = high - low + 1;
    const T mask = width >= sizeof(T) * 8 ? ~T{0} : T((T{1} << width) - 1);
    return T(value >> low) & mask;
}

/// `value` with bits high..low replaced by `field`.
template <class T>
constexpr T with_bits(T value, unsigned high, unsigned low, T field) {
    static_assert(std::is_unsigned_v<T>);
    const unsigned width = high - low + 1;
    const T mask = width >= sizeof(T) * 8 ? ~T{0} : T((T{1} << width) - 1);
    return T((value & ~T(mask << low)) | T((field & mask) << low));
}

/// The low `width` bits of `value` as a two's complement number.
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned width) {
    const unsigned shift = 64 - width;
    return static_cast<std::int64_t>(value << shift) >> shift;
}

/// Reads a value of type T from unaligned little-endian bytes.
template <class T>
T load(const void* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Writes a value to unaligned little-endian bytes.
template <class T>
void store(void* bytes, T value) {
    std::memcpy(bytes, &value, sizeof value);
}

}  // namespace gen9
