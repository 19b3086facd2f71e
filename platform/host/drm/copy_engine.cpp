// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/copy_engine.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "common/bits.h"
#include "cs/command/predicate.h"
#include "packets/mi.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {
namespace {

using surface::Layout;
using surface::Tiling;

// Kinds of commands: bits 31:29; opcodes of MI commands: bits 28:23, of copies: bits 28:22.
constexpr unsigned kMemoryInterface = 0, kTwoDimensional = 2, kVideo = 3;
constexpr unsigned kEnd = 0x0A, kFirstLong = 0x10, kSemaphoreWait = 0x1C, kStoreData = 0x20,
                   kLoadRegister = 0x22, kStoreRegister = 0x24, kFlush = 0x26, kBatchStart = 0x31;
constexpr unsigned kFastCopy = 0x42, kFill = 0x50, kCopy = 0x53;
constexpr unsigned kRopCopy = 0xCC, kRopFill = 0xF0;
constexpr std::uint32_t kSwControl = 0x22200;

/// Batches may call each other so deep.
constexpr unsigned kMaxLevels = 3;

/// Bytes of a row that lie one after the other, from an aligned place on.
std::uint64_t run_bytes(Tiling tiling) {
    if (tiling == Tiling::Linear) return std::uint64_t{1} << 32;
    return tiling == Tiling::X ? 512 : 16;
}

constexpr std::uint64_t address_of(std::uint32_t low, std::uint32_t high) {
    return (std::uint64_t{high} << 32 | low) % kAddressSpaceBytes;
}

unsigned length_of(std::uint32_t header) {
    switch (bits(header, 31, 29)) {
        case kMemoryInterface:
            // Bit 7 of MI_FLUSH_DW is no part of its length.
            if (bits(header, 28, 23) == kFlush) return bits(header, 5, 0) + 2;
            return bits(header, 28, 23) < kFirstLong ? 1 : bits(header, 7, 0) + 2;
        case kTwoDimensional:
            return bits(header, 7, 0) + 2;
        default:
            return bits(header, 28, 27) == 1 ? 1 : bits(header, 11, 0) + 2;
    }
}

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

}  // namespace

CopyEngine::End CopyEngine::run(std::uint64_t batch) {
    last_ = {};
    steps_ = 0;
    end_ = End::Whole;
    return follow(batch % kAddressSpaceBytes);
}

CopyEngine::End CopyEngine::follow(std::uint64_t at) {
    std::uint64_t back[kMaxLevels];
    unsigned level = 0;
    std::vector<std::uint32_t> command;
    while (step(kStepsOfCommand)) {
        const auto header = bytes_at(at, 4);
        if (header.empty()) return End::Nowhere;
        command.resize(length_of(load<std::uint32_t>(header.data())));
        const auto bytes = bytes_at(at, 4 * command.size());
        if (bytes.empty()) return End::Nowhere;
        std::memcpy(command.data(), bytes.data(), 4 * command.size());
        at += 4 * command.size();
        const bool of_interface = bits(command[0], 31, 29) == kMemoryInterface;
        const unsigned opcode = bits(command[0], 28, 23);
        if (of_interface && opcode == kEnd) {
            if (level == 0) return End::Whole;
            at = back[--level];
        } else if (of_interface && opcode == kBatchStart) {
            constexpr unsigned kSecondLevel = 22;
            if (command.size() < 3) return End::Nowhere;
            if (bits(command[0], kSecondLevel, kSecondLevel)) {
                if (level == kMaxLevels) return End::Nowhere;
                back[level++] = at;
            }
            at = address_of(command[1] & ~3u, command[2]);
        } else if (of_interface && opcode == kSemaphoreWait && command.size() >= 4) {
            if (!wait_at_semaphore(command)) return End::Stopped;
        } else {
            carry_out(command);
        }
    }
    return end_;
}

bool CopyEngine::step(std::uint64_t count) {
    if (end_ != End::Whole) return false;
    steps_ += count;
    untold_ += count;
    if (steps_ > memory_.max_steps)
        end_ = End::Endless;
    else if (untold_ >= kStepsBetweenLooks && !memory_.goes_on(std::exchange(untold_, 0)))
        end_ = End::Stopped;
    return end_ == End::Whole;
}

