// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/arf.h"

#include <cstring>

#include "common/bits.h"
#include "eu/thread/exceptions.h"

namespace gen9::eu {

namespace {

template <class T, std::size_t N>
void copy_out(std::array<std::uint8_t, 32>& image, const std::array<T, N>& words) {
    static_assert(sizeof words <= 32);
    std::memcpy(image.data(), words.data(), sizeof words);
}

/// Places the bytes of an element into a register kept as an array of words.
template <class T, std::size_t N>
void copy_in(std::array<T, N>& words, unsigned offset, unsigned size, std::uint64_t value) {
    if (offset + size > sizeof words) return;
    std::memcpy(reinterpret_cast<std::uint8_t*>(words.data()) + offset, &value, size);
}

/// Writes of words keep 16 bits in a0.0 and a0.1 only, 12 in the others (EU-073). A DWord keeps all of
/// its bits: it may be the extended descriptor of a split send (Public: mesa names bindless surfaces
/// in a0.1:ud).
void write_address(Thread& thread, unsigned offset, unsigned size, std::uint64_t value) {
    copy_in(thread.address, offset, size, value);
    const std::size_t word = offset / 2;
    if (size <= 2 && word >= 2 && word < thread.address.size()) thread.address[word] &= 0xFFF;
}

void write_control(Thread& thread, unsigned offset, unsigned size, std::uint64_t value) {
    const std::uint32_t before = thread.control[0];
    copy_in(thread.control, offset, size, value);
    thread.control[0] &= cr0::kDefined;
    // The master exception bit can only be cleared: the way out of the system routine (EU-100).
    if (!(before & cr0::kMaster)) thread.control[0] &= ~cr0::kMaster;
    thread.control[1] &= cr1::kDefined;
    thread.control[2] &= ~7u;
    thread.control[3] = 0;  // EU-103
}

/// Software may write the IEEE exception bits of sr0 (EU-146); sr1 is storage of the system
/// routine's (EU-097).
void write_state(Thread& thread, unsigned number, unsigned offset, unsigned size,
                 std::uint64_t value) {
    if (number != 0) return copy_in(thread.hardware_state, offset, size, value);
    auto state = thread.state;
    copy_in(state, offset, size, value);
    thread.state[1] = (thread.state[1] & ~sr0::kExceptions) | (state[1] & sr0::kExceptions);
}

}  // namespace

std::array<std::uint8_t, 32> read_arf(const Thread& thread, std::uint8_t reg) {
    std::array<std::uint8_t, 32> image{};
    switch (static_cast<isa::Arf>(reg >> 4)) {
        case isa::Arf::Address:
            copy_out(image, thread.address);
            break;
        case isa::Arf::Flag:
            store(image.data(), thread.flag[reg & 1]);
            break;
        case isa::Arf::ChannelEnable:
            store(image.data(), thread.active);
            break;
        case isa::Arf::StackPointer:
            copy_out(image, thread.stack);
            break;
        case isa::Arf::State:
            copy_out(image, (reg & 15) == 0 ? thread.state : thread.hardware_state);
            break;
        case isa::Arf::Control:
            copy_out(image, thread.control);
            break;
        case isa::Arf::Notification:
            copy_out(image, thread.notification);
            break;
        case isa::Arf::Ip:
            store(image.data(), thread.ip);
            break;
        case isa::Arf::ThreadDependency:
            copy_out(image, thread.dependency);
            break;
        case isa::Arf::Timestamp:
            copy_out(image, thread.timestamp);
            break;
        case isa::Arf::Accumulator:
            // acc2..acc9 hold two bits of each DWord (EU-086).
            if ((reg & 15) >= 2 && (reg & 15) <= 9)
                for (unsigned i = 0; i < 8; ++i)
                    image[4 * i] = thread.special_acc[(reg & 15) - 2][i];
            break;
        case isa::Arf::Debug:
            copy_out(image, thread.debug);
            break;
        case isa::Arf::Null:
        case isa::Arf::Message:
        case isa::Arf::FlowControl:  // exceptions.h
            break;
    }
    return image;
}

bool write_arf(Thread& thread, std::uint8_t reg, unsigned offset, unsigned size,
               std::uint64_t value, std::uint32_t& ip_target) {
    switch (static_cast<isa::Arf>(reg >> 4)) {
        case isa::Arf::Address:
            write_address(thread, offset, size, value);
            break;
        case isa::Arf::Flag:
            if (offset + size <= 4)
                std::memcpy(reinterpret_cast<std::uint8_t*>(&thread.flag[reg & 1]) + offset, &value,
                            size);
            break;
        case isa::Arf::StackPointer:
            copy_in(thread.stack, offset, size, value);
            for (std::uint64_t& pointer : thread.stack)
                pointer &= 0xFFFFFFFFFFFFu;  // EU-093
            break;
        case isa::Arf::Control:
            write_control(thread, offset, size, value);
            break;
        case isa::Arf::Notification:
            // n0.0 and n0.2 change places on a write (EU-106, 003:20087).
            copy_in(thread.notification,
                    offset < 4    ? offset + 8
                    : offset >= 8 ? offset - 8
                                  : offset,
                    size, value);
            break;
        case isa::Arf::Ip:
            ip_target = static_cast<std::uint32_t>(value) & ~7u;  // EU-107
            return true;
        case isa::Arf::ThreadDependency:
            // A write can only clear the valid bit (EU-108).
            for (unsigned i = offset / 2; i < (offset + size) / 2 && i < 8; ++i)
                thread.dependency[i] &= 0x7FFF;
            break;
        case isa::Arf::Accumulator:
            if ((reg & 15) >= 2 && (reg & 15) <= 9)
                thread.special_acc[(reg & 15) - 2][offset / 4 & 7] = value & 3;
            break;
        case isa::Arf::State:
            write_state(thread, reg & 15, offset, size, value);
            break;
        case isa::Arf::Debug:
            copy_in(thread.debug, offset, size, value);
            break;
        case isa::Arf::Null:
        case isa::Arf::ChannelEnable:
        case isa::Arf::Message:
        case isa::Arf::Timestamp:
        case isa::Arf::FlowControl:
            break;
    }
    return false;
}

}  // namespace gen9::eu
