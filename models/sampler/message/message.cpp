// SPDX-License-Identifier: Apache-2.0
#include "sampler/message/message.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "common/bits.h"

namespace gen9::sampler {

namespace {

using enum Parameter;
using List = std::initializer_list<Parameter>;

constexpr MessageRow row(const char* name, unsigned code, Kind kind, LodSource lod, List params,
                         List pair = {}) {
    MessageRow r{name, static_cast<std::uint8_t>(code), kind, lod};
    std::copy(params.begin(), params.end(), r.params.begin());
    r.param_count = static_cast<std::uint8_t>(params.size());
    std::copy(pair.begin(), pair.end(), r.pair_params.begin());
    r.pair_count = static_cast<std::uint8_t>(pair.size());
    return r;
}
constexpr MessageRow compares(MessageRow r) {
    r.compare = true;
    return r;
}
constexpr MessageRow biased(MessageRow r) {
    r.bias = true;
    return r;
}
constexpr MessageRow kills(MessageRow r) {
    r.kill = true;
    return r;
}
constexpr MessageRow extreme(MessageRow r, int which) {
    r.extremum = static_cast<std::int8_t>(which);
    return r;
}
constexpr MessageRow needs(MessageRow r, unsigned parameters) {
    r.required = static_cast<std::uint8_t>(parameters);
    return r;
}

constexpr Kind S = Kind::Sample, L = Kind::Load, G = Kind::Gather;
constexpr LodSource Z = LodSource::Zero, P = LodSource::Parameter, N = LodSource::Neighbours,
                    D = LodSource::Gradients;

// clang-format off
/// The messages of SIMD8 and SIMD16 (sampler guide 3.5) with the orders of SIMD4x2 (003:10226-10243).
constexpr MessageRow kMessages[] = {
    row("sample", 0x00, S, N, {U, V, R, Ai, MinLod}),
    biased(row("sample_b", 0x01, S, N, {Bias, U, V, R, Ai, MinLod})),
    row("sample_l", 0x02, S, P, {Lod, U, V, R, Ai}, {U, V, R, Ai, Lod}),
    compares(row("sample_c", 0x03, S, N, {Ref, U, V, R, Ai, MinLod})),
    row("sample_d", 0x04, S, D, {U, DuDx, DuDy, V, DvDx, DvDy, R, DrDx, DrDy, Ai, MinLod},
        {U, V, R, Ai, DuDx, DuDy, DvDx, DvDy, DrDx, DrDy, MinLod}),
    compares(biased(row("sample_b_c", 0x05, S, N, {Ref, Bias, U, V, R, Ai, MinLod}))),
    compares(row("sample_l_c", 0x06, S, P, {Ref, Lod, U, V, R, Ai}, {U, V, R, Ai, Ref, Lod})),
    row("ld", 0x07, L, P, {U, V, Lod, R}, {U, V, R, Lod}),
    row("gather4", 0x08, G, Z, {U, V, R, Ai}, {U, V, R, Ai}),
    row("LOD", 0x09, Kind::Lod, N, {U, V, R, Ai}),
    row("resinfo", 0x0A, Kind::ResInfo, P, {Lod}, {Lod}),
    needs(row("sampleinfo", 0x0B, Kind::SampleInfo, Z, {U}, {U}), 0),
    kills(row("sample_killpix", 0x0C, S, N, {U, V, R})),
    compares(row("gather4_c", 0x10, G, Z, {Ref, U, V, R, Ai}, {U, V, R, Ai, Ref})),
    row("gather4_po", 0x11, G, Z, {U, V, OffU, OffV, R}, {U, V, R, Ai, OffU, OffV}),
    compares(row("gather4_po_c", 0x12, G, Z, {Ref, U, V, OffU, OffV, R}, {U, V, R, Ref, OffU, OffV})),
    compares(row("sample_d_c", 0x14, S, D, {Ref, U, DuDx, DuDy, V, DvDx, DvDy, R, DrDx, DrDy, Ai, MinLod},
                 {U, V, R, Ai, DuDx, DuDy, DvDx, DvDy, DrDx, DrDy, Ref})),
    extreme(row("sample_min", 0x16, S, N, {U, V}), -1),
    extreme(row("sample_max", 0x17, S, N, {U, V}), 1),
    row("sample_lz", 0x18, S, Z, {U, V, R, Ai}),
    compares(row("sample_c_lz", 0x19, S, Z, {Ref, U, V, R, Ai})),
    row("ld_lz", 0x1A, L, Z, {U, V, R}),
    needs(row("ld2dms_w", 0x1C, L, P, {Sample, McsLow, McsHigh, U, V, R, Lod}, {U, V, R, Lod, Sample, McsLow, McsHigh}), 4),
    row("ld_mcs", 0x1D, Kind::Mcs, P, {U, V, R, Lod}, {U, V, R, Lod}),
    needs(row("ld2dms", 0x1E, L, P, {Sample, McsLow, U, V, R, Lod}, {U, V, R, Lod, Sample, McsLow}), 3),
    needs(row("ld2dss", 0x1F, L, P, {Sample, U, V, R, Lod}), 2),
};
// clang-format on
constexpr MessageRow kFlush = row("cache_flush", 0x1F, Kind::Flush, Z, {});

/// The messages of 32 samples and more: the flush of the caches, and the media sampler's (SMP-230).
/// The seeds give sample_unorm two payload layouts, of the pixel shader and of media, and one
/// description of both (003:10079-10091).
constexpr MessageRow kMediaMessages[] = {
    row("sample_unorm", 0x00, Kind::Grid, Z, {}),
    kills(row("sample_unorm+killpix", 0x02, Kind::Grid, Z, {})),
    kills(row("sample_unorm+killpix (media)", 0x0A, Kind::Grid, Z, {})),
    row("sample_8x8", 0x0B, Kind::Scale, Z, {}),
    row("sample_unorm (media)", 0x0C, Kind::Grid, Z, {}),
    kFlush,
};

void decode_media(const Message& message, unsigned code, Decoded& d) {
    d.simd = Simd::Media;
    d.response_registers = message.response_length;
    const auto* found = std::find_if(std::begin(kMediaMessages), std::end(kMediaMessages),
                                     [&](const MessageRow& r) { return r.code == code; });
    if (found == std::end(kMediaMessages)) return;
    d.row = found;
    if (found->kind == Kind::Flush) return;
    if (message.length != (d.header ? 2 : 1)) d.error = "message length (SMP-230)";
    if (message.end_of_thread) d.error = "end of thread (SMP-124)";
    if (d.error || message.response_length || found->kind != Kind::Scale) return;
    if (d.header)
        d.direct = true;
    else
        d.error = "result for memory without a header (SMP-259)";
}

/// The parameters of SIMD8D messages are those of SIMD8 but for a few (003:10204-10224).
struct DoubleOrder {
    std::array<Parameter, 12> params{};
    unsigned count = 0;
    explicit DoubleOrder(const MessageRow& row) {
        if (row.kill ||
            (row.kind != Kind::Sample && row.kind != Kind::Gather && row.kind != Kind::Lod))
            return;
        constexpr unsigned kSampleBC = 0x05, kSampleDC = 0x14;
        for (unsigned n = 0; n < row.param_count; ++n) {
            const Parameter p = row.params[n];
            const bool left_out =
                p == Ai || p == DrDx || p == DrDy ||
                (p == MinLod && (row.code == kSampleBC || row.code == kSampleDC)) ||
                (p == R && row.kind == Kind::Lod);
            if (!left_out) params[count++] = p;
        }
    }
    static unsigned registers(Parameter p) { return p == U || p == V ? 2 : 1; }
};

/// Parameters in so many registers; 0 as well when a coordinate is cut in half.
unsigned count_double(const MessageRow& row, unsigned registers) {
    const DoubleOrder order(row);
    unsigned n = 0;
    for (unsigned used = 0; n < order.count && used < registers; ++n)
        if ((used += DoubleOrder::registers(order.params[n])) > registers) return 0;
    return n;
}
unsigned most_registers(const Decoded& d) {
    if (d.simd == Simd::Pair) return (d.row->pair_count + 3u) / 4;
    if (d.simd != Simd::Double) return d.row->param_count * d.registers_per_param();
    const DoubleOrder order(*d.row);
    unsigned registers = 0;
    for (unsigned n = 0; n < order.count; ++n)
        registers += DoubleOrder::registers(order.params[n]);
    return registers;
}

const char* check_length(const Message& message, Decoded& d) {
    const unsigned given = message.length - (d.header ? 1u : 0u);
    constexpr unsigned kMostRegisters = 11;  // SMP-114
    if (message.length < (d.header ? 1u : 0u) || message.length > kMostRegisters)
        return "message length (SMP-114)";
    if (given > most_registers(d)) return "more parameters than the message has (SMP-114)";
    if (given % d.registers_per_param()) return "message length (SMP-114)";
    d.params = static_cast<std::uint8_t>(
        d.simd == Simd::Pair     ? std::min(given * 4u, d.row->pair_count + 0u)
        : d.simd == Simd::Double ? count_double(*d.row, given)
                                 : given / d.registers_per_param());
    if (d.params < d.row->required) return "parameters missing (SMP-115)";
    return nullptr;
}

const char* check_simd(const Decoded& d) {
    const MessageRow& r = *d.row;
    if (d.simd == Simd::Pair && r.pair_count == 0)
        return "message without a SIMD4x2 form (SMP-168)";
    if (d.simd == Simd::Double && DoubleOrder(r).count == 0)
        return "message without a SIMD8D form (SMP-167)";
    // More than five parameters of SIMD16 are longer than a message may be (SMP-114, SMP-117).
    const bool narrow = r.lod == LodSource::Gradients || r.kill;
    return d.simd == Simd::Sixteen && narrow ? "message without a SIMD16 form (SMP-117, SMP-148)"
                                             : nullptr;
}

/// A message whose result goes to the render target, as far as its descriptor says (SMP-122).
const char* check_direct(const Decoded& d) {
    if (d.simd == Simd::Pair || d.simd == Simd::Double || d.row->kill ||
        (d.row->kind != Kind::Sample && d.row->kind != Kind::Load && d.row->kind != Kind::Mcs))
        return "message that cannot write the render target (SMP-122)";
    return d.header ? nullptr : "message to the render target without a header (SMP-122)";
}

const char* check_response(const Message& message, Decoded& d) {
    if (message.end_of_thread && message.response_length)
        return "end of thread with a response (SMP-124)";
    if (d.half && (d.row->kind == Kind::Lod || d.row->kind == Kind::ResInfo ||
                   d.row->kind == Kind::SampleInfo))
        return "16-bit return of a message that returns 32 bits (SMP-163..165)";
    d.response_registers = message.response_length;
    if (d.header || d.simd == Simd::Pair) return nullptr;
    const unsigned per = d.registers_per_channel(), extra = d.row->kill ? 1 : 0;
    const unsigned registers =
        message.response_length - std::min(extra, message.response_length + 0u);
    if (registers % per || registers > 4 * per || registers == 0)
        return "response length of a message without header (SMP-120)";
    d.headerless_mask = static_cast<std::uint8_t>((1u << registers / per) - 1);
    return nullptr;
}

}  // namespace

const MessageRow* find_message(unsigned code) {
    const auto* found = std::find_if(std::begin(kMessages), std::end(kMessages),
                                     [&](const MessageRow& r) { return r.code == code; });
    return found == std::end(kMessages) ? nullptr : found;
}

Decoded decode(const Message& message) {
    Decoded d;
    const std::uint32_t descriptor = message.descriptor;
    const unsigned mode = bits(descriptor, 18, 17), code = bits(descriptor, 16, 12);
    d.binding_index = static_cast<std::uint8_t>(bits(descriptor, 7, 0));
    d.sampler_index = static_cast<std::uint8_t>(bits(descriptor, 11, 8));
    d.half = bits(descriptor, 30, 30);
    d.header = message.header_present;
    if (mode == 3)
        decode_media(message, code, d);
    else
        d.row = find_message(code);
    if (!d.row) {
        d.error = "reserved message (SMP-170)";
        return d;
    }
    if (d.error || d.not_modelled || d.row->kind == Kind::Flush) return d;
    if (d.binding_index > kBindless) {
        d.error = "binding table index that names no surface (SMP-72)";
        return d;
    }
    if (mode == 3) return d;
    d.simd = mode == 2            ? Simd::Sixteen
             : mode == 1          ? Simd::Eight
             : has_pairs(message) ? Simd::Pair
                                  : Simd::Double;
    d.direct = message.response_length == 0;
    if (d.direct && (d.error = check_direct(d))) return d;
    d.error = check_length(message, d);
    if (!d.error) d.error = check_simd(d);
    if (!d.error && !d.direct) d.error = check_response(message, d);
    return d;
}

const char* check_direct(const Header& header) {
    if (header.null_mask) return "message to the render target with a null mask (SMP-122)";
    if (header.channels != 0xF)
        return "message to the render target with masked channels (SMP-122)";
    return nullptr;
}

unsigned render_target(const Message& message) {
    return bits(load<std::uint32_t>(message.payload[0].bytes + 8), 31, 24);
}

// Results of 16 bits go on as halves (Assumed: 003:4510-4522 has no word of them).
void make_target_write(const Message& message, const Decoded& d, Message& write) {
    constexpr std::uint32_t kWrite = 0xC << 14, kLast = 1u << 12, kUpperSlots = 1u << 11,
                            kEightSlots = 4 << 8, kSixteenSlots = 0, kHalves = 1u << 30;
    const unsigned registers = 4 * d.registers_per_channel();
    write.reset();
    write.sfid = Sfid::RenderCache;
    write.descriptor = registers << 25 | kWrite | kLast |
                       (message.end_of_thread ? 0 : kUpperSlots) |
                       (d.simd == Simd::Sixteen ? kSixteenSlots : kEightSlots) |
                       (d.half ? kHalves : 0) | render_target(message);
    write.length = write.first_length = static_cast<std::uint8_t>(registers);
    write.end_of_thread = message.end_of_thread;
    write.execution_mask = message.execution_mask;
    write.ip = message.ip;
    write.trace_id = message.trace_id;
    write.sender = message.sender;
    std::copy_n(message.response.begin(), registers, write.payload.begin());
}

bool has_pairs(const Message& message) {
    constexpr unsigned kPairs = 1u << 22;
    return bits(message.descriptor, 18, 17) == 0 && message.header_present &&
           (load<std::uint32_t>(message.payload[0].bytes + 8) & kPairs);
}

Header read_header(const Message& message, const Decoded& decoded) {
    Header h;
    if (!decoded.header) {
        h.sampler_state_pointer = message.sender->sampler_state_offset;
        h.channels = decoded.headerless_mask;
        return h;
    }
    const std::uint32_t word = load<std::uint32_t>(message.payload[0].bytes + 8);
    h.sampler_state_pointer = load<std::uint32_t>(message.payload[0].bytes + 12) & ~31u;
    h.channels = static_cast<std::uint8_t>(~bits(word, 15, 12) & 0xF);
    h.gather_channel = static_cast<std::uint8_t>(bits(word, 17, 16));
    for (unsigned i = 0; i < 3; ++i)  // U is the highest of the three (SMP-112)
        h.offset[i] = static_cast<std::int8_t>(sign_extend(word >> (8 - 4 * i) & 0xF, 4));
    h.null_mask = bits(word, 23, 23) && !decoded.row->kill;
    return h;
}

/// Four samples a register of a coordinate, eight of the others.
static void read_doubles(const Grf* payload, const Decoded& d, Parameters& parameters) {
    const DoubleOrder order(*d.row);
    parameters.wide_values = {};
    for (unsigned n = 0; n < d.params; ++n) {
        const Parameter p = order.params[n];
        if (DoubleOrder::registers(p) == 2) {
            std::memcpy(parameters.wide_values[static_cast<unsigned>(p)].data(), payload, 64);
        } else {
            std::memcpy(parameters.values[n].data(), payload->bytes, 32);
            parameters.at[static_cast<unsigned>(p)] = parameters.values[n].data();
        }
        payload += DoubleOrder::registers(p);
    }
}

void read_parameters(const Grf* payload, const Decoded& d, Parameters& parameters) {
    parameters.at.fill(Parameters::zeros.data());
    parameters.wide = d.simd == Simd::Double;
    if (parameters.wide) return read_doubles(payload, d, parameters);
    if (d.simd != Simd::Pair) {
        const unsigned registers = d.registers_per_param();
        for (unsigned n = 0; n < d.params; ++n) {
            std::uint32_t* const values = parameters.values[n].data();
            std::memcpy(values, payload[n * registers].bytes, kGrfBytes);
            if (registers == 2)
                std::memcpy(values + 8, payload[n * registers + 1].bytes, kGrfBytes);
            parameters.at[static_cast<unsigned>(d.row->params[n])] = values;
        }
        return;
    }
    // Four parameters a register: of the first sample in its low half, of the second in the high.
    for (unsigned n = 0; n < d.params; ++n) {
        for (unsigned sample = 0; sample < 2; ++sample)
            parameters.values[n][sample] =
                load<std::uint32_t>(payload[n / 4].bytes + 16 * sample + n % 4 * 4);
        parameters.at[static_cast<unsigned>(d.row->pair_params[n])] = parameters.values[n].data();
    }
}

void zero_response(Message& message) {
    for (unsigned r = 0; r < message.response_length && r < Message::kMaxResponse; ++r) {
        std::memset(message.response[r].bytes, 0, sizeof message.response[r].bytes);
        message.response_enable[r] = ~0u;
    }
}

}  // namespace gen9::sampler