/// Only the host can write what is polled: all batches of a program share one queue. False: the
/// batch does not come to its end.
bool CopyEngine::wait_at_semaphore(Words command) {
    namespace row = packets::MI_SEMAPHORE_WAIT;
    const auto compare = static_cast<unsigned>(row::CompareOperation.get(command));
    const auto data = static_cast<std::uint32_t>(row::SemaphoreDataDword.get(command));
    const std::uint64_t address = row::SemaphoreAddress.get(command) % kAddressSpaceBytes;
    if (row::RegisterPollMode.get(command)) {
        pass_over(command[0]);
        return true;
    }
    const auto word = bytes_at(address, sizeof data);
    if (word.empty()) return true;
    const std::atomic_ref<std::uint32_t> memory(*reinterpret_cast<std::uint32_t*>(word.data()));
    while (!cs::semaphore_passes(compare, memory, data))
        if (!memory_.wait_for_host("MI_SEMAPHORE_WAIT of a copy or video engine, at " +
                                   hex(address)))
            return false;
    memory_.waited();
    return true;
}

void CopyEngine::carry_out(Words command) {
    const std::uint32_t header = command[0];
    if (bits(header, 31, 29) == kMemoryInterface) return memory_interface(command);
    if (bits(header, 31, 29) == kTwoDimensional) {
        const unsigned opcode = bits(header, 28, 22);
        if ((opcode == kCopy || opcode == kFastCopy) && command.size() == 10)
            return copy(command, opcode == kFastCopy);
        if (opcode == kFill && command.size() == 7) return fill(command);
        return say(kNotModelled, "the command " + hex(header) + " of the copy engine");
    }
    pass_over(header);
}

void CopyEngine::pass_over(std::uint32_t header) {
    say(kPassedOver, "what video engines compute, from the command " + hex(header));
}

void CopyEngine::memory_interface(Words command) {
    const std::uint32_t header = command[0];
    const unsigned opcode = bits(header, 28, 23);
    if (opcode < kFirstLong) return;
    if (opcode == kStoreData && command.size() >= 4) {
        const bool whole = bits(header, 21, 21) && command.size() >= 5;
        return write(address_of(command[1] & ~3u, command[2]),
                     command[3] | (whole ? std::uint64_t{command[4]} << 32 : std::uint64_t{0}),
                     whole ? 8 : 4);
    }
    if (opcode == kFlush) {
        constexpr unsigned kWriteValue = 1, kWriteTimestamp = 3;
        const unsigned operation = bits(header, 15, 14);
        if (command.size() < 4 || bits(command[1], 2, 2)) return;
        const std::uint64_t address = address_of(command[1] & ~7u, command[2]);
        if (operation == kWriteTimestamp) return write(address, memory_.timestamp(), 8);
        // The command's length tells how long the value is.
        if (operation == kWriteValue && command.size() == 4) return write(address, command[3], 4);
        if (operation == kWriteValue)
            write(address, std::uint64_t{command[4]} << 32 | command[3], 8);
        return;
    }
    if (opcode == kLoadRegister) {
        for (std::size_t i = 1; i + 1 < command.size(); i += 2) {
            if (command[i] != kSwControl) continue;
            const std::uint32_t value = command[i + 1], mask = value >> 16;
            if (mask & 1) y_source_ = value & 1;
            if (mask & 2) y_destination_ = value & 2;
        }
        return;
    }
    // Registers are not kept: they tell what video engines have computed.
    if (opcode == kStoreRegister && command.size() == 4)
        write(address_of(command[2] & ~3u, command[3]), 0, 4);
    pass_over(header);
}

void CopyEngine::write(std::uint64_t address, std::uint64_t value, std::size_t bytes) {
    const auto to = bytes_at(address, bytes);
    if (!to.empty()) std::memcpy(to.data(), &value, bytes);
}

