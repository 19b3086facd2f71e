// SPDX-License-Identifier: Apache-2.0
#include "vme/message/inputs.h"

#include "common/bits.h"

namespace gen9::vme {
namespace {

constexpr unsigned kMessageLength[] = {5, 8, 6, 8};    ///< by MessageType, without streams
constexpr unsigned kResponseLength[] = {16, 7, 7, 7};  ///< the same
constexpr unsigned kRecordPhases = 2;                  ///< of a stream, each record

Point point_of(std::uint32_t dword) {
    const Vector v = vector_of(dword);
    return {v.x, v.y};
}

void decode_phase0(const Message& m, Inputs& in) {
    const std::uint32_t control = dword(m, 0, 3), position = dword(m, 0, 2), size = dword(m, 0, 5);
    in.window = {point_of(dword(m, 0, 0)), point_of(dword(m, 0, 1))};
    in.source = {static_cast<std::int32_t>(bits(position, 15u, 0u)),
                 static_cast<std::int32_t>(bits(position, 31u, 16u))};
    in.size = static_cast<SourceSize>(bits(control, 1u, 0u));
    in.remap = static_cast<std::uint8_t>(bits(control, 5u, 4u));
    in.source_field = bits(control, 6u, 6u);
    in.reference_field = bits(control, 7u, 7u);
    in.control = static_cast<SearchControl>(bits(control, 10u, 8u));
    in.split_path = bits(control, 11u, 11u);
    in.half = bits(control, 12u, 12u);
    in.quarter = bits(control, 13u, 13u);
    in.skip_8x8 = bits(control, 14u, 14u);
    in.transform = bits(control, 17u, 17u);
    in.no_bidirectional = bits(control, 18u, 18u);
    in.block_skip = bits(control, 19u, 19u);
    in.inter_haar = bits(control, 21u, 21u);
    in.intra_haar = bits(control, 23u, 23u);
    in.shape_mask = static_cast<std::uint8_t>(bits(control, 30u, 24u));
    in.window_width = bits(size, 23u, 16u);
    in.window_height = bits(size, 31u, 24u);
}

void decode_phase1(const Message& m, Inputs& in) {
    const std::uint32_t flags = dword(m, 1, 0), more = dword(m, 1, 1), path = dword(m, 1, 2),
                        intra = dword(m, 1, 7), ids = dword(m, 1, 6);
    in.early_stop = decode_cost(bits(flags, 31u, 24u));
    in.transform_8x8 = bits(flags, 7u, 7u);
    in.x_only = bits(flags, 6u, 6u);
    in.early_stop_enabled = bits(flags, 5u, 5u);
    in.bidirectional_all = bits(flags, 2u, 2u);
    in.adaptive = bits(flags, 1u, 1u);
    in.skip = bits(flags, 0u, 0u);
    in.one_direction = bits(more, 28u, 28u);
    in.weight = static_cast<std::uint8_t>(bits(more, 21u, 16u));
    in.polarity = static_cast<std::uint8_t>(bits(more, 15u, 8u));
    in.wide_vector_cost = bits(more, 6u, 6u);
    in.most_vectors = static_cast<std::uint8_t>(bits(more, 5u, 0u));
    in.path_length = static_cast<std::uint8_t>(bits(path, 7u, 0u));
    in.most_units = static_cast<std::uint8_t>(bits(path, 15u, 8u));
    const auto nibble = [&](unsigned low) {
        return static_cast<std::int32_t>(bits(path, low + 3u, low));
    };
    in.start = {Point{nibble(16), nibble(20)}, Point{nibble(24), nibble(28)}};
    in.block_weights = dword(m, 1, 3);
    for (unsigned block = 0; block < 4; ++block)
        for (unsigned d = 0; d < 2; ++d)
            in.ref_id[block][d] = static_cast<std::uint8_t>(ids >> (8 * block + 4 * d) & 0xF);
    in.intra_mask = static_cast<std::uint8_t>(bits(intra, 2u, 0u));
    in.skip_vector_cost = bits(intra, 5u, 5u);
    in.skip_mode_cost = bits(intra, 6u, 6u);
    in.corners_swapped = bits(intra, 7u, 7u);
    in.intra_structure = static_cast<std::uint8_t>(bits(intra, 15u, 8u));
    in.vector_unit = static_cast<std::uint8_t>(bits(intra, 17u, 16u));
    in.bilinear = bits(intra, 18u, 18u);
    in.bottom_source = bits(intra, 19u, 19u);
    in.weighted = bits(intra, 20u, 20u);
    in.haar_without_dc = bits(intra, 21u, 21u);
    in.linear_ref_cost = bits(intra, 22u, 22u);
    in.mesh_8x8 = bits(intra, 23u, 23u);
    in.skip_mask = static_cast<std::uint8_t>(bits(intra, 31u, 24u));
}

void decode_costs(const Message& m, Inputs& in) {
    const auto byte = [&](unsigned number) {
        return dword(m, 2, number / 4) >> (8 * (number % 4)) & 0xFF;
    };
    for (unsigned i = 0; i < in.costs.mode.size(); ++i)
        in.costs.mode[i] = decode_cost(byte(i));
    // Mode 9 has a sign in place of the shift's highest bit (VME-47).
    in.costs.bias = decode_cost(byte(9) & 0x7F);
    in.costs.bias_forward = byte(9) >> 7;
    in.costs.ref_id = decode_cost(byte(10));
    in.costs.chroma = decode_cost(byte(11));
    for (unsigned i = 0; i < in.costs.vector.size(); ++i)
        in.costs.vector[i] = decode_cost(byte(12 + i));
    const std::uint32_t shape = dword(m, 2, 5);
    in.major = static_cast<MajorMode>(bits(shape, 1u, 0u));
    for (unsigned i = 0; i < 4; ++i) {
        in.minor[i] = static_cast<MinorMode>(shape >> (8 + 2 * i) & 3);
        in.direction[i] = static_cast<Direction>(shape >> (16 + 2 * i) & 1);
    }
    in.threshold[0] = static_cast<std::uint16_t>(dword(m, 2, 6));
    for (unsigned i = 1; i < in.threshold.size(); ++i)
        in.threshold[i] = static_cast<std::uint8_t>(byte(25 + i));
    for (unsigned block = 0; block < 4; ++block)
        for (unsigned d = 0; d < 2; ++d)
            in.centre[block][d] = vector_of(dword(m, 3, 2 * block + d));
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

/// Lengths and the function that a message is sent to; empty: right.
std::string wrong_form(const Message& m, const Inputs& in) {
    const bool refinement = in.type == MessageType::Check || in.type == MessageType::Refine;
    if (refinement != (m.sfid == Sfid::CheckRefine))
        return std::string("the message goes to function ") +
               (refinement ? "D (check and refinement)" : "8 (motion estimation)");
    if (m.length < kTypePhase) return "it has no universal phases (VME-03)";
    if (!m.header_present) return "header present must be 1 (VME-02)";
    if ((in.stream_in || in.stream_out) && in.type != MessageType::Search)
        return "streams belong to integer searches (VME-03)";
    return {};
}
std::string wrong_length(const Message& m, const Inputs& in) {
    const auto type = static_cast<unsigned>(in.type);
    const unsigned records = in.records() * kRecordPhases;
    const unsigned length = kMessageLength[type] + (in.stream_in ? records : 0);
    const unsigned response = kResponseLength[type] + (in.stream_out ? records : 0);
    if (m.length != length)
        return "it has " + number(m.length) + " registers, not " + number(length) + " (VME-03)";
    if (m.response_length != response)
        return "its response has " + number(m.response_length) + " registers, not " +
               number(response) + " (VME-03)";
    return {};
}

std::string wrong_search(const Inputs& in) {
    switch (in.control) {
        case SearchControl::Single:
        case SearchControl::DualStart:
        case SearchControl::DualRecord:
        case SearchControl::DualReference:
            break;
        default:
            return "search control " + number(static_cast<unsigned>(in.control)) +
                   " is reserved (VME-14)";
    }
    if (in.remap == 3) return "MbTypeRemap 3 is reserved (VME-13)";
    if (in.shape_mask == 0x7F) return "the mask leaves no shape (VME-19)";
    const auto wrong_size = [](std::uint32_t size) {
        return size % 4 != 0 || size < 20 || size > 64;
    };
    if (wrong_size(in.window_width) || wrong_size(in.window_height))
        return "a reference window of " + number(in.window_width) + " x " +
               number(in.window_height) + ": multiples of 4 from 20 to 64 are allowed (VME-20)";
    const auto wrong_count = [](unsigned count) { return count < 1 || count > 63; };
    if (wrong_count(in.path_length))
        return "LenSP is " + number(in.path_length) + ": 1 to 63 (VME-24)";
    if (wrong_count(in.most_units))
        return "MaxNumSU is " + number(in.most_units) + ": 1 to 63 (VME-24)";
    if (in.adaptive && in.control == SearchControl::Single && in.path_length < 2)
        return "an adaptive search has two steps before it (VME-58)";
    if (in.adaptive && in.x_only) return "a search along x cannot be adaptive (VME-21)";
    if (in.control == SearchControl::DualRecord && in.window[0].x != in.window[1].x)
        return "two records of one reference have windows at the same x (VME-09)";
    if (in.weighted && (!in.whole() || in.control == SearchControl::DualReference))
        return "weighted distortions are of 16x16 and reference 0 only (VME-25)";
    return {};
}

std::string wrong_refinement(const Inputs& in) {
    if (in.quarter && !in.half) return "SubPelMode 2 is reserved (VME-16)";
    if (in.remap == 3) return "MbTypeRemap 3 is reserved (VME-13)";
    if (in.bidirectional_all && in.major == MajorMode::M8x8)
        for (const MinorMode minor : in.minor)
            if (minor != MinorMode::M8x8) return "BiMixDis with shapes below 8x8 (VME-55)";
    return {};
}

std::string wrong_check(const Inputs& in) {
    if (in.skip) {
        if (in.skip_8x8 && !in.whole()) return "four skip pairs need a source of 16x16 (VME-17)";
        for (unsigned pair = 0; pair < (in.skip_8x8 ? 4u : 1u); ++pair)
            if ((in.skip_mask >> 2 * pair & 3) == 0)
                return "no vector of skip pair " + number(pair) + " is enabled (VME-30)";
    }
    if (in.intra_luma && in.intra_mask == 7) return "no intra partition is enabled (VME-27)";
    if (in.intra_chroma && (in.source.x % 2 || in.source.y % 2))
        return "with chroma the source position is even (VME-10)";
    if (in.intra_luma && (in.intra_structure >> 6 & 1) != (in.intra_structure >> 5 & 1))
        return "bits 6 and 5 of MbIntraStruct differ (VME-28)";
    return {};
}

std::string wrong_mesh(const Message& m, const Inputs& in) {
    if (!in.whole()) return "a mesh has a source of 16x16 (VME-11)";
    bool masked = false;
    for (unsigned i = 0; i < 8; ++i)
        masked = masked || dword(m, kTypePhase, i) != 0;
    if (masked && in.inter_haar) return "a pixel mask and Haar exclude each other (VME-18)";
    return {};
}

std::string wrong_values(const Message& m, const Inputs& in) {
    const std::uint32_t control = dword(m, 0, 3);
    if (bits(control, 1u, 0u) == 2) return "source size 2 is reserved (VME-11)";
    if (bits(control, 20u, 20u) || (in.type == MessageType::Check && bits(control, 22u, 22u)))
        return "distortion measures 1 and 3 are reserved (VME-18)";
    switch (in.type) {
        case MessageType::Search:
            return wrong_search(in);
        case MessageType::Refine:
            return wrong_refinement(in);
        case MessageType::Check:
            return wrong_check(in);
        case MessageType::Mesh:
            return wrong_mesh(m, in);
    }
    return {};
}

/// Controls of other generations, whose meaning here no source gives.
const char* missing(const Message& m) {
    const std::uint32_t control = dword(m, 0, 3);
    if (bits(control, 31u, 31u) || bits(dword(m, 1, 1), 31u, 30u)) return "VME-68";  // 5x5, 7x7
    if (bits(control, 16u, 16u)) return "VME-35";                                    // chroma skip
    return nullptr;
}

}  // namespace

const char* to_text(MessageType type) {
    switch (type) {
        case MessageType::Mesh:
            return "IDM";
        case MessageType::Check:
            return "SIC";
        case MessageType::Search:
            return "IME";
        case MessageType::Refine:
            return "FBR";
    }
    return nullptr;
}

Inputs decode(const Message& m, Verdict& verdict) {
    verdict = {};
    verdict.refused = true;
    Inputs in;
    in.type = static_cast<MessageType>(bits(m.descriptor, 14u, 13u));
    in.stream_out = bits(m.descriptor, 15u, 15u);
    in.stream_in = bits(m.descriptor, 16u, 16u);
    in.binding_index = static_cast<std::uint8_t>(bits(m.descriptor, 7u, 0u));
    verdict.guest_error = wrong_form(m, in);
    if (!verdict.guest_error.empty()) return in;
    decode_phase0(m, in);
    decode_phase1(m, in);
    decode_costs(m, in);
    verdict.guest_error = wrong_length(m, in);
    if (!verdict.guest_error.empty()) return in;
    if (in.type == MessageType::Check) {
        const std::uint32_t compute = bits(dword(m, kTypePhase + 1, 1), 9u, 8u);
        in.intra_luma = compute <= 1;
        in.intra_chroma = compute == 0;
    }
    verdict.guest_error = wrong_values(m, in);
    if (!verdict.guest_error.empty()) return in;
    verdict.not_modelled = missing(m);
    verdict.refused = verdict.not_modelled != nullptr;
    return in;
}

}  // namespace gen9::vme
