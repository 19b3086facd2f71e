// SPDX-License-Identifier: Apache-2.0
/// A video engine that loses nothing, for an MPEG-2 encoder on the i965 driver; it is loaded before the
/// program (LD_PRELOAD), in front of the kernel interface. Of what is submitted to that engine it
/// writes down the macroblocks that the driver wants coded, and it makes the picture that later ones
/// refer to: a copy of the source.
///
///   VIDEO_CODER=FILE    a line of nine hexadecimal DWords for each macroblock, a blank line after
///                       each picture
#include <dlfcn.h>
#include <i915_drm.h>
#include <sys/ioctl.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Ioctl = int (*)(int, unsigned long, ...);
constexpr std::size_t kPage = 4096;

Ioctl next() {
    static const auto found = reinterpret_cast<Ioctl>(dlsym(RTLD_NEXT, "ioctl"));
    return found;
}

template <class Element>
Element* at(std::uint64_t address) {
    return reinterpret_cast<Element*>(static_cast<std::uintptr_t>(address));
}

/// A page of a buffer, in or out. False: the buffer has no such page.
template <class Request>
bool move_page(int file, unsigned long code, std::uint32_t handle, std::uint64_t offset,
               void* bytes) {
    Request request{};
    request.handle = handle;
    request.offset = offset;
    request.size = kPage;
    request.data_ptr = reinterpret_cast<std::uintptr_t>(bytes);
    return next()(file, code, &request) == 0;
}
bool read_page(int file, std::uint32_t handle, std::uint64_t offset, void* bytes) {
    return move_page<drm_i915_gem_pread>(file, DRM_IOCTL_I915_GEM_PREAD, handle, offset, bytes);
}

std::vector<std::uint32_t> contents(int file, std::uint32_t handle) {
    std::vector<std::uint32_t> dwords;
    std::uint32_t page[kPage / 4];
    for (std::uint64_t offset = 0; read_page(file, handle, offset, page); offset += kPage)
        dwords.insert(dwords.end(), std::begin(page), std::end(page));
    return dwords;
}

void copy(int file, std::uint32_t from, std::uint32_t to) {
    std::uint32_t page[kPage / 4];
    for (std::uint64_t offset = 0; read_page(file, from, offset, page); offset += kPage)
        if (!move_page<drm_i915_gem_pwrite>(file, DRM_IOCTL_I915_GEM_PWRITE, to, offset, page))
            return;
}

/// MFX_PIPE_BUF_ADDR_STATE: the reconstructed picture, then the source (DWords 1 and 7; of the first
/// there are two, without and with the filter of edges).
void reconstruct(int file, const drm_i915_gem_execbuffer2& submission,
                 const drm_i915_gem_exec_object2& buffer,
                 const std::vector<std::uint32_t>& dwords) {
    constexpr std::uint32_t kAddresses = 0x70020000;
    for (std::size_t i = 0; i < dwords.size(); ++i) {
        if ((dwords[i] & 0xFFFF0000) != kAddresses) continue;
        const auto target = [&](std::size_t dword) -> std::uint32_t {
            const auto* const relocations =
                at<const drm_i915_gem_relocation_entry>(buffer.relocs_ptr);
            for (std::uint32_t n = 0; n < buffer.relocation_count; ++n) {
                if (relocations[n].offset != 4 * (i + dword)) continue;
                const std::uint32_t handle = relocations[n].target_handle;
                return submission.flags & I915_EXEC_HANDLE_LUT
                           ? at<drm_i915_gem_exec_object2>(submission.buffers_ptr)[handle].handle
                           : handle;
            }
            return 0;
        };
        const std::uint32_t source = target(7);
        for (const std::size_t dword : {1, 4})
            if (const std::uint32_t to = target(dword); to && source) copy(file, source, to);
    }
}

void write_macroblocks(std::FILE* out, const std::vector<std::uint32_t>& dwords) {
    constexpr std::uint32_t kMacroblock = 0x73490007, kBatchEnd = 0x05000000;
    constexpr std::size_t kLength = 9;
    bool any = false;
    for (std::size_t i = 0; i + kLength <= dwords.size(); ++i) {
        if (any && dwords[i] == kBatchEnd) break;
        if (dwords[i] != kMacroblock) continue;
        any = true;
        for (std::size_t n = 0; n < kLength; ++n)
            std::fprintf(out, "%08x ", dwords[i + n]);
        std::fputc('\n', out);
        i += kLength - 1;
    }
    if (any) std::fputc('\n', out);
}

void code(int file, const drm_i915_gem_execbuffer2& submission) {
    const char* const path = std::getenv("VIDEO_CODER");
    if ((submission.flags & I915_EXEC_RING_MASK) != I915_EXEC_BSD || !path) return;
    std::FILE* const out = std::fopen(path, "a");
    if (!out) return;
    const auto* const buffers = at<const drm_i915_gem_exec_object2>(submission.buffers_ptr);
    for (std::uint32_t n = 0; n < submission.buffer_count; ++n) {
        const std::vector<std::uint32_t> dwords = contents(file, buffers[n].handle);
        if (buffers[n].relocation_count) reconstruct(file, submission, buffers[n], dwords);
        write_macroblocks(out, dwords);
    }
    std::fclose(out);
}

}  // namespace

extern "C" int ioctl(int file, unsigned long request, ...) noexcept {
    va_list list;
    va_start(list, request);
    void* const argument = va_arg(list, void*);
    va_end(list);
    if (request == DRM_IOCTL_I915_GEM_EXECBUFFER2 || request == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR)
        code(file, *static_cast<const drm_i915_gem_execbuffer2*>(argument));
    return next()(file, request, argument);
}
