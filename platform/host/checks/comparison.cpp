// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace gen9::checks {
namespace {

using Kind = ElementType::Kind;
using Bytes = std::span<const std::uint8_t>;

/// Bits of the significand behind the point, and the exponent of the least normal number.
struct FloatForm {
    int fraction, least;
};

FloatForm form_of(unsigned bytes) {
    if (bytes == 2) return {10, -14};
    return bytes == 4 ? FloatForm{23, -126} : FloatForm{52, -1022};
}

std::uint64_t bits_at(Bytes from, std::size_t at, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, from.data() + at, bytes);
    return value;
}

double half_value(std::uint64_t bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 0x3FF);
    double size = std::ldexp(fraction, -24);
    if (exponent == 31)
        size = fraction == 0 ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    else if (exponent != 0)
        size = std::ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 & 1 ? -size : size;
}

double float_value(std::uint64_t bits, unsigned bytes) {
    if (bytes == 2) return half_value(bits);
    if (bytes == 8) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

std::int64_t signed_value(std::uint64_t bits, unsigned bytes) {
    const unsigned unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// The values of a buffer's components, by its type.
class Values {
  public:
    Values(const Contents& contents, const ElementType& type, unsigned ulps)
        : contents_(contents), type_(type), ulps_(ulps) {}

    enum class Verdict { Same, Near, Different };
    Verdict judge(std::size_t at);
    std::string text(Bytes from, std::size_t at) const;

  private:
    double value(Bytes from, std::size_t at) const;
    bool agree(double a, double b, unsigned bytes, double among) const;
    bool words_agree(std::uint64_t a, std::uint64_t b) const;
    /// The middle size of the values that were written.
    double middle();

    const Contents& contents_;
    const ElementType& type_;
    unsigned ulps_;
    std::optional<double> middle_;
};

double Values::value(Bytes from, std::size_t at) const {
    const std::uint64_t bits = bits_at(from, at, type_.bytes);
    if (type_.kind == Kind::Float) return float_value(bits, type_.bytes);
    if (type_.kind == Kind::Signed) return static_cast<double>(signed_value(bits, type_.bytes));
    return static_cast<double>(bits);
}

bool Values::agree(double a, double b, unsigned bytes, double among) const {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    const auto [fraction, least] = form_of(bytes);
    constexpr double kOfHalf = 256;
    const double ulps = bytes == 2 ? ulps_ / kOfHalf : ulps_;
    const double size = std::max({std::abs(a), std::abs(b), among});
    const int exponent = size == 0 ? least : std::max(least, std::ilogb(size));
    // With no tolerance denormals count as well.
    const double denormals = ulps_ == 0 ? 0 : std::ldexp(1.0, least);
    return std::abs(a - b) <= std::max(ulps * std::ldexp(1.0, exponent - fraction), denormals);
}

bool Values::words_agree(std::uint64_t a, std::uint64_t b) const {
    const auto is_float = [](std::uint64_t bits) {
        const auto exponent = bits >> 23 & 0xFF;
        return exponent != 0 && exponent != 0xFF;
    };
    return is_float(a) && is_float(b) && agree(float_value(a, 4), float_value(b, 4), 4, 0);
}

double Values::middle() {
    if (middle_) return *middle_;
    std::vector<double> sizes;
    const std::size_t end = contents_.model.size() / type_.bytes * type_.bytes;
    for (std::size_t at = 0; at < end; at += type_.bytes) {
        const auto before = bits_at(contents_.before, at, type_.bytes);
        if (bits_at(contents_.model, at, type_.bytes) == before &&
            bits_at(contents_.expected, at, type_.bytes) == before)
            continue;
        const double size = std::abs(value(contents_.expected, at));
        if (std::isfinite(size) && size != 0) sizes.push_back(size);
    }
    if (sizes.empty()) return *(middle_ = 0);
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::ranges::nth_element(sizes, at);
    return *(middle_ = *at);
}

Values::Verdict Values::judge(std::size_t at) {
    const std::uint64_t a = bits_at(contents_.model, at, type_.bytes);
    const std::uint64_t b = bits_at(contents_.expected, at, type_.bytes);
    if (a == b) return Verdict::Same;
    if (type_.kind == Kind::Word) return words_agree(a, b) ? Verdict::Same : Verdict::Different;
    const double mine = value(contents_.model, at), other = value(contents_.expected, at);
    if (type_.kind == Kind::Float) {
        const bool same = agree(mine, other, type_.bytes, 0) ||
                          (ulps_ != 0 && agree(mine, other, type_.bytes, middle()));
        return same ? Verdict::Same : Verdict::Different;
    }
    // The integers themselves are subtracted: as doubles two may be the same.
    const std::uint64_t apart = mine < other || (mine == other && a < b) ? b - a : a - b;
    if (ulps_ == 0) return Verdict::Different;
    if (apart == 1) return Verdict::Near;
    const bool rounded = type_.bytes >= 4 && agree(mine, other, 4, middle());
    return rounded ? Verdict::Near : Verdict::Different;
}

std::string Values::text(Bytes from, std::size_t at) const {
    const std::uint64_t bits = bits_at(from, at, type_.bytes);
    if (type_.kind == Kind::Unsigned) return std::to_string(bits);
    if (type_.kind == Kind::Signed) return std::to_string(signed_value(bits, type_.bytes));
    std::array<char, 64> room{};
    if (type_.kind == Kind::Word) {
        std::snprintf(room.data(), room.size(), "0x%0*llx", static_cast<int>(2 * type_.bytes),
                      static_cast<unsigned long long>(bits));
    } else {
        const int digits = type_.bytes == 2 ? 5 : type_.bytes == 4 ? 9 : 17;
        std::snprintf(room.data(), room.size(), "%.*g", digits, float_value(bits, type_.bytes));
    }
    return room.data();
}

std::string component_name(const ElementType& type, std::size_t component) {
    if (type.components == 1) return {};
    return std::string(".s") + "0123456789abcdef"[component];
}

}  // namespace

std::optional<ArgumentDifference> compare(const Contents& contents, const ElementType& type,
                                          unsigned ulps) {
    if (std::ranges::equal(contents.model, contents.expected)) return {};
    // A struct whose size is no multiple of words leaves a rest, and so may an element.
    const std::size_t whole = contents.model.size() / type.bytes * type.bytes;
    Values values(contents, type, ulps);
    ArgumentDifference found;
    found.elements = contents.model.size() / type.element_bytes();
    std::optional<std::size_t> first, first_near;
    std::uint64_t last_counted = ~std::uint64_t{0};
    for (std::size_t at = 0; at < whole; at += type.bytes) {
        const std::size_t component = at / type.bytes % type.places();
        if (component >= type.components) continue;
        const auto verdict = values.judge(at);
        if (verdict == Values::Verdict::Same) continue;
        auto& place = verdict == Values::Verdict::Near ? first_near : first;
        if (!place) place = at;
        const std::uint64_t element = at / type.element_bytes();
        if (std::exchange(last_counted, element) != element) ++found.differing;
    }
    found.near = !first;
    if (!first) first = first_near;
    if (first) {
        found.first = *first / type.element_bytes();
        found.component = component_name(type, *first / type.bytes % type.places());
        found.model = values.text(contents.model, *first);
        found.expected = values.text(contents.expected, *first);
        return found;
    }
    if (type.bytes == 1 || whole == contents.model.size()) return {};
    const Contents rest{contents.before.subspan(whole), contents.model.subspan(whole),
                        contents.expected.subspan(whole)};
    auto tail = compare(rest, ElementType{Kind::Word, 1, 1, "byte"}, ulps);
    if (!tail) return {};
    tail->first += whole;
    tail->elements = contents.model.size();
    tail->type = "byte";
    return tail;
}

}  // namespace gen9::checks
