// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace gen9::eu::test {

/// The compiled kernels below a folder (`..._KernelHeap.dat`), in the order of their paths.
inline std::vector<std::vector<std::uint8_t>> kernel_files(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().filename().string().ends_with("_KernelHeap.dat"))
            paths.push_back(entry.path().string());
    std::ranges::sort(paths);
    std::vector<std::vector<std::uint8_t>> kernels;
    for (const std::string& path : paths) {
        std::ifstream file(path, std::ios::binary);
        kernels.emplace_back(std::istreambuf_iterator<char>(file),
                             std::istreambuf_iterator<char>());
    }
    return kernels;
}

/// Those the build compiled; none where it has no compiler.
inline std::vector<std::vector<std::uint8_t>> compiled_kernels() {
#ifdef GEN9_FUZZ_KERNELS
    return kernel_files(GEN9_FUZZ_KERNELS);
#else
    return {};
#endif
}

}  // namespace gen9::eu::test
