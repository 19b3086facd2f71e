// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace gen9::checks {

/// The type of the argument says what a buffer's elements are.
struct ElementType {
    enum class Kind { Signed, Unsigned, Float, Word };
    /// Word: of a type that says nothing, as a struct. A word of 4 bytes may be anything.
    Kind kind = Kind::Word;
    unsigned bytes = 4;       ///< of a component
    unsigned components = 1;  ///< of a vector
    std::string name;

    /// A vector of three has the place of four, and nobody knows what is in the last.
    unsigned places() const { return components == 3 ? 4 : components; }
    std::size_t element_bytes() const { return std::size_t{bytes} * places(); }
};

/// The element of a pointer as OpenCL C writes it ("float4*"); nothing for types of a program's
/// own.
std::optional<ElementType> element_type(const std::string& pointer);

/// Without the asterisk and the blanks before it.
std::string without_pointer(const std::string& pointer);

}  // namespace gen9::checks
