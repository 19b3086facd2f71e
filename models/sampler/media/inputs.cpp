// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sampler/media/choices.h"

namespace gen9::sampler::media {

namespace {

namespace header_rows = packets::MEDIA_SAMPLER_HEADER;
namespace payload_rows = packets::MEDIA_SAMPLER_PAYLOAD;

constexpr unsigned kRegisterDwords = 8;
using Register = std::array<std::uint32_t, kRegisterDwords>;

Register dwords_of(const Grf& grf) {
    Register dwords;
    std::memcpy(dwords.data(), grf.bytes, sizeof dwords);
    return dwords;
}

void read_scaling(const Register& payload, Inputs& in, Verdict& verdict) {
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(payload));
    };
    in.ddu = std::bit_cast<float>(value(payload_rows::U2ndDerivative));
    in.ddv = std::bit_cast<float>(value(payload_rows::V2ndDerivative));
    in.vertical_block = value(payload_rows::VerticalBlockNumber);
    in.sequence = static_cast<payload_rows::Sequence>(value(payload_rows::MessageSeq));
    in.bypasses_edge_filter = value(payload_rows::IEFBypass) != 0;
    if (value(payload_rows::Functionality) != payload_rows::AVS_SCALING)
        verdict.guest_error = "reserved function of sample_8x8 (SMP-242)";
    else if (value(payload_rows::Reserved22))
        verdict.guest_error = "bit 22 of M1.7 is set, which must be zero (SMP-242)";
}

}  // namespace

unsigned Inputs::width() const {
    constexpr unsigned kWidths[] = {16, 8, 16, 4};
    return scales ? kWidths[sequence] : 8;
}

unsigned Inputs::height() const {
    return scales && sequence == payload_rows::SEQ_16x8 ? 8 : 4;
}

unsigned Inputs::first_row() const {
    return scales ? vertical_block * kVerticalBlockRows[sequence] : 0;
}

Inputs read_inputs(const Message& message, const Decoded& decoded, const Header& header,
                   Verdict& verdict) {
    Inputs in;
    in.scales = decoded.row->kind == Kind::Scale;
    in.kills = decoded.row->kill;
    in.channels = header.channels;
    if (decoded.header)
        in.form = static_cast<header_rows::OutputFormatControlMode>(
            header_rows::OutputFormatControl.get(dwords_of(message.payload[0])));
    const Register payload = dwords_of(message.payload[decoded.header ? 1 : 0]);
    const auto number = [&](const packets::Field& field) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(field.get(payload)));
    };
    in.u = number(payload_rows::Pixel0UAddress);
    in.v = number(payload_rows::Pixel0VAddress);
    in.du = std::max(number(payload_rows::DeltaU), 0.0f);
    in.dv = std::max(number(payload_rows::DeltaV), 0.0f);
    if (in.scales) read_scaling(payload, in, verdict);
    return in;
}

}  // namespace gen9::sampler::media
