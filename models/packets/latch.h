// SPDX-License-Identifier: Apache-2.0
// The columns of the command table that say who keeps what a state command sets.
#pragma once
#include <cstdint>

namespace gen9::packets {

/// The pipes that commands give work to.
enum class Pipe : std::uint8_t { Pipe3D, Media };
inline constexpr unsigned kPipes = 2;

/// Some of the pipes.
class PipeSet {
  public:
    constexpr PipeSet() = default;
    constexpr PipeSet(Pipe pipe) : bits_(static_cast<std::uint8_t>(1u << index(pipe))) {}
    constexpr bool contains(Pipe pipe) const { return bits_ >> index(pipe) & 1; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr PipeSet operator|(PipeSet other) const {
        PipeSet both;
        both.bits_ = bits_ | other.bits_;
        return both;
    }
    constexpr PipeSet& operator|=(PipeSet other) { return *this = *this | other; }
    constexpr bool operator==(const PipeSet&) const = default;

  private:
    static constexpr unsigned index(Pipe pipe) { return static_cast<unsigned>(pipe); }
    std::uint8_t bits_ = 0;
};
inline constexpr PipeSet kNoPipe{};
inline constexpr PipeSet kEveryPipe = PipeSet(Pipe::Pipe3D) | Pipe::Media;

/// The units that latch state commands. A unit of the 3D pipe has a block of state, which a draw
/// takes by reference; the others keep theirs to themselves.
enum class Unit : std::uint8_t {
    Vf,
    Vs,
    Hs,
    Te,
    Ds,
    Gs,
    Sol,
    Clip,
    Sf,
    Wm,
    Ps,
    Dz,       ///< depth and stencil
    Cc,       ///< colour calculator
    Urb,      ///< who has which part of it
    Sampler,  ///< shared by both pipes
    Media,
    Streamer,          ///< the command streamer itself
    ResourceStreamer,  ///< by its own parse of the stream (docs/blocks/rs.md)
    None,
};
inline constexpr unsigned kUnits = static_cast<unsigned>(Unit::None);
/// Units whose blocks travel with work are the first ones.
inline constexpr unsigned kTravellingUnits = static_cast<unsigned>(Unit::Sampler) + 1;
constexpr bool travels(Unit unit) {
    return static_cast<unsigned>(unit) < kTravellingUnits;
}
/// Does only a draw use it?
constexpr bool is_of_3d(Unit unit) {
    return unit < Unit::Sampler;
}
constexpr const char* to_text(Unit unit) {
    switch (unit) {
        case Unit::Vf:
            return "VF";
        case Unit::Vs:
            return "VS";
        case Unit::Hs:
            return "HS";
        case Unit::Te:
            return "TE";
        case Unit::Ds:
            return "DS";
        case Unit::Gs:
            return "GS";
        case Unit::Sol:
            return "SOL";
        case Unit::Clip:
            return "CLIP";
        case Unit::Sf:
            return "SF";
        case Unit::Wm:
            return "WM";
        case Unit::Ps:
            return "PS";
        case Unit::Dz:
            return "DZ";
        case Unit::Cc:
            return "CC";
        case Unit::Urb:
            return "URB";
        case Unit::Sampler:
            return "sampler";
        case Unit::Media:
            return "media";
        case Unit::Streamer:
            return "command streamer";
        case Unit::ResourceStreamer:
            return "resource streamer";
        case Unit::None:
            break;
    }
    return nullptr;
}

/// The way in which a slot of a block keeps a command that is given again.
enum class Form : std::uint8_t {
    Whole,     ///< the last one
    Entries,   ///< entries that a shorter one does not have stay as they are
    Numbered,  ///< the last one of each number that a field of it names
    List,      ///< the last one of each element, which a field of the element numbers
    Deferred,  ///< the last one, which acts from the next command of the unit on that commits it
};

/// The state column of a command.
struct Latch {
    Unit unit = Unit::None;
    Form form = Form::Whole;
    /// DWords of the longest command that the slot keeps; 0: there is no slot, and the unit has
    /// something better to keep than the command.
    std::uint16_t dwords = 0;
    /// The command's place in a context image, and its room there; 0: it has none.
    std::uint16_t image = 0, image_dwords = 0;
    std::uint16_t pending_image = 0;  ///< of a deferred one that does not act yet
    /// Pipes whose work ends before it acts; none: it is pipelined, and work keeps the state it was
    /// given with.
    PipeSet waits{};
    bool commits = false;  ///< what is deferred in its unit acts from now on
    /// Numbered: how many there are. List: how many elements, of how many DWords.
    std::uint8_t count = 1, element_dwords = 0;
    /// The number's bits in DWord 1 of the command, or in DWord 0 of an element.
    std::uint8_t number_high = 0, number_low = 0;
    /// Places in the unit's block, which the table computes: of the slot, and of the slot that a
    /// committing command commits, with its DWords.
    std::uint16_t offset = 0, commit_offset = 0, commit_dwords = 0;

