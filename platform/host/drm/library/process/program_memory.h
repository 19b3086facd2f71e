// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gen9::drm {

/// Memory at an address that a program passes as a number.
template <class T>
T* at(std::uint64_t address) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

/// Copies memory at an address that the program passed; false where there is none, as the kernel
/// finds it out: without a signal.
bool copy_in(std::uint64_t address, void* to, std::size_t bytes);
bool copy_out(std::uint64_t address, const void* from, std::size_t bytes);

template <class T>
bool copy_in(std::uint64_t address, T& to) {
    return copy_in(address, &to, sizeof to);
}
template <class T>
bool copy_out(std::uint64_t address, const T& from) {
    return copy_out(address, &from, sizeof from);
}
/// A list of the program's; no address is an empty list, which has no memory.
template <class T>
bool copy_in(std::uint64_t address, std::size_t count, std::vector<T>& to) {
    to.resize(count);
    return count == 0 || copy_in(address, to.data(), count * sizeof(T));
}

}  // namespace gen9::drm
