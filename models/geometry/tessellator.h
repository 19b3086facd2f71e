// SPDX-License-Identifier: Apache-2.0
/// Tessellator: the points of a patch's domain and the objects between them.
///
/// Coordinates are fixed-point numbers of 16 fraction bits, made as the D3D11 reference tessellator
/// makes them: the PRM leaves the algorithm open (TE-02), and edges that patches share must agree
/// with what APIs ask for. The order of points and objects is free; here they are in rings from the
/// outside to the inside.
///
/// Spec  TE-02..TE-13, HS-13..HS-15; 003:12397-12438, 12717-12783
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gen9::geometry {

/// Codes of 3DSTATE_TE.
enum class Domain : std::uint8_t { Quad = 0, Triangle = 1, Isoline = 2 };
enum class Partitioning : std::uint8_t { Integer = 0, OddFractional = 1, EvenFractional = 2 };
enum class DomainOutput : std::uint8_t { Point = 0, Line = 1, TriangleCw = 2, TriangleCcw = 3 };

struct TessellatorState {
    Domain domain = Domain::Quad;
    Partitioning partitioning = Partitioning::Integer;
    DomainOutput output = DomainOutput::TriangleCw;
    float max_odd = 63, max_not_odd = 64;  ///< factors are clamped to it
};

/// Of the edges u = 0, v = 0, u = 1, v = 1 of a quad; u = 0, v = 0, w = 0 of a triangle; density and
/// detail of isolines. Inside: of the axes u and v of a quad; of a triangle one.
struct TessellationFactors {
    std::array<float, 4> outer{};
    std::array<float, 2> inside{};
};

inline constexpr unsigned kPatchHeaderDwords = 8;
/// The factors in the header of a patch record (HS-13..HS-15).
TessellationFactors factors_of(Domain domain,
                               std::span<const std::uint32_t, kPatchHeaderDwords> header);

/// A place in the domain; 1.0 is `kDomainOne`.
struct DomainPlace {
    std::uint32_t u = 0, v = 0;
    bool operator==(const DomainPlace&) const = default;
};
inline constexpr std::uint32_t kDomainOne = 1u << 16;

struct Tessellation {
    std::vector<DomainPlace> points;      ///< each place once
    std::vector<std::uint16_t> vertices;  ///< of one object after the other: numbers of points
    std::uint8_t object_vertices = 1;     ///< of each: 1 to 3
    std::uint32_t strip = 1;              ///< so many lines make a strip

    std::size_t objects() const { return vertices.size() / object_vertices; }
};

/// Nothing comes of a patch with an outer factor that is not positive (TE-03).
void tessellate(const TessellatorState& state, const TessellationFactors& factors,
                Tessellation& out);

}  // namespace gen9::geometry
