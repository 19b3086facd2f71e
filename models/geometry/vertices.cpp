// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertices.h"

#include <algorithm>
#include <array>

#include "common/bits.h"
#include "packets/draw/vf.h"

namespace gen9::geometry {

namespace {

const packets::CommandRow& row_of(const char* name) {
    return packets::command_named(name);
}

/// Components of 64 bits that are copied (VF-11).
bool is_copied(const formats::Format& format) {
    return format.kind() == formats::Kind::Raw;
}

constexpr std::uint32_t kOneFloat = 0x3F80'0000;

}  // namespace

VertexLayout::VertexLayout(const StageState& state, std::vector<std::string>& problems) {
    namespace buffer = packets::VERTEX_BUFFER_STATE;
    namespace element = packets::VERTEX_ELEMENT_STATE;
    namespace instancing = packets::STATE_VF_INSTANCING;
    static const auto& buffers_row = row_of("3DSTATE_VERTEX_BUFFERS");
    static const auto& elements_row = row_of("3DSTATE_VERTEX_ELEMENTS");
    static const auto& instancing_row = row_of("3DSTATE_VF_INSTANCING");

    for (unsigned i = 0; i < kMaxVertexBuffers; ++i) {
        const auto given = state.element(buffers_row, i);
        // Of one that is not given, as of a null one, nothing lies within.
        if (given.empty() || buffer::NullVertexBuffer.get(given)) continue;
        buffers_[i] = {GpuAddr(buffer::BufferStartingAddress.get(given)),
                       static_cast<std::uint32_t>(buffer::BufferSize.get(given)),
                       static_cast<std::uint32_t>(buffer::BufferPitch.get(given)),
                       static_cast<std::uint8_t>(buffer::MOCS.get(given))};
    }

    const auto given = state.command(elements_row);
    const std::size_t count = given.empty() ? 0 : (given.size() - 1) / 2;
    elements_.reserve(count);
    std::vector<unsigned> numbers;  // of elements_, in the command
    for (std::size_t i = 0; i < count; ++i) {
        const auto dwords = given.subspan(1 + 2 * i, 2);
        if (!element::Valid.get(dwords)) continue;
        const auto code = static_cast<unsigned>(element::SourceElementFormat.get(dwords));
        const formats::Format* const format = formats::find_format(code);
        if (format == nullptr || !format->supports(formats::kVertexFetch)) {
            problems.push_back("vertex element " + std::to_string(i) + " has format " +
                               std::to_string(code) + ", which the vertex fetch cannot read");
            continue;
        }
        VertexElement e{.codec = formats::Codec(*format)};
        e.buffer = static_cast<std::uint8_t>(element::VertexBufferIndex.get(dwords));
        if (e.buffer >= kMaxVertexBuffers) {
            problems.push_back("vertex element " + std::to_string(i) + " names vertex buffer " +
                               std::to_string(e.buffer));
            continue;
        }
        e.offset = static_cast<std::uint16_t>(element::SourceElementOffset.get(dwords));
        e.bytes = static_cast<std::uint8_t>(format->bytes());
        e.edge_flag = element::EdgeFlagEnable.get(dwords) != 0;
        const packets::Field* const controls[] = {
            &element::Component0Control, &element::Component1Control, &element::Component2Control,
            &element::Component3Control};
        for (unsigned c = 0; c < 4; ++c) {
            const auto control = controls[c]->get(dwords);
            if (control > 4)
                problems.push_back("vertex element " + std::to_string(i) +
                                   " has a component control that is reserved");
            else
                e.control[c] = static_cast<ComponentControl>(control);
        }
        const auto steps = state.command(instancing_row, static_cast<unsigned>(i));
        e.instanced = !steps.empty() && instancing::InstancingEnable.get(steps) != 0;
        e.step_rate = static_cast<std::uint32_t>(instancing::InstanceDataStepRate.get(steps));
        by_instance_ |= e.instanced;
        e.slot = static_cast<std::uint8_t>(slots_);
        const bool third =
            e.control[2] != ComponentControl::NoStore || e.control[3] != ComponentControl::NoStore;
        e.slots = is_copied(*format) && third ? 2 : 1;
        if (!e.edge_flag) slots_ += e.slots;
        elements_.push_back(e);
        numbers.push_back(static_cast<unsigned>(i));
    }
    for (const VertexElement& e : elements_)
        if (e.edge_flag) edge_flags_ = &e;

    vertex_id_ = number_place(state, false, problems);
    instance_id_ = number_place(state, true, problems);
    by_instance_ |= instance_id_.has_value();
    decode_packing(state, numbers);
}

// Assumed: what is packed is a DWord, elements behind the 32 of the command keep all components,
// and a component of 64 bits is one.
void VertexLayout::decode_packing(const StageState& state, std::span<const unsigned> numbers) {
    static const auto& fetch_row = row_of("3DSTATE_VF");
    static const auto& packing_row = row_of("3DSTATE_VF_COMPONENT_PACKING");
    packs_ = packets::STATE_VF::ComponentPackingEnable.get(state.command(fetch_row)) != 0;
    if (!packs_) return;
    const auto given = state.command(packing_row);
    const auto enables_of = packets::STATE_VF_COMPONENT_PACKING::kStructure.fields;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        const VertexElement& e = elements_[i];
        if (e.edge_flag) continue;
        const std::uint64_t enables =
            numbers[i] < enables_of.size() ? enables_of[numbers[i]]->get(given) : 0xF;
        const bool copied = is_copied(e.codec.format());
        for (unsigned d = 0; d < e.slots * kSlotDwords; ++d)
            if (enables >> (copied ? d / 2 : d) & 1)
                packed_.push_back(static_cast<std::uint16_t>(e.slot * kSlotDwords + d));
    }
}

