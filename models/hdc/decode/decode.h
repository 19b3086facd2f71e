// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/decode/message_table.h"
#include "interconnect/payload/atomics.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::hdc {

/// Binding table indices with a meaning of their own (DP-040, S-3).
enum BindingIndex : std::uint8_t {
    kFirstReservedIndex = 240,
    kBindless = 252,
    kStatelessNonCoherent = 253,
    kSlmIndex = 254,
    kStatelessCoherent = 255,
};

/// A decoded message points to one of these.
enum class AddressModel : std::uint8_t { Surface, A32, A64, Slm, None };

/// All requests of a message tell the memory this.
struct MemoryFacts {
    Requester requester = Requester::DataPort;
    bool slm = false;
    bool coherent = false;
    std::uint8_t mocs = 0;
};

/// An access that needs no plan (usual.h, scattered.h) has this from its descriptor alone.
struct UsualForm : MemoryFacts {
    bool possible = false;  ///< messages with the descriptor can do without; else nothing is set
    bool reads = false;
    std::uint8_t slots = 0, items = 0, item_bytes = 0;  ///< each slot accesses `items` elements
    std::uint16_t register_bytes = 0;                   ///< that go to or come from the registers
    std::uint16_t payload_at = 0;  ///< writes: first byte of the data in the payload

    unsigned slot_bytes() const { return unsigned{items} * item_bytes; }
    /// A read whose slots all take part returns so many registers.
    unsigned response_registers() const { return register_bytes / unsigned{kGrfBytes}; }
};

/// The descriptor of a message says all this. It depends on nothing but the function id, the
/// descriptor and the lengths on the sideband, so it can be kept and used again.
struct Decoded {
    const MessageRow* row = nullptr;
    const char* error = nullptr;  ///< why the descriptor is illegal; the message then does nothing

    AddressModel model = AddressModel::None;
    std::uint8_t binding_index = 0;
    bool header = false;
    std::uint8_t slots = 0;          ///< SIMD lanes: 8 or 16, 2 in pairs; 0 for blocks
    std::uint8_t elements = 1;       ///< consecutive items of a slot
    std::uint8_t element_bytes = 4;  ///< in memory
    std::uint8_t channels = 0xF;     ///< enabled channels of untyped and typed messages, R = bit 0
    std::uint8_t channel_count = 4;
    std::uint8_t slot_group = 0;   ///< first slot of the mask a typed message uses: 0 or 8
    bool wide_address = false;     ///< 64-bit addresses
    bool aligned = false;          ///< scattered: addresses are multiples of the element
    bool pair = false;             ///< SIMD4x2, dual block: two slots, each half of a register
    bool pixel_mask = false;       ///< the header's pixel sample mask takes part (DP-082)
    bool global_offset = false;    ///< the header's global offset is added (DP-110, DP-117)
    bool scaled = false;           ///< addresses are made as port 2 does (DP-116)
    bool scale = false;            ///< and multiplied, with the sideband offset added
    std::uint32_t multiplier = 1;  ///< of the offsets, when it is not in the header
    UsualForm usual;

    AtomicOp atomic = AtomicOp::Add;
    std::uint8_t operands = 0;  ///< source operands of an atomic
    bool split_words = false;   ///< 64-bit data as a register of low, then one of high DWords
    bool returns = false;       ///< atomics, fence: data comes back

    std::uint16_t block_bytes = 0;
    std::uint8_t register_offset = 0;  ///< bytes: the high half of a one-OWord block
    bool byte_offset = false;          ///< OWord aligned: the offset counts bytes
    bool channel_mode = false;  ///< the mask is read as `oword_mask` says, not as the operation
    bool oword_mask = false;    ///< a nibble of the mask with any bit set counts as full
    bool ignores_mask = false;
    std::uint16_t scratch_offset = 0;  ///< in registers
    bool flush_data = false;           ///< fence: modified L3 data is to be written back
    bool line_override = false;        ///< media: the descriptor overrides the vertical line stride
    std::uint8_t line_stride = 0, line_offset = 0;

    std::uint8_t address_registers = 0;  ///< of the address payload (typed: parameters given)
    std::uint8_t data_registers = 0;     ///< of the source payload
    std::uint8_t response_registers = 0;

    bool needs_surface = false;  ///< does nothing without one: typed, media, counters

    bool ok() const { return !error; }
    /// Slots are not simply offset after offset in a register.
    bool special() const { return pair || scaled; }
    bool coherent() const { return binding_index == kStatelessCoherent; }
    /// First register of the address payload, then of the data.
    unsigned address_at() const { return header ? 1 : 0; }
    unsigned data_at() const { return address_at() + address_registers; }
};

/// Reads a descriptor and checks it against the rules of its message.
Decoded decode(Sfid sfid, std::uint32_t descriptor, unsigned length, unsigned response_length,
               bool header_present);

/// Keeps what the last descriptors meant; kernels use few.
class DecodeCache {
  public:
    const Decoded& get(const Message& message) {
        const std::uint64_t key = std::uint64_t{message.descriptor & 0x7FFFF} |
                                  std::uint64_t{static_cast<std::uint8_t>(message.sfid)} << 19 |
                                  std::uint64_t{message.length} << 24 |
                                  std::uint64_t{message.response_length} << 32 |
                                  std::uint64_t{message.header_present} << 40;
        Entry& entry = entries_[key * 0x9E3779B97F4A7C15ull >> 56];
        if (entry.key != key) [[unlikely]]
            fill(entry, key, message);
        return entry.decoded;
    }

  private:
    static constexpr unsigned kEntries = 256;
    struct Entry {
        std::uint64_t key = ~0ull;
        Decoded decoded;
    };
    static void fill(Entry& entry, std::uint64_t key, const Message& message);
    Entry entries_[kEntries];
};

}  // namespace gen9::hdc
