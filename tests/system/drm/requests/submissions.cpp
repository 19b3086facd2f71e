// SPDX-License-Identifier: Apache-2.0
#include "tests/system/drm/requests/requests.h"

#include <poll.h>
#include <sys/stat.h>

#include <vector>

namespace requests {

/// A batch that writes a number behind itself; then what is wrong with submissions.
void of_submissions(int file, std::uint32_t number) {
    constexpr std::uint64_t kAddress = 0x1'0000'0000, kResult = 256;
    const std::uint32_t handle = make_buffer(file, kPage), sync = make_sync(file, 0);
    const std::uint32_t commands[] = {
        0x1000'0002, kAddress % (1ull << 32) + kResult, 1, number, 0x0500'0000, 0};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{handle, 0, 0, sizeof commands, address_of(commands)});
    drm_i915_gem_exec_object2 object{};
    object.handle = handle;
    object.offset = kAddress;
    object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
    drm_i915_gem_exec_fence fence{sync, I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer2 good{};
    good.buffers_ptr = address_of(&object);
    good.buffer_count = 1;
    good.flags = I915_EXEC_NO_RELOC | I915_EXEC_HANDLE_LUT | I915_EXEC_FENCE_ARRAY;
    good.cliprects_ptr = address_of(&fence);
    good.num_cliprects = 1;
    const auto submit = [&](drm_i915_gem_execbuffer2 a) {
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    const auto with = [&](auto change) {
        auto a = good;
        change(a);
        return submit(a);
    };
    using Exec = drm_i915_gem_execbuffer2;
    EXPECT(with([](Exec& a) { a.buffer_count = 0; }), EINVAL);
    EXPECT(with([](Exec& a) { a.buffers_ptr = 16; }), EFAULT);
    EXPECT(with([](Exec& a) { a.buffer_count = ~0u; }), EINVAL);
    EXPECT(with([](Exec& a) { a.flags |= std::uint64_t{1} << 40; }), EINVAL);
    EXPECT(with([](Exec& a) { a.rsvd1 = 4711; }), ENOENT);
    EXPECT(with([](Exec& a) { a.batch_start_offset = 4; }), EINVAL);
    EXPECT(with([](Exec& a) { a.batch_start_offset = 2 * kPage; }), EINVAL);
    EXPECT(with([](Exec& a) { a.cliprects_ptr = 16; }), EFAULT);
    const auto with_object = [&](auto change) {
        const auto before = object;
        change(object);
        const int error = submit(good);
        object = before;
        return error;
    };
    using Object = drm_i915_gem_exec_object2;
    EXPECT(with_object([](Object& o) { o.handle = 4711; }), ENOENT);
    EXPECT(with_object([](Object& o) { o.offset += 1; }), EINVAL);
    EXPECT(with_object([](Object& o) { o.offset = std::uint64_t{1} << 47; }), EINVAL);
    EXPECT(with_object([](Object& o) { o.flags |= std::uint64_t{1} << 40; }), EINVAL);
    fence.flags = I915_EXEC_FENCE_WAIT;
    EXPECT(submit(good), EINVAL);  // nobody signals it
    fence.handle = 4711;
    EXPECT(submit(good), ENOENT);
    fence = {sync, I915_EXEC_FENCE_SIGNAL};
    drm_i915_gem_execbuffer_ext_timeline_fences lines{};
    lines.base.next_extension = address_of(&lines);
    const auto chained = [&](Exec& a) {
        a.flags = I915_EXEC_NO_RELOC | I915_EXEC_USE_EXTENSIONS;
        a.cliprects_ptr = address_of(&lines);
        a.num_cliprects = 0;
    };
    EXPECT(with(chained), E2BIG);
    lines.base.name = 99;
    EXPECT(with(chained), EINVAL);

    auto fenced = good;
    fenced.flags |= I915_EXEC_FENCE_IN;
    fenced.rsvd2 = static_cast<std::uint32_t>(file);
    EXPECT(submit(fenced), EINVAL);  // no sync file
    fenced.flags = good.flags | I915_EXEC_FENCE_OUT;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &fenced), 0);
    const int first = static_cast<int>(fenced.rsvd2 >> 32);
    fenced.flags |= I915_EXEC_FENCE_IN;
    fenced.rsvd2 = static_cast<std::uint32_t>(first);
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &fenced), 0);
    const int second = static_cast<int>(fenced.rsvd2 >> 32);
    pollfd ends[] = {{second, POLLIN, 0}, {first, POLLIN, 0}};
    EXPECT(poll(ends, 1, 60'000), 1);
    EXPECT(poll(ends, 2, 0), 2);
    close(first);
    close(second);

    EXPECT(submit(good), 0);
    drm_syncobj_wait wait{};
    wait.handles = address_of(&sync);
    wait.count_handles = 1;
    wait.timeout_nsec = INT64_MAX;
    EXPECT(errno_of(file, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
    std::uint32_t written = 0;
    ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
        drm_i915_gem_pread{handle, 0, kResult, sizeof written, address_of(&written)});
    EXPECT(written, number);
    ASK(DRM_IOCTL_SYNCOBJ_DESTROY, 0, drm_syncobj_destroy{sync, 0});
    close_buffer(file, handle);
}

void of_untouched_buffer() {
    constexpr std::uint64_t kBytes = std::uint64_t{1} << 30, kAddress = 0x4'0000'0000,
                            kBatch = 0x3'0000'0000;
    constexpr std::uint32_t kNumber = 4711, kTimes = 100;
    const int file = open_device();
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = make_buffer(file, kBytes);
    objects[0].offset = kAddress;
    objects[0].flags = objects[1].flags =
        EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE;
    objects[1].handle = make_buffer(file, kPage);
    objects[1].offset = kBatch;
    const auto submit = [&](std::uint64_t to) {
        const std::uint32_t commands[] = {0x1000'0002,
                                          static_cast<std::uint32_t>(to),
                                          static_cast<std::uint32_t>(to >> 32),
                                          kNumber,
                                          0x0500'0000,
                                          0};
        ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
            drm_i915_gem_pwrite{objects[1].handle, 0, 0, sizeof commands, address_of(commands)});
        drm_i915_gem_execbuffer2 a{};
        a.buffers_ptr = address_of(objects);
        a.buffer_count = 2;
        EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
        ASK(DRM_IOCTL_I915_GEM_WAIT, 0, drm_i915_gem_wait{objects[0].handle, 0, -1});
    };
    drm_prime_handle shared{objects[0].handle, DRM_CLOEXEC, -1};
    EXPECT(errno_of(file, DRM_IOCTL_PRIME_HANDLE_TO_FD, &shared), 0);
    const auto memory = [&] {
        struct stat status {};
        EXPECT(fstat(shared.fd, &status), 0);
        return static_cast<std::uint64_t>(status.st_blocks) * 512;
    };
    for (std::uint32_t i = 0; i < kTimes; ++i)
        submit(kBatch + Batch::kResult);
    EXPECT(memory(), 0);
    // What is touched costs what it is long, at most a page of 2 MB.
    submit(kAddress + kBytes - 4);
    EXPECT(memory() > 0 && memory() <= 2 << 20, true);
    EXPECT(word_of(file, objects[0].handle, kBytes - 4), kNumber);
    close(shared.fd);
    close(file);
}

/// Buffers whose places the kernel chooses: a batch writes a number into another buffer, whose
/// address the kernel writes into it.
void of_placement(int file, std::uint32_t number) {
    const std::uint32_t target = make_buffer(file, 2 * kPage), batch = make_buffer(file, kPage);
    const std::uint32_t commands[] = {0x1000'0002, 0, 0, number, 0x0500'0000, 0};
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{batch, 0, 0, sizeof commands, address_of(commands)});
    drm_i915_gem_relocation_entry relocation{};
    relocation.target_handle = target;
    relocation.delta = kPage;
    relocation.offset = 4;
    relocation.presumed_offset = ~std::uint64_t{0};
    relocation.read_domains = relocation.write_domain = I915_GEM_DOMAIN_RENDER;
    // That the target is written only the relocation says, as drivers of that time do.
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = target;
    objects[0].alignment = 1 << 16;
    objects[1].handle = batch;
    objects[1].relocation_count = 1;
    objects[1].relocs_ptr = address_of(&relocation);
    drm_i915_gem_execbuffer2 good{};
    good.buffers_ptr = address_of(objects);
    good.buffer_count = 2;
    good.flags = I915_EXEC_RENDER;
    const auto with = [&](auto change) {
        const auto before = relocation;
        auto a = good;
        change(relocation, a);
        const int error = errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
        relocation = before;
        return error;
    };
    using Entry = drm_i915_gem_relocation_entry;
    using Exec = drm_i915_gem_execbuffer2;
    EXPECT(with([](Entry& e, Exec&) { e.target_handle = 4711; }), ENOENT);
    EXPECT(with([](Entry& e, Exec&) { e.offset = kPage - 4; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.offset = 2; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.write_domain = 6; }), EINVAL);
    EXPECT(with([](Entry& e, Exec&) { e.read_domains = I915_GEM_DOMAIN_CPU; }), EINVAL);
    const auto by_place = [](std::uint32_t place) {
        return [=](Entry& e, Exec& a) {
            e.target_handle = place;
            a.flags |= I915_EXEC_HANDLE_LUT;
        };
    };
    EXPECT(with(by_place(2)), ENOENT);
    EXPECT(with(by_place(0)), 0);
    objects[1].relocs_ptr = 16;
    EXPECT(with([](Entry&, Exec&) {}), EFAULT);
    objects[1].relocs_ptr = address_of(&relocation);
    objects[0].alignment = 3;
    EXPECT(with([](Entry&, Exec&) {}), EINVAL);
    objects[0].alignment = 1 << 16;

    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &good), 0);
    EXPECT(relocation.presumed_offset, objects[0].offset);
    EXPECT(objects[0].offset % (1 << 16), 0);
    EXPECT(objects[0].offset != objects[1].offset && objects[1].offset >> 32 == 0, true);
    const auto word = [&](std::uint32_t handle, std::uint64_t offset) {
        std::uint32_t value = 0;
        ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
            drm_i915_gem_pread{handle, 0, offset, sizeof value, address_of(&value)});
        return value;
    };
    EXPECT(word(batch, 4), objects[0].offset + kPage);
    EXPECT(word(target, kPage - 4), 0);
    EXPECT(word(target, kPage), number);
    // What is right already is left alone; nothing moves.
    const std::uint64_t places[] = {objects[0].offset, objects[1].offset};
    good.flags |= I915_EXEC_NO_RELOC;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &good), 0);
    EXPECT(objects[0].offset, places[0]);
    EXPECT(objects[1].offset, places[1]);
    close_buffer(file, target);
    close_buffer(file, batch);
}

