// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertices.h"

#include <bit>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "packets/draw/vf.h"
#include "tests/support/covers.h"

namespace gen9::geometry::test {
namespace {

using Words = std::vector<std::uint32_t>;
using C = ComponentControl;

constexpr std::uint64_t kBuffer = 0x10'0000;

/// State commands, and 64 KB of memory from kBuffer on.
struct VertexBench {
    StageState state{packets::Unit::Vf};
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(0x1'0000);
    Words elements{0x78090000};
    unsigned count = 0;
    std::vector<std::string> problems;

    void take(const char* name, const Words& dwords) {
        const packets::CommandRow& row = packets::command_named(name);
        ASSERT_TRUE(state.take(row, dwords)) << name;
    }
    void buffer(unsigned index, std::uint64_t at, std::uint32_t size, unsigned pitch,
                bool null = false) {
        namespace row = packets::VERTEX_BUFFER_STATE;
        Words dwords(5);
        dwords[0] = 0x7808'0003;
        const std::span<std::uint32_t> body(dwords.data() + 1, 4);
        row::VertexBufferIndex.set(body, index);
        row::BufferPitch.set(body, pitch);
        row::NullVertexBuffer.set(body, null);
        row::BufferStartingAddress.set(body, at);
        row::BufferSize.set(body, size);
        take("3DSTATE_VERTEX_BUFFERS", dwords);
    }
    void element(unsigned buffer, unsigned offset, unsigned format, std::array<C, 4> control,
                 bool edge = false) {
        namespace row = packets::VERTEX_ELEMENT_STATE;
        Words dwords(2);
        row::Valid.set(dwords, 1);
        row::VertexBufferIndex.set(dwords, buffer);
        row::SourceElementOffset.set(dwords, offset);
        row::SourceElementFormat.set(dwords, format);
        row::EdgeFlagEnable.set(dwords, edge);
        const auto number = [&](unsigned c) { return static_cast<unsigned>(control[c]); };
        row::Component0Control.set(dwords, number(0));
        row::Component1Control.set(dwords, number(1));
        row::Component2Control.set(dwords, number(2));
        row::Component3Control.set(dwords, number(3));
        elements.insert(elements.end(), dwords.begin(), dwords.end());
        ++count;
    }
    void instancing(unsigned element, bool on, std::uint32_t rate) {
        take("3DSTATE_VF_INSTANCING", {0x7849'0001, element | (on ? 1u << 8 : 0), rate});
    }
    void sgvs(std::uint32_t dword) { take("3DSTATE_VF_SGVS", {0x784A'0000, dword}); }
    VertexLayout layout() {
        elements[0] = 0x7809'0000 | static_cast<std::uint32_t>(elements.size() - 2);
        take("3DSTATE_VERTEX_ELEMENTS", elements);
        return {state, problems};
    }
    template <class Value>
    void put(std::uint64_t offset, std::initializer_list<Value> values) {
        for (const Value value : values) {
            std::memcpy(&memory[offset], &value, sizeof value);
            offset += sizeof value;
        }
    }
    /// The entries of some vertices, of `fill` where nothing is stored.
    std::vector<Words> assemble(const VertexLayout& layout,
                                const std::vector<VertexNumbers>& vertices,
                                std::uint32_t fill = 0xDEAD) {
        std::vector<Words> entries(vertices.size(), Words(layout.slots() * kSlotDwords, fill));
        std::vector<std::uint32_t*> places;
        for (Words& entry : entries)
            places.push_back(entry.data());
        for (const VertexElement& e : layout.elements()) {
            if (e.edge_flag) continue;
            const ElementAddresses at = layout.addresses(e, vertices);
            VertexLayout::store(e, hosts(at).data(), at.within, places);
        }
        layout.store_numbers(vertices, places);
        layout.pack(places);
        for (Words& entry : entries)
            entry.resize(layout.entry_dwords());
        return entries;
    }
    std::array<const std::uint8_t*, kVertexBatch> hosts(const ElementAddresses& at) {
        std::array<const std::uint8_t*, kVertexBatch> host{};
        for (unsigned n = 0; n < kVertexBatch; ++n)
            if (at.within >> n & 1) host[n] = &memory[at.address[n].value - kBuffer];
        return host;
    }
};

std::uint32_t f(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
constexpr unsigned kR32G32_FLOAT = 0x085, kR32G32B32_FLOAT = 0x040, kR8G8B8A8_UNORM = 0x0C7,
                   kR32_UINT = 0x0D7, kR64G64B64A64_PASSTHRU = 0x1BC, kR64_PASSTHRU = 0x0A1,
                   kR16_SNORM = 0x10B, kR8_UINT = 0x143;

TEST(Vertices, ComponentsThatAreEnabledArePacked) {
    GEN9_COVERS("VF-18");
    VertexBench b;
    b.put<float>(0, {1, 2, 3, 4});
    b.put<std::uint64_t>(16, {0x1'0000'0002});
    b.buffer(0, kBuffer, 4096, 64);
    b.element(0, 0, kR32G32B32_FLOAT, {C::Source, C::Source, C::Source, C::OneFloat});
    b.element(0, 16, kR64_PASSTHRU, {C::Source, C::Zero, C::NoStore, C::NoStore});
    b.element(0, 0, kR32G32_FLOAT, {C::Source, C::Source, C::Zero, C::Zero});
    b.sgvs(1u << 15 | 2u << 13 | 2);  // VertexID into element 2, component 2
    // y and w of the first, none of the second, x and the number of the third.
    b.take("3DSTATE_VF_COMPONENT_PACKING", {0x78550003, 0x50A, 0, 0, 0});
    b.take("3DSTATE_VF", {0x780C0000, 0});
    EXPECT_EQ(b.layout().entry_dwords(), 12u) << "packing is not enabled";
    b.take("3DSTATE_VF", {0x780C0000 | 1u << 9, 0});
    const VertexLayout layout = b.layout();
    EXPECT_TRUE(b.problems.empty()) << b.problems.front();
    EXPECT_EQ(layout.entry_dwords(), 4u);
    EXPECT_EQ(b.assemble(layout, {{0, 0, 77, 0}})[0], (Words{f(2), f(1), f(1), 77}));
}

TEST(Vertices, TheLastBufferAndTheLastElementAreRead) {
    GEN9_COVERS("VF-06 VF-08");
    VertexBench b;
    for (unsigned i = 0; i < kMaxVertexBuffers; ++i) {
        b.put<std::uint32_t>(64 * i, {1000 + i});
        b.buffer(i, kBuffer + 64 * i, 4, 4);
    }
    for (unsigned i = 0; i < kMaxVertexElements; ++i)
        b.element(std::min(i, kMaxVertexBuffers - 1), 0, kR32_UINT,
                  {C::Source, C::Zero, C::Zero, C::Zero});
    const VertexLayout layout = b.layout();
    EXPECT_TRUE(b.problems.empty()) << b.problems.front();
    const Words entry = b.assemble(layout, {{0, 0, 0, 0}})[0];
    ASSERT_EQ(entry.size(), 4 * kMaxVertexElements);
    for (unsigned i = 0; i < kMaxVertexElements; ++i)
        EXPECT_EQ(entry[4 * i], 1000 + std::min(i, kMaxVertexBuffers - 1)) << i;
}

TEST(Vertices, ComponentsAreStoredAsTheirControlsSay) {
    GEN9_COVERS("VF-08 VF-09 VF-12");
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 16);
    b.element(0, 0, kR32G32_FLOAT, {C::Source, C::Source, C::Zero, C::OneFloat});
    b.element(0, 8, kR8G8B8A8_UNORM, {C::Source, C::OneInteger, C::NoStore, C::NoStore});
    b.put(0, {1.5f, 2.5f});
    b.memory[8] = 0xFF;
    const VertexLayout layout = b.layout();
    EXPECT_EQ(layout.slots(), 2u);
    EXPECT_EQ(b.assemble(layout, {{}})[0],
              Words({f(1.5f), f(2.5f), 0, f(1), f(1), 1, 0xDEAD, 0xDEAD}));
    EXPECT_TRUE(b.problems.empty());
}

TEST(Vertices, ValuesAreThoseOfTheFormat) {
    GEN9_COVERS("VF-12 VF-13");
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 2);
    b.element(0, 0, kR16_SNORM, {C::Source, C::NoStore, C::NoStore, C::NoStore});
    b.put<std::uint16_t>(0, {0x8000, 0x8001, 0x7FFF, 0});
    const auto entries = b.assemble(b.layout(), {{0}, {1}, {2}, {3}});
    EXPECT_EQ(entries[0][0], f(-1));
    EXPECT_EQ(entries[1][0], f(-1));
    EXPECT_EQ(entries[2][0], f(1));
    EXPECT_EQ(entries[3][0], f(0));
}

// One of 256 bits moves the elements behind it.
TEST(Vertices, CopiedComponentsTakeTwoDwords) {
    GEN9_COVERS("VF-08 VF-11");
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 64);
    b.element(0, 0, kR64G64B64A64_PASSTHRU, {C::Source, C::Source, C::Source, C::Zero});
    b.element(0, 32, kR64_PASSTHRU, {C::Source, C::Zero, C::NoStore, C::NoStore});
    b.element(0, 40, kR32_UINT, {C::Source, C::NoStore, C::NoStore, C::NoStore});
    b.put<std::uint32_t>(0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    const VertexLayout layout = b.layout();
    ASSERT_EQ(layout.slots(), 4u);
    EXPECT_EQ(b.assemble(layout, {{}})[0],
              Words({1, 2, 3, 4, 5, 6, 0, 0, 9, 10, 0, 0, 11, 0xDEAD, 0xDEAD, 0xDEAD}));
}

TEST(Vertices, AnElementOutsideItsBufferIsZero) {
    GEN9_COVERS("VF-06 VF-07");
    VertexBench b;
    b.buffer(0, kBuffer, 20, 12);
    b.buffer(1, kBuffer, 0, 4, true);
    b.element(0, 0, kR32G32B32_FLOAT, {C::Source, C::Source, C::Source, C::OneFloat});
    b.element(1, 0, kR32_UINT, {C::Source, C::Source, C::Zero, C::Zero});
    b.element(2, 0, kR32_UINT, {C::Source, C::Source, C::Zero, C::Zero});
    b.put(0, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
    const auto entries = b.assemble(b.layout(), {{0}, {1}, {0xFFFF'FFFF}});
    EXPECT_EQ(entries[0], Words({f(1), f(2), f(3), f(1), 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(entries[1], Words({0, 0, 0, f(1), 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(entries[2], entries[1]);
}

TEST(Vertices, ElementsOfInstancesGoBySteps) {
    GEN9_COVERS("VF-14");
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 4);
    for (unsigned i = 0; i < 3; ++i)
        b.element(0, 0, kR32_UINT, {C::Source, C::NoStore, C::NoStore, C::NoStore});
    b.instancing(1, true, 3);
    b.instancing(2, true, 0);
    b.instancing(0, false, 7);
    b.put<std::uint32_t>(0, {100, 101, 102, 103, 104, 105, 106, 107});
    const VertexLayout layout = b.layout();
    EXPECT_TRUE(layout.by_instance());
    const VertexNumbers v{.vertex_index = 6, .instance_index = 2, .instance_id = 7};
    const Words entry = b.assemble(layout, {v})[0];
    EXPECT_EQ(entry[0], 106u);
    EXPECT_EQ(entry[4], 104u) << "2 + 7 / 3";
    EXPECT_EQ(entry[8], 102u) << "all instances have the first";
}

TEST(Vertices, NumbersReplaceWhatWasStored) {
    GEN9_COVERS("VF-15 VF-16");
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 4);
    b.element(0, 0, kR64G64B64A64_PASSTHRU, {C::Zero, C::Zero, C::Zero, C::Zero});
    b.element(0, 0, kR32_UINT, {C::Source, C::Zero, C::Zero, C::Zero});
    b.put<std::uint32_t>(0, {7});
    // Vertex number into component 2, instance number into 3 of element 1, which is in slot 2.
    b.sgvs(1u | 2u << 13 | 1u << 15 | 1u << 16 | 3u << 29 | 1u << 31);
    const VertexLayout layout = b.layout();
    EXPECT_TRUE(layout.by_instance());
    const Words entry = b.assemble(layout, {{.vertex_id = 50, .instance_id = 60}})[0];
    EXPECT_EQ(Words(entry.begin() + 8, entry.end()), Words({7, 0, 50, 60}));
}

TEST(Vertices, TheEdgeFlagIsNotStored) {
    VertexBench b;
    b.buffer(0, kBuffer, 0x100, 1);
    b.element(0, 0, kR8_UINT, {C::Source, C::Zero, C::Zero, C::Zero});
    b.element(0, 16, kR8_UINT, {C::Source, C::NoStore, C::NoStore, C::NoStore}, true);
    b.memory[16] = 1;
    b.memory[18] = 2;
    const VertexLayout layout = b.layout();
    EXPECT_EQ(layout.slots(), 1u);
    ASSERT_NE(layout.edge_flags(), nullptr);
    const std::vector<VertexNumbers> vertices{{0}, {1}, {2}, {255}};
    const ElementAddresses at = layout.addresses(*layout.edge_flags(), vertices);
    EXPECT_EQ(VertexLayout::edges(*layout.edge_flags(), b.hosts(at).data(), at.within), 0b101u);
}

TEST(Vertices, WhatCannotBeReadIsAGuestError) {
    VertexBench b;
    b.element(0, 0, 0x1F0, {C::Source, C::Zero, C::Zero, C::Zero});
    b.element(40, 0, kR8_UINT, {C::Source, C::Zero, C::Zero, C::Zero});
    b.sgvs(30u | 1u << 15);
    const VertexLayout layout = b.layout();
    EXPECT_EQ(layout.slots(), 0u);
    ASSERT_EQ(b.problems.size(), 3u);
    EXPECT_NE(b.problems[0].find("format 496"), std::string::npos);
    EXPECT_NE(b.problems[1].find("vertex buffer 40"), std::string::npos);
    EXPECT_NE(b.problems[2].find("vertex element 30"), std::string::npos);
}

}  // namespace
}  // namespace gen9::geometry::test
