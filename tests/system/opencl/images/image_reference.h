// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "../opencl_program.h"

/// What OpenCL says an image read gives (OpenCL C, section 8), computed in double. Of the device it
/// knows only that shares of a linear filter are rounded to 1/256.
namespace reference {

using Texel = std::array<double, 4>;

struct Format {
    cl_channel_order order;
    cl_channel_type type;
    bool is_signed() const {
        return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
    }
    bool is_integer() const {
        return is_signed() || type == CL_UNSIGNED_INT8 || type == CL_UNSIGNED_INT16 ||
               type == CL_UNSIGNED_INT32;
    }
    bool is_srgb() const { return order == CL_sRGBA || order == CL_sBGRA; }
    bool is_depth() const { return order == CL_DEPTH; }
    bool is_float() const { return type == CL_FLOAT || type == CL_HALF_FLOAT; }
    unsigned channels() const {
        if (order == CL_RGBA || order == CL_BGRA || is_srgb()) return 4;
        return order == CL_RG ? 2 : 1;
    }
    unsigned channel_bytes() const {
        if (type == CL_FLOAT || type == CL_SIGNED_INT32 || type == CL_UNSIGNED_INT32) return 4;
        return type == CL_UNORM_INT8 || type == CL_SNORM_INT8 || type == CL_SIGNED_INT8 ||
                       type == CL_UNSIGNED_INT8
                   ? 1
                   : 2;
    }
    unsigned bytes() const { return channels() * channel_bytes(); }
    std::string name() const {
        static const std::map<cl_channel_order, const char*> kOrders = {
            {CL_R, "R"},         {CL_A, "A"},         {CL_RG, "RG"},       {CL_RGBA, "RGBA"},
            {CL_BGRA, "BGRA"},   {CL_sRGBA, "sRGBA"}, {CL_sBGRA, "sBGRA"}, {CL_INTENSITY, "I"},
            {CL_LUMINANCE, "L"}, {CL_DEPTH, "DEPTH"}};
        static const std::map<cl_channel_type, const char*> kTypes = {
            {CL_UNORM_INT8, "UNORM8"},     {CL_UNORM_INT16, "UNORM16"},
            {CL_SNORM_INT8, "SNORM8"},     {CL_SNORM_INT16, "SNORM16"},
            {CL_SIGNED_INT8, "SINT8"},     {CL_SIGNED_INT16, "SINT16"},
            {CL_SIGNED_INT32, "SINT32"},   {CL_UNSIGNED_INT8, "UINT8"},
            {CL_UNSIGNED_INT16, "UINT16"}, {CL_FLOAT, "FLOAT"},
            {CL_HALF_FLOAT, "HALF"},       {CL_UNSIGNED_INT32, "UINT32"}};
        return known() ? kOrders.at(order) + std::string(" ") + kTypes.at(type)
                       : "order " + std::to_string(order) + " type " + std::to_string(type);
    }
    bool known() const {
        static const cl_channel_order kOrders[] = {CL_R,         CL_A,        CL_RG,    CL_RGBA,
                                                   CL_BGRA,      CL_sRGBA,    CL_sBGRA, CL_DEPTH,
                                                   CL_INTENSITY, CL_LUMINANCE};
        return std::find(std::begin(kOrders), std::end(kOrders), order) != std::end(kOrders) &&
               type != CL_UNORM_INT24;
    }
};

inline double half_value(unsigned bits) {
    const int exponent = bits >> 10 & 31;
    const double magnitude =
        exponent ? std::ldexp(1024 + (bits & 1023), exponent - 25) : std::ldexp(bits & 1023, -24);
    return bits >> 15 ? -magnitude : magnitude;
}

inline double channel(const Format& f, const unsigned char* at) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, f.channel_bytes());
    const unsigned width = f.channel_bytes() * 8;
    const auto as_signed = static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width);
    switch (f.type) {
        case CL_UNORM_INT8:
        case CL_UNORM_INT16:
            return bits / (width == 8 ? 255.0 : 65535.0);
        case CL_SNORM_INT8:
        case CL_SNORM_INT16:
            return std::max(-1.0, as_signed / (width == 8 ? 127.0 : 32767.0));
        case CL_HALF_FLOAT:
            return half_value(bits);
        case CL_FLOAT: {
            float value;
            std::memcpy(&value, &bits, sizeof value);
            return double{value};
        }
        default:
            return f.is_signed() ? 1.0 * as_signed : 1.0 * bits;
    }
}

/// The four values a kernel gets of the channels in memory.
inline Texel ordered(const Format& f, const Texel& c) {
    const auto linear = [](double s) {
        return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    };
    switch (f.order) {
        case CL_A:
            return {0, 0, 0, c[0]};
        case CL_RG:
            return {c[0], c[1], 0, 1};
        case CL_RGBA:
            return c;
        case CL_BGRA:
            return {c[2], c[1], c[0], c[3]};
        case CL_sRGBA:
            return {linear(c[0]), linear(c[1]), linear(c[2]), c[3]};
        case CL_sBGRA:
            return {linear(c[2]), linear(c[1]), linear(c[0]), c[3]};
        case CL_INTENSITY:
            return {c[0], c[0], c[0], c[0]};
        case CL_LUMINANCE:
            return {c[0], c[0], c[0], 1};
        default:
            return {c[0], 0, 0, 1};  // R and depth
    }
}

