// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/element_type.h"

#include <array>
#include <string_view>

namespace gen9::checks {
namespace {

using Kind = ElementType::Kind;

struct Scalar {
    std::string_view name;
    Kind kind;
    unsigned bytes;
};

constexpr std::array kScalars{Scalar{"char", Kind::Signed, 1},
                              Scalar{"uchar", Kind::Unsigned, 1},
                              Scalar{"short", Kind::Signed, 2},
                              Scalar{"ushort", Kind::Unsigned, 2},
                              Scalar{"int", Kind::Signed, 4},
                              Scalar{"uint", Kind::Unsigned, 4},
                              Scalar{"long", Kind::Signed, 8},
                              Scalar{"ulong", Kind::Unsigned, 8},
                              Scalar{"half", Kind::Float, 2},
                              Scalar{"float", Kind::Float, 4},
                              Scalar{"double", Kind::Float, 8},
                              Scalar{"unsigned char", Kind::Unsigned, 1},
                              Scalar{"unsigned short", Kind::Unsigned, 2},
                              Scalar{"unsigned int", Kind::Unsigned, 4},
                              Scalar{"unsigned long", Kind::Unsigned, 8},
                              Scalar{"size_t", Kind::Unsigned, 8},
                              Scalar{"ptrdiff_t", Kind::Signed, 8},
                              Scalar{"atomic_int", Kind::Signed, 4},
                              Scalar{"atomic_uint", Kind::Unsigned, 4},
                              Scalar{"atomic_long", Kind::Signed, 8},
                              Scalar{"atomic_ulong", Kind::Unsigned, 8},
                              Scalar{"atomic_float", Kind::Float, 4},
                              Scalar{"atomic_double", Kind::Float, 8},
                              Scalar{"_Atomic(int)", Kind::Signed, 4},
                              Scalar{"_Atomic(uint)", Kind::Unsigned, 4},
                              Scalar{"_Atomic(float)", Kind::Float, 4}};

}  // namespace

std::string without_pointer(const std::string& pointer) {
    const auto end = pointer.find_last_not_of("* ");
    return end == std::string::npos ? std::string() : pointer.substr(0, end + 1);
}

std::optional<ElementType> element_type(const std::string& pointer) {
    const std::string name = without_pointer(pointer);
    const auto digits = name.find_last_not_of("0123456789") + 1;
    const std::string_view scalar = std::string_view(name).substr(0, digits);
    const std::string_view count = std::string_view(name).substr(digits);
    unsigned components = 1;
    if (!count.empty()) {
        if (count != "2" && count != "3" && count != "4" && count != "8" && count != "16")
            return {};
        components = static_cast<unsigned>(std::stoul(std::string(count)));
    }
    for (const Scalar& known : kScalars)
        if (known.name == scalar) return ElementType{known.kind, known.bytes, components, name};
    return {};
}

}  // namespace gen9::checks