    constexpr Latch numbered(std::uint8_t numbers, std::uint8_t high, std::uint8_t low,
                             std::uint16_t room) const {
        Latch out = *this;
        out.form = Form::Numbered;
        out.count = numbers;
        out.number_high = high;
        out.number_low = low;
        out.image_dwords = room;
        return out;
    }
    constexpr Latch list(std::uint8_t elements, std::uint8_t element_size, std::uint8_t high,
                         std::uint8_t low) const {
        Latch out = *this;
        out.form = Form::List;
        out.count = elements;
        out.element_dwords = element_size;
        out.number_high = high;
        out.number_low = low;
        return out;
    }
    constexpr Latch entries() const {
        Latch out = *this;
        out.form = Form::Entries;
        return out;
    }
    constexpr Latch deferred(std::uint16_t pending) const {
        Latch out = *this;
        out.form = Form::Deferred;
        out.pending_image = pending;
        return out;
    }
    constexpr Latch commit() const {
        Latch out = *this;
        out.commits = true;
        return out;
    }
    constexpr Latch after(PipeSet pipes) const {
        Latch out = *this;
        out.waits = pipes;
        return out;
    }
    /// DWords of its slot.
    constexpr unsigned slot_dwords() const {
        if (form == Form::Numbered) return unsigned{count} * dwords;
        return form == Form::Deferred ? 2u * dwords : dwords;
    }
};
/// A pipelined command with a slot of `dwords`, at a DWord of the context image.
constexpr Latch in(Unit unit, std::uint16_t dwords, std::uint16_t image = 0) {
    Latch out;
    out.unit = unit;
    out.dwords = dwords;
    out.image = image;
    out.image_dwords = dwords;
    return out;
}
/// A command of which the unit keeps no DWords, with `image_dwords` of the image.
constexpr Latch value_in(Unit unit, std::uint16_t image = 0, std::uint16_t image_dwords = 0) {
    Latch out = in(unit, 0, image);
    out.image_dwords = image_dwords;
    return out;
}

/// The resource streamer's action for a command (003:2641-2804).
enum class ResourceAction : std::uint8_t {
    Ignore,
    Stop,          ///< waits for its engines and drops the commands it has fetched
    Block,         ///< in performance mode keeps them; otherwise as Stop
    Select,        ///< PIPELINE_SELECT: Stop if 3D is not selected, else Ignore (003:2665)
    LatchBase,     ///< STATE_BASE_ADDRESS
    Fence,         ///< 3DPRIMITIVE
    BindingTable,  ///< 3DSTATE_BINDING_TABLE_POINTERS_*
    EditTable,     ///< 3DSTATE_BINDING_TABLE_EDIT_*
    Gather,        ///< 3DSTATE_GATHER_CONSTANT_*
    TablePool,     ///< 3DSTATE_BINDING_TABLE_POOL_ALLOC
    GatherPool,    ///< 3DSTATE_GATHER_POOL_ALLOC
    Constants,     ///< 3DSTATE_DX9_* and 3DSTATE_RS_CONSTANT_POINTER
    StoreData,     ///< MI_RS_STORE_DATA_IMM
};

}  // namespace gen9::packets
