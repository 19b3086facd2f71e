// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gen9::platform {

/// A kernel's instructions, in a file or in memory.
struct KernelText {
    std::string name;
    std::uint64_t address = 0;  ///< offset in the file, or graphics address
    std::vector<std::uint8_t> bytes;
};

/// Kernels of a device binary as Intel's offline compiler writes it: an ELF file with a section of
/// patch tokens or with a section per kernel ("zebin"), or bare patch tokens. Empty when the bytes
/// are none of these. Throws UserError, naming `file`, when they are but make no sense.
std::vector<KernelText> find_kernels(std::span<const std::uint8_t> bytes, const std::string& file);

/// An argument of a kernel.
struct KernelArgument {
    std::uint32_t number = 0;
    std::string name;                     ///< empty: the binary does not say it
    std::optional<std::uint8_t> surface;  ///< index in the binding table, of a buffer or an image
    bool operator==(const KernelArgument&) const = default;
};

/// The arguments of each kernel, by its name, of a device binary with patch tokens; none of any other.
/// Throws UserError as find_kernels.
std::map<std::string, std::vector<KernelArgument>> find_arguments(
    std::span<const std::uint8_t> bytes, const std::string& file);

/// Length of a kernel that starts at the first byte: up to the first instruction whose first
/// quarter is zero (padding; no instruction has that encoding), or all of it.
std::size_t kernel_length(std::span<const std::uint8_t> bytes);

}  // namespace gen9::platform