struct Mode {
    cl_addressing_mode address;
    bool linear, normalized;
    bool repeats() const {
        return address == CL_ADDRESS_REPEAT || address == CL_ADDRESS_MIRRORED_REPEAT;
    }
    std::string name() const {
        static const std::map<cl_addressing_mode, const char*> kNames = {
            {CL_ADDRESS_NONE, "none"},
            {CL_ADDRESS_CLAMP, "clamp"},
            {CL_ADDRESS_CLAMP_TO_EDGE, "edge"},
            {CL_ADDRESS_REPEAT, "repeat"},
            {CL_ADDRESS_MIRRORED_REPEAT, "mirror"}};
        return std::string(kNames.at(address)) + (linear ? " linear" : " nearest") +
               (normalized ? " normalized" : "");
    }
};

/// The two texels of an axis and the share of the second one; kOutside is the border.
struct Axis {
    static constexpr int kOutside = -1;
    int index[2] = {0, 0};
    double share = 0;
};

inline int wrapped(double index, int size, cl_addressing_mode address) {
    const auto modulo = [&](double by) { return index - std::floor(index / by) * by; };
    switch (address) {
        case CL_ADDRESS_REPEAT:
            return static_cast<int>(modulo(size));
        case CL_ADDRESS_MIRRORED_REPEAT: {
            const double place = modulo(2.0 * size);
            return static_cast<int>(place < size ? place : 2 * size - 1 - place);
        }
        case CL_ADDRESS_CLAMP_TO_EDGE:
            return static_cast<int>(std::clamp(index, 0.0, size - 1.0));
        default:
            return index >= 0 && index < size ? static_cast<int>(index) : Axis::kOutside;
    }
}

inline Axis axis(double coordinate, int size, const Mode& mode) {
    double u = std::isnan(coordinate) ? 0 : coordinate * (mode.normalized ? size : 1);
    u = std::clamp(u, -1e12, 1e12);
    if (mode.linear) u = std::floor((u - 0.5) * 256 + 0.5) / 256;
    const double first = std::floor(u);
    return {{wrapped(first, size, mode.address), wrapped(first + 1, size, mode.address)},
            mode.linear ? u - first : 0};
}

inline int layer(double coordinate, int count) {
    return std::isnan(coordinate)
               ? 0
               : static_cast<int>(std::clamp(std::nearbyint(coordinate), 0.0, count - 1.0));
}

/// Texels of up to three dimensions.
struct Picture {
    Format format;
    std::array<int, 3> size;
    std::vector<unsigned char> bytes;
    std::vector<Texel> texels;

    Picture(const Format& f, std::array<int, 3> dimensions, std::uint32_t seed)
        : format(f), size(dimensions) {
        Numbers numbers(seed);
        const std::size_t count = std::size_t{1} * size[0] * size[1] * size[2];
        for (std::size_t i = 0; i < count * f.channels(); ++i) {
            std::uint32_t bits = numbers.next() >> 8 | numbers.next() << 16;
            if (f.type == CL_HALF_FLOAT) bits = (bits & 0x83FF) | (bits >> 16) % 18 << 10;
            const float real = numbers.unit() * 8 - 4;
            if (f.type == CL_FLOAT) std::memcpy(&bits, &real, sizeof bits);
            const unsigned char* const first = reinterpret_cast<unsigned char*>(&bits);
            bytes.insert(bytes.end(), first, first + f.channel_bytes());
        }
        decode();
    }
    void decode() {
        texels.clear();
        for (std::size_t at = 0; at < bytes.size(); at += format.bytes()) {
            Texel memory{};
            for (unsigned c = 0; c < format.channels(); ++c)
                memory[c] = channel(format, &bytes[at + c * format.channel_bytes()]);
            texels.push_back(ordered(format, memory));
        }
    }
    Texel at(int x, int y, int z) const {
        if (x < 0 || y < 0 || z < 0) return ordered(format, {0, 0, 0, 0});
        return texels[(std::size_t{1} * z * size[1] + y) * size[0] + x];
    }
    Texel filtered(const Axis& x, const Axis& y, const Axis& z) const {
        Texel sum{};
        for (int n = 0; n < 8; ++n) {
            const double weight = (n & 1 ? x.share : 1 - x.share) *
                                  (n & 2 ? y.share : 1 - y.share) * (n & 4 ? z.share : 1 - z.share);
            if (weight <= 0) continue;
            const Texel texel = at(x.index[n & 1], y.index[n >> 1 & 1], z.index[n >> 2]);
            for (int c = 0; c < 4; ++c)
                sum[c] += weight * texel[c];
        }
        return sum;
    }
};

}  // namespace reference
