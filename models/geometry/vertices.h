// SPDX-License-Identifier: Apache-2.0
/// Vertices: where the elements of a vertex lie in memory, and how they are stored in its URB entry.
///
/// A layout is made once for a state. For up to 16 vertices at a time each element's addresses are
/// told, and the bytes found there are converted and stored. Elements stand one after the other in
/// slots of 16 bytes; one that stores more takes two (VF-08). Vertex and instance numbers are
/// written over what was stored, last (VF-15).
///
/// Spec  VF-06..VF-16; 003:11885-12183. Out-of-range elements are 0 as a whole, an assumption that
/// the APIs allow (VF-07).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/units.h"
#include "formats/codec.h"
#include "interconnect/payload/stage_state.h"

namespace gen9::geometry {

inline constexpr unsigned kVertexBatch = formats::kLanes;
inline constexpr unsigned kMaxVertexBuffers = 33;
inline constexpr unsigned kMaxVertexElements = 34;
inline constexpr unsigned kSlotDwords = 4;

/// How a component of an element is stored (VF-09).
enum class ComponentControl : std::uint8_t {
    NoStore = 0,
    Source = 1,
    Zero = 2,
    OneFloat = 3,
    OneInteger = 4,
};

struct VertexBuffer {
    GpuAddr start;
    std::uint32_t size = 0;  ///< bytes
    std::uint32_t pitch = 0;
    std::uint8_t mocs = 0;
};

struct VertexElement {
    std::uint8_t buffer = 0;
    std::uint16_t offset = 0;  ///< of the element within its vertex's data
    bool edge_flag = false;    ///< it is not stored but travels with the vertex (VF edge flags)
    bool instanced = false;
    std::uint32_t step_rate = 0;  ///< instances that share one value; 0: all do
    std::array<ComponentControl, 4> control{};
    std::uint8_t slot = 0;  ///< of the entry, in 16 bytes
    std::uint8_t slots = 1;
    formats::Codec codec;
    std::uint8_t bytes = 0;  ///< read of memory
};

/// The number of a vertex among those that a draw makes.
struct VertexNumbers {
    std::uint32_t vertex_index = 0;    ///< what elements are addressed by (VF-16)
    std::uint32_t instance_index = 0;  ///< StartInstanceLocation, to which steps are added
    std::uint32_t vertex_id = 0, instance_id = 0;
};

/// Of up to 16 vertices.
struct ElementAddresses {
    std::array<GpuAddr, kVertexBatch> address{};
    std::uint32_t within = 0;  ///< bit n: the element of vertex n lies within its buffer
};

class VertexLayout {
  public:
    /// What the vertex fetch has latched. A guest error, and what it concerns, goes into `problems`;
    /// such an element reads as 0.
    VertexLayout(const StageState& state, std::vector<std::string>& problems);
    VertexLayout(const VertexLayout&) = delete;  // edge_flags_ points into elements_
    VertexLayout(VertexLayout&&) = default;

    std::span<const VertexElement> elements() const { return elements_; }
    const VertexBuffer& buffer(unsigned index) const { return buffers_[index]; }
    /// Slots of 16 bytes of a vertex, as its elements are stored.
    unsigned slots() const { return slots_; }
    /// DWords of an entry: fewer, where components are packed.
    unsigned entry_dwords() const {
        return packs_ ? static_cast<unsigned>(packed_.size()) : slots_ * kSlotDwords;
    }
    /// An element is addressed by the instance, or its number is stored: a vertex of one instance
    /// is not one of another.
    bool by_instance() const { return by_instance_; }
    /// The element that holds edge flags, or null.
    const VertexElement* edge_flags() const { return edge_flags_; }

    ElementAddresses addresses(const VertexElement& element,
                               std::span<const VertexNumbers> vertices) const;
    /// Converts an element of the vertices of `within` and stores it into their entries, whose
    /// slots begin at `entries[n]`; that of the others is 0. `bytes[n]` points to the element in
    /// memory, `element.bytes` long.
    static void store(const VertexElement& element, const std::uint8_t* const* bytes,
                      std::uint32_t within, std::span<std::uint32_t* const> entries);
    /// Vertex and instance numbers.
    void store_numbers(std::span<const VertexNumbers> vertices,
                       std::span<std::uint32_t* const> entries) const;
    /// Moves the components that are enabled together, last of all (VF-18).
    void pack(std::span<std::uint32_t* const> entries) const;
    /// Bit n: the edge flag of vertex n is set.
    static std::uint32_t edges(const VertexElement& element, const std::uint8_t* const* bytes,
                               std::uint32_t within);

  private:
    void decode_packing(const StageState& state, std::span<const unsigned> numbers);
    /// Where a number is stored: a DWord of the entry.
    std::optional<unsigned> number_place(const StageState& state, bool instance,
                                         std::vector<std::string>& problems) const;

    std::array<VertexBuffer, kMaxVertexBuffers> buffers_{};
    std::vector<VertexElement> elements_;
    const VertexElement* edge_flags_ = nullptr;
    unsigned slots_ = 0;
    bool by_instance_ = false;
    std::optional<unsigned> vertex_id_, instance_id_;
    bool packs_ = false;
    std::vector<std::uint16_t> packed_;  ///< DWords of the vertex that its entry has
};

}  // namespace gen9::geometry
