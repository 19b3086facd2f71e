// SPDX-License-Identifier: Apache-2.0
#include "formats/codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "formats/lane.h"

namespace gen9::formats {

namespace {

constexpr unsigned kAlpha = 3;

/// What the bits of no channel are written as.
std::uint32_t fill_of(const Format& format) {
    if (format.supports(kDepth)) return 0;
    if (format.kind() == Kind::Float && format.unused.width == 16) return 0x3C00;
    return mask_of(format.unused.width);
}

/// How many lanes a mask reaches to.
unsigned reach(std::uint32_t lanes) {
    return static_cast<unsigned>(std::bit_width(lanes & kAllLanes));
}

}  // namespace

Codec::Codec(const Format& format, const Selects& select)
    : format_(&format), transfer_(transfer_of(format.bytes())) {
    if (format.coding != Coding::Plain || !transfer_) return;
    words_ = static_cast<std::uint8_t>((format.bytes() + 3) / 4);
    decodes_ = true;
    encodes_ = format.uses & (kRenderTarget | kTypedWrite | kStreamOut | kDepth);
    if (format.unused.width)
        fixed_[format.unused.low / 32] = fill_of(format) << format.unused.low % 32;
    for (unsigned c = 0; c < 4; ++c) {
        const auto code = static_cast<unsigned>(select[c]);
        const unsigned from = code & 3;
        if (code < static_cast<unsigned>(Select::Red)) {
            read_[c].constant = select[c] == Select::One ? format.missing(kAlpha) : 0;
            continue;
        }
        const Field& field = format.channel[from];
        if (field.kind == Kind::None) {
            read_[c].constant = format.missing(from);
            continue;
        }
        if (field.kind == Kind::Raw) continue;  // copied by DWords: decode
        const Conversion* const conversion = find_conversion(field.kind, field.width);
        GEN9_CHECK(conversion, "a channel of the table of formats has no conversion");
        read_[c] = {conversion, static_cast<std::uint8_t>(field.low / 32),
                    static_cast<std::uint8_t>(field.low % 32), 0};
        write_[c] = read_[c];
    }
    for (const Field& field : format.channel) {
        if (field.kind == Kind::None) continue;
        const Conversion* const conversion = find_conversion(field.kind, field.width);
        encodes_ = encodes_ && conversion && conversion->encode;
    }
    find_copies();
}

/// DWords of these kinds have the same bits in memory and in registers.
void Codec::find_copies() {
    if (words_ > copied_.size() || format_->unused.width) return;
    unsigned copied = 0;
    for (unsigned c = 0; c < 4; ++c) {
        const Conversion* const conversion = write_[c].conversion;
        if (!conversion) continue;
        const Kind kind = conversion->kind;
        if (conversion->width != 32 || copied >> write_[c].word & 1 ||
            (kind != Kind::Uint && kind != Kind::Sint && kind != Kind::Float && kind != Kind::Raw))
            return;
        copied |= 1u << write_[c].word;
        copied_[write_[c].word] = static_cast<std::uint8_t>(c);
    }
    copies_ = copied == (1u << words_) - 1;
}

void Codec::decode(const Elements& from, Lanes& to, unsigned lanes, unsigned slot) const {
    GEN9_CHECK(decodes_, "a format without fields is decoded by the sampler");
    if (format_->kind() == Kind::Raw) {
        for (unsigned c = 0; c < 4; ++c) {
            if (const unsigned word = 4 * slot + c; word < words_)
                to.channel[c] = from.word[word];
            else
                to.channel[c].fill(0);
        }
        return;
    }
    for (unsigned c = 0; c < 4; ++c) {
        const Step& step = read_[c];
        std::uint32_t* const values = to.channel[c].data();
        if (!step.conversion)
            to.channel[c].fill(step.constant);
        else if (lanes > 8)
            step.conversion->decode(from.word[step.word].data(), step.shift, values);
        else
            step.conversion->decode_8(from.word[step.word].data(), step.shift, values);
    }
}

void Codec::encode(const Lanes& from, Elements& to, unsigned lanes) const {
    GEN9_CHECK(encodes_, "a format that Gen9 does not write is not encoded");
    if (copies_) {
        for (unsigned word = 0; word < words_; ++word)
            std::memcpy(to.word[word].data(), from.channel[copied_[word]].data(),
                        (lanes > 8 ? kLanes : 8) * sizeof(std::uint32_t));
        return;
    }
    for (unsigned word = 0; word < words_; ++word) {
        if (lanes > 8)
            to.word[word].fill(fixed_[word]);
        else
            std::fill_n(to.word[word].begin(), 8, fixed_[word]);
    }
    for (unsigned c = 0; c < 4; ++c) {
        const Step& step = write_[c];
        if (!step.conversion) continue;
        const std::uint32_t* const values = from.channel[c].data();
        if (lanes > 8)
            step.conversion->encode(values, step.shift, to.word[step.word].data());
        else
            step.conversion->encode_8(values, step.shift, to.word[step.word].data());
    }
}

WriteMask Codec::mask(unsigned channels) const {
    WriteMask mask;
    for (unsigned c = 0; c < 4; ++c)
        if (const Step& step = write_[c]; step.conversion && channels >> c & 1)
            mask.word[step.word] |= mask_of(step.conversion->width) << step.shift;
    const Field& unused = format_->unused;
    if (unused.width && channels >> kAlpha & 1)
        mask.word[unused.low / 32] |= mask_of(unused.width) << unused.low % 32;
    mask.whole = true;
    for (unsigned word = 0; word < words_; ++word)
        mask.whole &= mask.word[word] == mask_of(format_->bits - 32 * word);
    return mask;
}

void Codec::read(const std::uint8_t* from, unsigned count, Lanes& to) const {
    Elements elements;
    transfer_->load(from, count, elements);
    decode(elements, to, count);
}
void Codec::read(const std::uint8_t* base, const std::uint32_t* at, std::uint32_t lanes,
                 Lanes& to) const {
    Elements elements;
    transfer_->gather(base, at, lanes, elements);
    decode(elements, to, reach(lanes));
}
void Codec::read(const std::uint8_t* const* at, std::uint32_t lanes, Lanes& to) const {
    Elements elements;
    transfer_->collect(at, lanes, elements);
    decode(elements, to, reach(lanes));
}

void Codec::write(const Lanes& from, unsigned channels, std::uint32_t lanes,
                  std::uint8_t* to) const {
    Elements elements;
    encode(from, elements, reach(lanes));
    transfer_->store(elements, mask(channels), lanes, to);
}
void Codec::write(const Lanes& from, unsigned channels, std::uint32_t lanes, std::uint8_t* base,
                  const std::uint32_t* at) const {
    write(from, mask(channels), lanes, base, at);
}
void Codec::write(const Lanes& from, const WriteMask& changes, std::uint32_t lanes,
                  std::uint8_t* base, const std::uint32_t* at) const {
    Elements elements;
    encode(from, elements, reach(lanes));
    transfer_->scatter(elements, changes, lanes, base, at);
}
void Codec::write(const Lanes& from, unsigned channels, std::uint32_t lanes,
                  std::uint8_t* const* at) const {
    Elements elements;
    encode(from, elements, reach(lanes));
    transfer_->distribute(elements, mask(channels), lanes, at);
}

void Codec::to_bits(unsigned channel, const std::uint32_t* values, std::uint32_t* bits) const {
    const Field& field = format_->channel[channel];
    const Conversion* const conversion = find_conversion(field.kind, field.width);
    std::fill_n(bits, kLanes, 0);
    if (conversion && conversion->encode) conversion->encode(values, 0, bits);
}
void Codec::from_bits(unsigned channel, const std::uint32_t* bits, std::uint32_t* values) const {
    const Field& field = format_->channel[channel];
    if (const Conversion* const conversion = find_conversion(field.kind, field.width);
        conversion && field.width <= 32)
        conversion->decode(bits, 0, values);
    else
        std::fill_n(values, kLanes, format_->missing(channel));
}

}  // namespace gen9::formats
