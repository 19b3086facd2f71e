// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "packets/fields.h"

namespace gen9::packets {

/// First and last bit of a field, counted from bit 0 of DWord 0.
constexpr unsigned first_bit(const Field& field) {
    return field.dword * 32u + field.low;
}
constexpr unsigned last_bit(const Field& field) {
    return field.dword * 32u + field.high;
}

/// The rows of a structure stand in order of position, none overlaps another, none is inside out,
/// and none lies beyond `max_dwords` (the longest form). Every table asserts this on itself.
constexpr bool well_formed(const Structure& structure, unsigned max_dwords) {
    unsigned next = 0;
    for (const Field* field : structure.fields) {
        if (field->high < field->low || field->high > 63) return false;
        if (first_bit(*field) < next) return false;
        next = last_bit(*field) + 1;
    }
    return next <= max_dwords * 32;
}
constexpr bool well_formed(const Structure& structure) {
    return well_formed(structure, structure.dwords);
}

/// Source of the layouts that the seeds only link to.
inline constexpr const char* kGen9Xml = "Public: mesa gen9.xml, checked against NEO's Gen9 headers";

}  // namespace gen9::packets
