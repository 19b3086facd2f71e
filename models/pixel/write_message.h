// SPDX-License-Identifier: Apache-2.0
/// Render target writes: what the registers of a message hold, and which pixels it writes.
///
/// A message carries a row of 8 or 16 slots. Its parts stand in this order, one register for each
/// eight slots: header (2), source-0 alpha, mask of samples (always 1), colour R G B A, of dual
/// source messages source 1 R G B A, depth, stencil (bytes). A replicated message has one register
/// of colour. Halves have one register for all slots.
///
/// Spec  RT-08, RT-13 to RT-28, CC-32; 003:7735-7994, 8065-8071, 8202
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/codec.h"
#include "interconnect/payload/pixel_record.h"
#include "interconnect/payload/subspans.h"
#include "pixel/alpha.h"

namespace gen9::pixel {

inline constexpr unsigned kWriteCode = 0xC, kReadCode = 0xD;  ///< descriptor [17:14]

enum class WriteSubtype : std::uint8_t { Simd16, Replicated, LowDual, HighDual, Simd8 };

struct WriteDescriptor {
    std::uint8_t binding = 0;
    WriteSubtype subtype = WriteSubtype::Simd16;
    bool upper = false;  ///< slots 16 to 31
    bool last = false;   ///< last render target select
    bool half = false;   ///< colours and source-0 alpha are halves (RT-26)

    unsigned slots() const {
        return subtype == WriteSubtype::Simd16 || subtype == WriteSubtype::Replicated ? 16 : 8;
    }
    /// The slot of the thread that lane 0 of the row is.
    unsigned first_slot() const {
        return (upper ? 16 : 0) + (subtype == WriteSubtype::HighDual ? 8 : 0);
    }
    bool dual() const {
        return subtype == WriteSubtype::LowDual || subtype == WriteSubtype::HighDual;
    }
};
/// None: the subtype is reserved.
std::optional<WriteDescriptor> read_descriptor(std::uint32_t descriptor);

/// Parts beside colour.
struct Presence {
    bool alpha0 = false, mask = false, depth = false, stencil = false;
};

/// What a header says, or the state of the dispatch in its place (RT-16).
struct WriteHeader {
    bool present = false;
    Presence parts;
    std::uint8_t target = 0;  ///< the entry of BLEND_STATE
    std::uint16_t pixels = 0xFFFF;
};
WriteHeader read_header(std::span<const std::uint32_t> registers);
WriteHeader dispatched_header(bool shader_mask, bool computed_depth, bool computed_stencil);

/// Where the parts are: numbers of registers, or `kAbsent`.
inline constexpr std::uint8_t kAbsent = 0xFF;
struct WriteLayout {
    std::uint8_t alpha0 = 0, mask = 0, color = 0, color1 = 0, depth = 0, stencil = 0;
    std::uint8_t total = 0;  ///< registers of the message
    /// Null, or why no message can look like that; it is read nevertheless, as its parts stand.
    const char* problem = nullptr;
};
WriteLayout write_layout(const WriteDescriptor& descriptor, const WriteHeader& header);

/// A message's pixels. Lane n is slot `descriptor.first_slot() + n`.
struct WriteRow {
    formats::Lanes color{};
    formats::Lanes color1{};  ///< only of dual source
    AlphaRow alpha0{};        ///< the own alpha if source-0 alpha is not sent (CC-09)
    SampleMasks mask{};       ///< all ones if not sent
    std::array<std::uint32_t, formats::kLanes> depth{};  ///< only if sent
    std::array<std::uint8_t, formats::kLanes> stencil{};
};
/// `registers`: the whole message, eight DWords a register. What lies behind its end reads as 0.
void read_row(const WriteDescriptor& descriptor, const WriteLayout& layout,
              std::span<const std::uint32_t> registers, WriteRow& row);

/// Lanes that are written: the pixels of the header, or else the channels of the send, which are lit.
/// `lit`: by slot of the thread.
std::uint32_t written_lanes(const WriteDescriptor& descriptor, const WriteHeader& header,
                            std::uint32_t execution_mask, std::uint32_t lit);

/// 2x2 pixels of a message's part of the thread that are lit and of which `lanes` has none.
inline unsigned killed(const PixelRecord& record, const WriteDescriptor& descriptor,
                       std::uint32_t lanes) {
    const std::uint32_t slots = (2u << (descriptor.slots() - 1)) - 1;
    const std::uint32_t lit = record.lit >> descriptor.first_slot() & slots;
    return slot_subspans(lit) - slot_subspans(lit & lanes);
}

/// Of the pixels' samples those that a mask of the shader leaves: `lanes` that are not written lose
/// all.
void mask_samples(std::uint32_t lanes, const SampleMasks& shader, SampleMasks& covered);

}  // namespace gen9::pixel
