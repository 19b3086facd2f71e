// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "common/bits.h"
#include "interconnect/payload/message.h"
#include "vme/message/shapes.h"

namespace gen9::vme {

/// Descriptor bits 14:13 (VME-02).
enum class MessageType : std::uint8_t {
    Mesh = 0,    ///< IDM: raw distortions of every position
    Check = 1,   ///< SIC: skip check and intra prediction
    Search = 2,  ///< IME: integer search
    Refine = 3,  ///< FBR: fractional and bidirectional refinement
};
const char* to_text(MessageType type);

struct Point {
    std::int32_t x = 0, y = 0;
};

/// M0.3[1:0]: the part of the macroblock that is worked on.
enum class SourceSize : std::uint8_t { S16x16 = 0, S16x8 = 1, S8x8 = 3 };

/// M0.3[10:8] (VME-14).
enum class SearchControl : std::uint8_t {
    Single = 0,
    DualStart = 1,
    DualRecord = 3,  ///< of one reference
    DualReference = 7,
};

/// The costs of phase 2, decoded (VME-31, VME-45).
struct Costs {
    std::array<std::uint32_t, 9> mode{};  ///< by index of LUT_MbMode (VME-46)
    std::uint32_t bias = 0;               ///< mode 9 without its sign
    bool bias_forward = false;            ///< it is added to forward parts (VME-47)
    std::uint32_t ref_id = 0, chroma = 0;
    std::array<std::uint32_t, 8> vector{};
};

/// The universal input phases M0 to M3 (VME-09..VME-34). Fields that a type does not use are
/// decoded as well and have no effect.
struct Inputs {
    MessageType type = MessageType::Search;
    bool stream_in = false, stream_out = false;
    std::uint8_t binding_index = 0;

    std::array<Point, 2> window{};  ///< corner, from the source block's (VME-09)
    Point source;
    SourceSize size = SourceSize::S16x16;
    std::uint8_t remap = 0;
    bool source_field = false, reference_field = false;
    SearchControl control = SearchControl::Single;
    bool split_path = false;  ///< DualSearchPath
    bool half = false, quarter = false;
    bool skip_8x8 = false, transform = false, no_bidirectional = false, block_skip = false;
    bool inter_haar = false, intra_haar = false;
    std::uint8_t shape_mask = 0;  ///< bit set: not searched
    std::uint32_t window_width = 0, window_height = 0;

    std::uint32_t early_stop = 0;
    bool early_stop_enabled = false;
    bool transform_8x8 = false, x_only = false, bidirectional_all = false, adaptive = false,
         skip = false;
    bool one_direction = false;  ///< UniMixDisable
    std::uint8_t weight = 0;     ///< of the backward prediction, of 64
    std::uint8_t polarity = 0;   ///< bit k: of forward block k; bit 4 + k: backward
    bool wide_vector_cost = false;
    std::uint8_t most_vectors = 0;
    std::uint8_t path_length = 0, most_units = 0;
    std::array<Point, 2> start{};  ///< in search units
    std::uint32_t block_weights = 0;
    std::array<std::array<std::uint8_t, 2>, 4> ref_id{};  ///< by block, direction
    std::uint8_t intra_mask = 0, intra_structure = 0;
    bool corners_swapped = false;
    bool skip_vector_cost = false, skip_mode_cost = false;
    std::uint8_t vector_unit = 0;
    bool bilinear = false, bottom_source = false, weighted = false, haar_without_dc = false,
         linear_ref_cost = false;
    bool mesh_8x8 = false;
    std::uint8_t skip_mask = 0;

    Costs costs;
    MajorMode major = MajorMode::M16x16;
    std::array<MinorMode, 4> minor{};
    std::array<Direction, 4> direction{};  ///< of parts: forward or backward
    std::array<std::uint16_t, 7> threshold{};
    std::array<std::array<Vector, 2>, 4> centre{};  ///< by block, direction

    /// Intra prediction of a check (VME-37).
    bool intra_luma = false, intra_chroma = false;

    bool whole() const { return size == SourceSize::S16x16; }
    bool dual() const {
        return control == SearchControl::DualRecord || control == SearchControl::DualReference;
    }
    /// Records of a stream: two of a dual search.
    unsigned records() const { return dual() ? 2 : 1; }
    /// The source block, in 4x4 blocks.
    unsigned blocks_wide() const { return size == SourceSize::S8x8 ? 2 : 4; }
    unsigned blocks_high() const { return whole() ? 4 : 2; }
    bool contains(const Shape& shape) const {
        return shape.x + shape.width <= blocks_wide() && shape.y + shape.height <= blocks_high();
    }
    /// MaxNumMVs has an effect (VME-52; software writes 63 as well).
    bool vectors_limited() const { return whole() && most_vectors < 32; }
    bool bottom(unsigned block, unsigned direction_of) const {
        return polarity >> (block + 4 * direction_of) & 1;
    }
};

/// The first phase behind the universal ones.
inline constexpr unsigned kTypePhase = 4;
/// Positions that a mesh has in each direction, and its window's size (VME-72, VME-73).
constexpr unsigned mesh_positions(bool mesh_8x8) {
    return mesh_8x8 ? 8 : 16;
}

inline std::uint32_t dword(const Message& message, unsigned phase, unsigned index) {
    return load<std::uint32_t>(message.payload[phase].bytes + 4 * index);
}

/// A cost byte: low nibble shifted by high nibble (VME-45).
constexpr std::uint32_t decode_cost(std::uint32_t byte) {
    return (byte & 0xF) << (byte >> 4 & 0xF);
}

/// What is wrong with a message.
struct Verdict {
    std::string guest_error;             ///< empty: nothing
    const char* not_modelled = nullptr;  ///< ledger row
    bool refused = false;                ///< it is answered with zeros
};

/// Takes a message apart. A refused message has undefined inputs.
Inputs decode(const Message& message, Verdict& verdict);

}  // namespace gen9::vme
