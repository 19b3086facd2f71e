// SPDX-License-Identifier: Apache-2.0
// The commands of the render engine's stream: one row each, so that any stream can be walked and
// named. Layouts are in the headers beside this one.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "packets/latch.h"

namespace gen9::packets {

/// The command of a row, if the code speaks of it by name. Other: the row's columns alone say what
/// is done with it.
enum class Command : std::uint8_t {
    Other,
    WM_HZ_OP,
    PRIMITIVE_3D,
    MONOFILTER_SIZE,
    BINDING_TABLE_POOL_ALLOC,
    GATHER_POOL_ALLOC,
    DX9_CONSTANT_BUFFER_POOL_ALLOC,
    MI_NOOP,
    MI_SET_PREDICATE,
    MI_USER_INTERRUPT,
    MI_WAIT_FOR_EVENT,
    MI_FLUSH,
    MI_ARB_CHECK,
    MI_RS_CONTROL,
    MI_RS_CONTEXT,
    MI_REPORT_HEAD,
    MI_ARB_ON_OFF,
    MI_BATCH_BUFFER_END,
    MI_PREDICATE,
    MI_SET_CONTEXT,
    MI_MATH,
    MI_SEMAPHORE_SIGNAL,
    MI_SEMAPHORE_WAIT,
    MI_STORE_DATA_IMM,
    MI_STORE_DATA_INDEX,
    MI_LOAD_REGISTER_IMM,
    MI_STORE_REGISTER_MEM,
    MI_FLUSH_DW,
    MI_REPORT_PERF_COUNT,
    MI_LOAD_REGISTER_MEM,
    MI_LOAD_REGISTER_REG,
    MI_COPY_MEM_MEM,
    MI_ATOMIC,
    MI_BATCH_BUFFER_START,
    MI_CONDITIONAL_BATCH_BUFFER_END,
    STATE_BASE_ADDRESS,
    STATE_SIP,
    GPGPU_CSR_BASE_ADDRESS,
    PIPELINE_SELECT,
    MEDIA_VFE_STATE,
    MEDIA_CURBE_LOAD,
    MEDIA_INTERFACE_DESCRIPTOR_LOAD,
    MEDIA_STATE_FLUSH,
    MEDIA_POOL_STATE,
    MEDIA_OBJECT,
    MEDIA_OBJECT_PRT,
    MEDIA_OBJECT_WALKER,
    GPGPU_WALKER,
    MEDIA_OBJECT_GRPID,
    PIPE_CONTROL,
    kCount
};

/// The length of a command stands in its header (003:1660 ff. and CS-148): it is one DWord, or a
/// field of that many bits holds the length less two.
enum class Length : std::uint8_t {
    Single = 0,
    Field6 = 6,
    Field8 = 8,
    Field9 = 9,
    Field10 = 10,
    Field11 = 11,
    Field16 = 16
};

struct CommandRow {
    const char* name;
    std::uint32_t mask, value;  ///< a header is this command when header & mask == value
    Length length;
    std::uint8_t minimum_dwords;  ///< shorter ones lack fields the command needs
    Command command;
    const char* ledger;  ///< the row its rule is in
    Latch latch{};       ///< who keeps what it sets
    ResourceAction resource = ResourceAction::Ignore;

    constexpr std::uint32_t dwords(std::uint32_t header) const {
        if (length == Length::Single) return 1;
        return (header & ((1u << static_cast<unsigned>(length)) - 1)) + 2;
    }
    /// `header` with the length of a command of `count` DWords.
    constexpr std::uint32_t with_length(std::uint32_t header, std::uint32_t count) const {
        if (length == Length::Single) return header;
        return (header & ~((1u << static_cast<unsigned>(length)) - 1)) | (count - 2u);
    }
    /// The header of a command with the DWords it needs and nothing else set.
    constexpr std::uint32_t header() const {
        return length == Length::Single ? value : value | (minimum_dwords - 2u);
    }
};

/// The pipe whose front end takes a command, if one does: media commands have type 3 and subtype 2.
constexpr Pipe pipe_of(const CommandRow& row) {
    return row.value >> 27 == 0xE ? Pipe::Media : Pipe::Pipe3D;
}

/// All rows, in order of header value.
std::span<const CommandRow> command_rows();
/// The row of a header, or null: no such command on this engine.
const CommandRow* find_command(std::uint32_t header);
/// The row of a command that exists.
const CommandRow& command_named(std::string_view name);
/// The row of a command that is spoken of by name.
const CommandRow& command_of(Command command);
/// Its place among the rows.
std::size_t index_of(const CommandRow& row);
/// DWords of a unit's block: the slots of all commands that it latches.
unsigned block_dwords(Unit unit);

/// Some of the rows.
class CommandSet {
  public:
    CommandSet(std::initializer_list<std::string_view> names);
    bool contains(const CommandRow& row) const { return in_[index_of(row)]; }

  private:
    std::vector<bool> in_;
};
/// The longest a command can be: a 16-bit length field.
inline constexpr std::uint32_t kMaxCommandDwords = 0xFFFF + 2;

}  // namespace gen9::packets