/// XY_SRC_COPY_BLT, and XY_FAST_COPY_BLT, which names its tilings itself and copies all bits.
void CopyEngine::copy(Words c, bool fast) {
    constexpr Tiling kFastTiling[] = {Tiling::Linear, Tiling::X, Tiling::Y, Tiling::Ys};
    constexpr std::uint8_t kBytes[] = {1, 2, 2, 4, 8, 16, 0, 0};
    const unsigned depth = fast ? bits(c[1], 26, 24) : bits(c[1], 25, 24);
    const unsigned bytes = kBytes[depth];
    Plane from{address_of(c[8], c[9]), {}}, to{address_of(c[4], c[5]), {}};
    if (fast) {
        from.layout.tiling = kFastTiling[bits(c[0], 21, 20)];
        to.layout.tiling = kFastTiling[bits(c[0], 14, 13)];
        // TileYF and TileYS share a number.
        if (from.layout.tiling == Tiling::Ys && bits(c[1], 31, 31)) from.layout.tiling = Tiling::Yf;
        if (to.layout.tiling == Tiling::Ys && bits(c[1], 30, 30)) to.layout.tiling = Tiling::Yf;
    } else {
        if (bits(c[0], 15, 15)) from.layout.tiling = y_source_ ? Tiling::Y : Tiling::X;
        if (bits(c[0], 11, 11)) to.layout.tiling = y_destination_ ? Tiling::Y : Tiling::X;
        if (bits(c[1], 23, 16) != kRopCopy || bits(c[1], 30, 30))
            return say(kNotModelled, "a copy with clipping or a raster operation");
    }
    if (bytes == 0) return say(kNotModelled, "a copy of another depth");
    const auto pitch = [](std::uint32_t field, Tiling tiling) {
        return tiling == Tiling::Linear ? field : 4 * field;
    };
    from.layout.pitch_bytes = pitch(bits(c[7], 15, 0), from.layout.tiling);
    to.layout.pitch_bytes = pitch(bits(c[1], 15, 0), to.layout.tiling);
    from.layout.element_bytes = to.layout.element_bytes = from.pixel_bytes = to.pixel_bytes =
        static_cast<std::uint8_t>(bytes);
    const auto half = [](std::uint32_t word, unsigned high) {
        return static_cast<std::int16_t>(word >> high);
    };
    const Rectangle rectangle{half(c[2], 0), half(c[2], 16), half(c[3], 0), half(c[3], 16)};
    const std::uint32_t mask = fast || bytes != 4 ? ~0u
                                                  : (bits(c[0], 21, 21) ? 0xFF00'0000u : 0u) |
                                                        (bits(c[0], 20, 20) ? 0x00FF'FFFFu : 0u);
    copy_rows(from, to, rectangle, half(c[6], 0) - rectangle.left, half(c[6], 16) - rectangle.top,
              mask);
}

namespace {

/// Writes the bits of whole pixels that a mask names; pixels that are not of 4 bytes have all.
void put(std::span<std::uint8_t> to, const std::uint8_t* from, std::uint32_t mask) {
    if (mask == ~0u) {
        std::memcpy(to.data(), from, to.size());
        return;
    }
    for (std::size_t at = 0; at < to.size(); at += 4) {
        const auto before = load<std::uint32_t>(&to[at]);
        store(&to[at], (before & ~mask) | (load<std::uint32_t>(from + at) & mask));
    }
}

}  // namespace

/// Rows of the rectangle, from (x + dx, y + dy). What overlaps is read before it is written.
void CopyEngine::copy_rows(const Plane& from, const Plane& to, Rectangle r, std::int64_t dx,
                           std::int64_t dy, std::uint32_t mask) {
    if (r.left >= r.right || r.top >= r.bottom) return;
    const std::int64_t width = r.right - r.left, bytes = from.pixel_bytes;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(width * bytes));
    const bool upwards = dy < 0;
    for (std::int64_t i = 0; i < r.bottom - r.top; ++i) {
        if (!step(2 * static_cast<std::uint64_t>(width) + kStepsOfRow)) return;
        const std::int64_t y = upwards ? r.bottom - 1 - i : r.top + i;
        for (std::int64_t x = 0; x < width;) {
            const auto pixels = from.pixels(r.left + x + dx, y + dy, width - x, *this);
            if (pixels.empty()) return;
            std::memcpy(&row[static_cast<std::size_t>(x * bytes)], pixels.data(), pixels.size());
            x += static_cast<std::int64_t>(pixels.size()) / bytes;
        }
        for (std::int64_t x = 0; x < width;) {
            const auto pixels = to.pixels(r.left + x, y, width - x, *this);
            if (pixels.empty()) return;
            put(pixels, &row[static_cast<std::size_t>(x * bytes)], mask);
            x += static_cast<std::int64_t>(pixels.size()) / bytes;
        }
    }
}

/// XY_COLOR_BLT.
void CopyEngine::fill(Words c) {
    constexpr std::uint8_t kBytes[] = {1, 2, 2, 4};
    if (bits(c[1], 23, 16) != kRopFill || bits(c[1], 30, 30))
        return say(kNotModelled, "a fill with clipping or a raster operation");
    const unsigned bytes = kBytes[bits(c[1], 25, 24)];
    Plane to{address_of(c[4], c[5]), {}};
    to.pixel_bytes = static_cast<std::uint8_t>(bytes);
    if (bits(c[0], 11, 11)) to.layout.tiling = y_destination_ ? Tiling::Y : Tiling::X;
    to.layout.pitch_bytes = bits(c[1], 15, 0) * (to.layout.tiling == Tiling::Linear ? 1 : 4);
    const std::uint32_t mask = bytes != 4 ? ~0u
                                          : (bits(c[0], 21, 21) ? 0xFF00'0000u : 0u) |
                                                (bits(c[0], 20, 20) ? 0x00FF'FFFFu : 0u);
    const auto half = [](std::uint32_t word, unsigned high) {
        return static_cast<std::int16_t>(word >> high);
    };
    const Rectangle r{half(c[2], 0), half(c[2], 16), half(c[3], 0), half(c[3], 16)};
    if (r.left >= r.right) return;
    const std::int64_t width = r.right - r.left;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(width) * bytes);
    for (std::size_t at = 0; at < row.size(); at += bytes)
        std::memcpy(&row[at], &c[6], bytes);
    for (std::int64_t y = r.top; y < r.bottom; ++y) {
        if (!step(static_cast<std::uint64_t>(width) + kStepsOfRow)) return;
        for (std::int64_t x = r.left; x < r.right;) {
            const auto pixels = to.pixels(x, y, r.right - x, *this);
            if (pixels.empty()) return;
            put(pixels, row.data(), mask);
            x += static_cast<std::int64_t>(pixels.size() / bytes);
        }
    }
}

std::span<std::uint8_t> CopyEngine::Plane::pixels(std::int64_t x, std::int64_t y,
                                                  std::int64_t count, CopyEngine& engine) const {
    if (x < 0 || y < 0 || layout.pitch_bytes == 0) return {};
    const auto column = static_cast<std::uint64_t>(x) * pixel_bytes;
    const auto offset = surface::tile_offset(layout, column, static_cast<std::uint64_t>(y));
    const std::uint64_t run = run_bytes(layout.tiling);
    const std::uint64_t most =
        std::min(static_cast<std::uint64_t>(count) * pixel_bytes, run - column % run);
    const auto found = engine.bytes_at((base + offset) % kAddressSpaceBytes, pixel_bytes, most);
    return found.first(found.size() / pixel_bytes * pixel_bytes);
}

/// At least `bytes` bytes, and as many more of the same buffer as there are, up to `most`.
std::span<std::uint8_t> CopyEngine::bytes_at(std::uint64_t address, std::size_t bytes,
                                             std::size_t most) {
    if (address < last_address_ || address - last_address_ >= last_.size()) {
        last_ = memory_.at(address);
        last_address_ = address;
    }
    const auto rest = last_.subspan(std::min(last_.size(), address - last_address_));
    if (rest.size() >= bytes) return rest.first(std::min(rest.size(), most));
    say(kNoMemory, "an access at " + hex(address) + ", where its program has no buffer");
    return {};
}

void CopyEngine::say(Topic topic, const std::string& text) {
    if (said_ >> topic & 1) return;
    said_ |= 1u << topic;
    say_(text);
}

}  // namespace gen9::drm
