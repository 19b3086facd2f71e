// SPDX-License-Identifier: Apache-2.0
#include "vme/message/inputs.h"

#include <type_traits>

#include "common/bits.h"
#include "packets/motion_estimation.h"

namespace gen9::vme {
namespace {

namespace input = packets::vme_input;

constexpr unsigned kMessageLength[] = {5, 8, 6, 8};    ///< by MessageType, without streams
constexpr unsigned kResponseLength[] = {16, 7, 7, 7};  ///< the same
constexpr unsigned kRecordPhases = 2;                  ///< of a stream, each record
constexpr unsigned kHaar = 2;                          ///< InterSAD and IntraSAD; 0: differences

using Phases = std::array<std::uint32_t, input::kDwords>;

/// A field of the universal phases, and the member that it is decoded into.
struct Row {
    const packets::Field& field;
    void (*put)(Inputs& in, std::uint32_t value);
};
template <auto Member>
void put(Inputs& in, std::uint32_t value) {
    auto& member = in.*Member;
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

constexpr Row kRows[] = {
    {input::SrcSize, put<&Inputs::size>},
    {input::MbTypeRemap, put<&Inputs::remap>},
    {input::SrcAccess, put<&Inputs::source_field>},
    {input::RefAccess, put<&Inputs::reference_field>},
    {input::SearchCtrl, put<&Inputs::control>},
    {input::DualSearchPath, put<&Inputs::split_path>},
    {input::SkipModeType, put<&Inputs::skip_8x8>},
    {input::FTEnable, put<&Inputs::transform>},
    {input::BMEDisableFBR, put<&Inputs::no_bidirectional>},
    {input::BlockBasedSkip, put<&Inputs::block_skip>},
    {input::SubMbPartMask, put<&Inputs::shape_mask>},
    {input::RefWidth, put<&Inputs::window_width>},
    {input::RefHeight, put<&Inputs::window_height>},
    {input::SkipModeEn, put<&Inputs::skip>},
    {input::AdaptiveEn, put<&Inputs::adaptive>},
    {input::BiMixDis, put<&Inputs::bidirectional_all>},
    {input::EarlyImeSuccessEn, put<&Inputs::early_stop_enabled>},
    {input::XOnlySearch, put<&Inputs::x_only>},
    {input::T8x8FlagForInterEn, put<&Inputs::transform_8x8>},
    {input::MaxNumMVs, put<&Inputs::most_vectors>},
    {input::ExtendedMVCostRange, put<&Inputs::wide_vector_cost>},
    {input::RefIdPolarity, put<&Inputs::polarity>},
    {input::BiWeight, put<&Inputs::weight>},
    {input::UniMixDisable, put<&Inputs::one_direction>},
    {input::LenSP, put<&Inputs::path_length>},
    {input::MaxNumSU, put<&Inputs::most_units>},
    {input::WeightedSADControl, put<&Inputs::block_weights>},
    {input::IntraPartMask, put<&Inputs::intra_mask>},
    {input::NonSkipZMvAdded, put<&Inputs::skip_vector_cost>},
    {input::NonSkipModeAdded, put<&Inputs::skip_mode_cost>},
    {input::IntraCornerSwap, put<&Inputs::corners_swapped>},
    {input::MbIntraStruct, put<&Inputs::intra_structure>},
    {input::MVCostScaleFactor, put<&Inputs::vector_unit>},
    {input::BilinearEnable, put<&Inputs::bilinear>},
    {input::SrcFieldPolarity, put<&Inputs::bottom_source>},
    {input::WeightedSADHAAR, put<&Inputs::weighted>},
    {input::AConlyHAAR, put<&Inputs::haar_without_dc>},
    {input::RefIDCostMode, put<&Inputs::linear_ref_cost>},
    {input::Mesh8x8, put<&Inputs::mesh_8x8>},
    {input::SkipCenterMask, put<&Inputs::skip_mask>},
    {input::MbMode, put<&Inputs::major>},
};

void decode_phases(const Phases& phases, Inputs& in) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(phases));
    };
    const auto point = [&](const packets::Field& x, const packets::Field& y) {
        return Point{static_cast<std::int32_t>(value(x)), static_cast<std::int32_t>(value(y))};
    };
    const auto cost = [&](const packets::Field& field) { return decode_cost(value(field)); };
    for (const Row& row : kRows)
        row.put(in, value(row.field));
    in.window = {point(input::Ref0X, input::Ref0Y), point(input::Ref1X, input::Ref1Y)};
    in.source = point(input::SrcX, input::SrcY);
    in.start = {point(input::Start0X, input::Start0Y), point(input::Start1X, input::Start1Y)};
    in.half = value(input::SubPelMode) != 0;
    in.quarter = value(input::SubPelMode) > 1;
    in.inter_haar = value(input::InterSAD) == kHaar;
    in.intra_haar = value(input::IntraSAD) == kHaar;
    in.early_stop = cost(input::EarlyImeStop);
    for (unsigned i = 0; i < in.costs.mode.size(); ++i)
        in.costs.mode[i] = cost(input::ModeCost.at(i));
    in.costs.bias = cost(input::BiasCost);
    in.costs.bias_forward = value(input::BiasForward) != 0;
    in.costs.ref_id = cost(input::RefIDCost);
    in.costs.chroma = cost(input::ChromaIntraModeCost);
    for (unsigned i = 0; i < in.costs.vector.size(); ++i)
        in.costs.vector[i] = cost(input::MVCost.at(i));
    in.threshold[0] = static_cast<std::uint16_t>(value(input::Threshold0));
    for (unsigned i = 1; i < in.threshold.size(); ++i)
        in.threshold[i] = static_cast<std::uint16_t>(value(input::Threshold.at(i - 1)));
    for (unsigned block = 0; block < 4; ++block) {
        in.minor[block] = static_cast<MinorMode>(value(input::SubMbShape.at(block)));
        in.direction[block] = static_cast<Direction>(value(input::SubMbPredMode.at(block)));
        for (unsigned d = 0; d < 2; ++d) {
            in.ref_id[block][d] = static_cast<std::uint8_t>(value(input::RefID.at(2 * block + d)));
            in.centre[block][d] = vector_of(value(input::CostCenter.at(2 * block + d)));
        }
    }
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

std::string wrong_values(const Message& message, const Phases& phases, const Inputs& in) {
    const auto measured = [&](const packets::Field& field) {
        return field.get(phases) == 0 || field.get(phases) == kHaar;
    };
    if (input::SrcSize.get(phases) == 2) return "source size 2 is reserved (VME-11)";
    if (!measured(input::InterSAD) || (in.type == MessageType::Check && !measured(input::IntraSAD)))
        return "distortion measures 1 and 3 are reserved (VME-18)";
    switch (in.type) {
        case MessageType::Search:
            return wrong_search(in);
        case MessageType::Refine:
            if (input::SubPelMode.get(phases) == 2) return "SubPelMode 2 is reserved (VME-16)";
            return wrong_refinement(in);
        case MessageType::Check:
            return wrong_check(in);
        case MessageType::Mesh:
            return wrong_mesh(message, in);
    }
    return {};
}

/// Controls of other generations, whose meaning here no source gives.
const char* missing(const Phases& phases) {
    if (input::Mesh7x7.get(phases) || input::Mesh5x5.get(phases)) return "VME-68";
    if (input::ChromaSkip.get(phases)) return "VME-35";
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

Inputs decode(const Message& message, Verdict& verdict) {
    verdict = {};
    verdict.refused = true;
    Inputs in;
    in.type = static_cast<MessageType>(bits(message.descriptor, 14u, 13u));
    in.stream_out = bits(message.descriptor, 15u, 15u);
    in.stream_in = bits(message.descriptor, 16u, 16u);
    in.binding_index = static_cast<std::uint8_t>(bits(message.descriptor, 7u, 0u));
    verdict.guest_error = wrong_form(message, in);
    if (!verdict.guest_error.empty()) return in;
    Phases phases;
    for (unsigned i = 0; i < phases.size(); ++i)
        phases[i] = dword(message, i / 8, i % 8);
    decode_phases(phases, in);
    verdict.guest_error = wrong_length(message, in);
    if (!verdict.guest_error.empty()) return in;
    if (in.type == MessageType::Check) {
        const std::uint32_t compute = bits(dword(message, kTypePhase + 1, 1), 9u, 8u);
        in.intra_luma = compute <= 1;
        in.intra_chroma = compute == 0;
    }
    verdict.guest_error = wrong_values(message, phases, in);
    if (!verdict.guest_error.empty()) return in;
    verdict.not_modelled = missing(phases);
    verdict.refused = verdict.not_modelled != nullptr;
    return in;
}

}  // namespace gen9::vme
