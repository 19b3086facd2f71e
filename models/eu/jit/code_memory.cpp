// SPDX-License-Identifier: Apache-2.0
#include "eu/jit/code_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace gen9::eu::jit {

CodeMemory::CodeMemory(std::span<const std::uint8_t> code) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t size = (code.size() + page - 1) / page * page;
    if (size == 0) return;
    void* const at =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return;
    std::memcpy(at, code.data(), code.size());
    if (mprotect(at, size, PROT_READ | PROT_EXEC) != 0) {
        munmap(at, size);
        return;
    }
    data_ = at;
    size_ = size;
}

CodeMemory::~CodeMemory() {
    if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace gen9::eu::jit