std::optional<unsigned> VertexLayout::number_place(const StageState& state, bool instance,
                                                   std::vector<std::string>& problems) const {
    namespace sgvs = packets::STATE_VF_SGVS;
    static const auto& row = row_of("3DSTATE_VF_SGVS");
    const auto given = state.command(row);
    if (given.empty() || !(instance ? sgvs::InstanceIDEnable : sgvs::VertexIDEnable).get(given))
        return {};
    const auto number =
        (instance ? sgvs::InstanceIDElementOffset : sgvs::VertexIDElementOffset).get(given);
    const auto component =
        (instance ? sgvs::InstanceIDComponentNumber : sgvs::VertexIDComponentNumber).get(given);
    if (number >= elements_.size()) {
        problems.push_back(std::string(instance ? "the instance" : "the vertex") +
                           " number belongs into vertex element " + std::to_string(number) +
                           ", which does not exist");
        return {};
    }
    return elements_[number].slot * kSlotDwords + static_cast<unsigned>(component);
}

ElementAddresses VertexLayout::addresses(const VertexElement& element,
                                         std::span<const VertexNumbers> vertices) const {
    const VertexBuffer& buffer = buffers_[element.buffer];
    ElementAddresses out;
    for (std::size_t n = 0; n < vertices.size(); ++n) {
        const VertexNumbers& v = vertices[n];
        std::uint64_t index = v.vertex_index;
        if (element.instanced)
            index = std::uint64_t{v.instance_index} +
                    (element.step_rate == 0 ? 0 : v.instance_id / element.step_rate);
        const std::uint64_t offset = index * buffer.pitch + element.offset;
        if (offset + element.bytes > buffer.size) continue;
        out.address[n] = buffer.start + offset;
        out.within |= 1u << n;
    }
    return out;
}

void VertexLayout::store(const VertexElement& element, const std::uint8_t* const* bytes,
                         std::uint32_t within, std::span<std::uint32_t* const> entries) {
    formats::Elements raw;
    element.codec.transfer().collect(bytes, within, raw);
    const bool copied = is_copied(element.codec.format());
    const auto fill = [&](unsigned dword, std::uint32_t value) {
        for (std::uint32_t* entry : entries)
            entry[dword] = value;
    };
    for (unsigned slot = 0; slot < element.slots; ++slot) {
        formats::Lanes lanes;
        element.codec.decode(raw, lanes, formats::kLanes, slot);
        for (unsigned c = 0; c < kSlotDwords; ++c) {
            const unsigned place = (element.slot + slot) * kSlotDwords + c;
            // A copied component takes two DWords.
            const bool low = !copied || c % 2 == 0;
            switch (element.control[copied ? slot * 2 + c / 2 : c]) {
                case ComponentControl::NoStore:
                    break;
                case ComponentControl::Source:
                    for (std::size_t n = 0; n < entries.size(); ++n)
                        entries[n][place] = within >> n & 1 ? lanes.channel[c][n] : 0;
                    break;
                case ComponentControl::Zero:
                    fill(place, 0);
                    break;
                case ComponentControl::OneFloat:
                    fill(place, low ? kOneFloat : 0);
                    break;
                case ComponentControl::OneInteger:
                    fill(place, low ? 1 : 0);
                    break;
            }
        }
    }
}

void VertexLayout::store_numbers(std::span<const VertexNumbers> vertices,
                                 std::span<std::uint32_t* const> entries) const {
    for (std::size_t n = 0; n < vertices.size(); ++n) {
        if (vertex_id_) entries[n][*vertex_id_] = vertices[n].vertex_id;
        if (instance_id_) entries[n][*instance_id_] = vertices[n].instance_id;
    }
}

void VertexLayout::pack(std::span<std::uint32_t* const> entries) const {
    if (!packs_) return;
    for (std::uint32_t* const entry : entries)
        for (std::size_t i = 0; i < packed_.size(); ++i)
            entry[i] = entry[packed_[i]];
}

std::uint32_t VertexLayout::edges(const VertexElement& element, const std::uint8_t* const* bytes,
                                  std::uint32_t within) {
    formats::Lanes lanes;
    element.codec.read(bytes, within, lanes);
    std::uint32_t set = 0;
    for (unsigned n = 0; n < kVertexBatch; ++n)
        if (within >> n & 1 && lanes.channel[0][n] != 0) set |= 1u << n;
    return set;
}

}  // namespace gen9::geometry