/// The copy engine fills a buffer; a video engine writes a value.
void of_other_engines(int file, std::uint32_t colour) {
    constexpr std::uint32_t kFill = 0x5430'0005, kColour32 = 3u << 24, kRop = 0xF0u << 16,
                            kEnd = 0x0500'0000, kTo = 0x2000'0000;
    const std::uint32_t target = make_buffer(file, 2 * kPage), batch = make_buffer(file, kPage);
    drm_i915_gem_exec_object2 objects[2]{};
    objects[0].handle = target;
    objects[0].offset = kTo;
    objects[0].flags = EXEC_OBJECT_WRITE | EXEC_OBJECT_PINNED;
    objects[1].handle = batch;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(objects);
    a.buffer_count = 2;
    const auto submit = [&](const std::vector<std::uint32_t>& commands, std::uint64_t ring) {
        ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
            drm_i915_gem_pwrite{batch, 0, 0, commands.size() * 4, address_of(commands.data())});
        a.flags = ring;
        return errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a);
    };
    const auto word = [&](std::uint64_t offset) {
        std::uint32_t value = 0;
        ASK(DRM_IOCTL_I915_GEM_PREAD, 0,
            drm_i915_gem_pread{target, 0, offset, sizeof value, address_of(&value)});
        return value;
    };
    EXPECT(submit({kFill, kColour32 | kRop | 256, 0, 16u << 16 | 64, kTo + kPage, 0, colour, kEnd},
                  I915_EXEC_BLT),
           0);
    EXPECT(word(kPage - 4), 0);
    EXPECT(word(kPage), colour);
    EXPECT(word(2 * kPage - 4), colour);
    EXPECT(submit({0x1000'0002, kTo, 0, colour, kEnd}, I915_EXEC_BSD), 0);
    EXPECT(word(0), colour);
    EXPECT(submit({0x1000'0002, kTo + 4, 0, colour, kEnd, 0}, I915_EXEC_VEBOX), 0);
    EXPECT(word(4), colour);
    EXPECT(submit({kEnd, 0}, 5), EINVAL);
    close_buffer(file, target);
    close_buffer(file, batch);
}

}  // namespace requests
