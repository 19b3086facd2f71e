// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "vme/message/inputs.h"

namespace gen9::vme {

/// How a macroblock is divided, and in which direction each part is predicted.
struct Partition {
    MajorMode major = MajorMode::M16x16;
    std::array<MinorMode, 4> minor{};      ///< of 8x8 blocks in mode 8x8
    std::array<Direction, 4> direction{};  ///< by part, in mode 8x8 by 8x8 block

    /// Calls `visit(shape, part)` for each shape of the source block; `part` counts as `direction`
    /// does.
    template <class Visit>
    void for_each_shape(const Inputs& in, Visit visit) const {
        if (major != MajorMode::M8x8) {
            const ShapeRange range = major_shapes(major);
            for (unsigned i = 0; i < range.count; ++i)
                if (in.contains(kShapes[range.first + i])) visit(range.first + i, i);
            return;
        }
        for (unsigned q = 0; q < 4; ++q) {
            if (!in.contains(kShapes[k8x8 + q])) continue;
            const ShapeRange range = minor_shapes(minor[q], q);
            for (unsigned i = 0; i < range.count; ++i)
                visit(range.first + i, q);
        }
    }
    bool has_minor_shapes() const {
        if (major == MajorMode::M8x8)
            for (const MinorMode mode : minor)
                if (mode != MinorMode::M8x8) return true;
        return false;
    }
};

/// The universal return phases W0 to W6 (VME-59..VME-69), with 0 in what a message does not fill.
struct Result {
    bool inter = false;  ///< there is an inter result
    Partition partition;
    unsigned vectors = 0;  ///< MvQuantity
    bool transform_8x8 = false;
    std::uint32_t inter_distortion = 0, skip_distortion = 0;
    std::array<std::array<Vector, 2>, 16> vector{};  ///< by 4x4 block in Z order, direction
    std::array<std::uint32_t, 16> distortion{};      ///< of a shape, at its first block
    std::array<std::array<std::uint8_t, 2>, 4> ref_id{};

    // Integer search.
    std::array<std::uint8_t, 2> border{};
    unsigned units = 0, alternate_units = 0;
    bool early_stop = false, too_many_vectors = false;
    bool stream_only_local = false, min_has_local = false, stream_has_no_local = false;
    std::array<std::uint32_t, 2> distortion_sum{}, distortion_most{};

    // Check.
    bool intra = false;
    std::uint8_t intra_mode = 0, intra_type = 0, chroma_mode = 0;
    std::array<std::uint8_t, 16> luma_mode{};  ///< by 4x4 block in Z order
    std::uint32_t intra_distortion = 0, chroma_distortion = 0;
    std::array<std::uint32_t, 4> coefficients{}, excess{};  ///< of the forward transform, by 8x8

    /// Sets what follows from the partition: vectors' places, distortions, number of vectors.
    void place(unsigned shape, const std::array<Vector, 2>& vectors_of,
               std::uint32_t distortion_of);
};

/// InterMbType (guide 3.3: the numbers of AVC's B slices), after MbTypeRemap (VME-13).
std::uint8_t inter_type(const Partition& partition, std::uint8_t remap);

/// W0 to W6 of a result. `compute`, `stalled`: W0.7 (VME-65).
void write_result(const Inputs& in, const Result& result, Message& message);
void write_clocks(std::uint64_t compute, std::uint64_t stalled, Message& message);

}  // namespace gen9::vme
