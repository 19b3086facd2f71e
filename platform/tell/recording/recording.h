// SPDX-License-Identifier: Apache-2.0
/// Recorded transactions of a memory socket: the text form that docs/cosimulation.md describes.
/// A file is read line by line; it ends with a line that counts the others, so what is cut off
/// shows.
#pragma once
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/units.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::platform {

inline constexpr unsigned kRecordingVersion = 1;

/// Bytes as one hexadecimal number: the last byte is written first. No bytes: "0".
std::string hex_text(const std::uint8_t* bytes, std::size_t count);

namespace recorded {

/// The facts of a request beside what is accessed; `thread` by digits: slice, subslice, EU, slot.
struct Attributes {
    bool blocking = false;
    std::uint64_t delay_ps = 0;  ///< that the call was annotated with
    std::uint64_t trace_id = 0;
    unsigned space = 0, requester = 0, mocs = 0;
    bool coherent = false, uncached = false;
    unsigned llc = 0, thread = 0;
};

struct Access {
    Attributes attributes;
    bool write = false;
    std::uint64_t address = 0;
    std::vector<std::uint8_t> data;     ///< of a read: zeros
    std::vector<std::uint8_t> enables;  ///< one for each byte; empty: all
};
struct Lanes {
    Attributes attributes;
    std::uint64_t address = 0;
    LaneAccess lanes;
};
struct Control {
    Attributes attributes;
    CacheControl control;
};
struct Accept {};
struct Answer {
    bool ok = false;
    std::vector<std::uint8_t> data;  ///< read bytes, or the lanes' results of 8 bytes each
};

}  // namespace recorded

/// One line.
struct Record {
    Cycles cycle;
    std::uint64_t number = 0;  ///< of the request, from 0
    std::variant<recorded::Access, recorded::Lanes, recorded::Control, recorded::Accept,
                 recorded::Answer>
        what;
    unsigned line = 0;  ///< in the file, for reports
};

/// Reads a recording of a memory socket. Throws UserError with file and line for what is none, for
/// a line that cannot be understood, and for a file that is cut off.
class RecordingFile {
  public:
    explicit RecordingFile(const std::string& path);

    std::string socket, target;  ///< hierarchical names
    std::uint64_t clock_hz = 0;

    /// Nothing after the last record.
    std::optional<Record> next();

  private:
    class Words;
    void read_head();
    std::string head_value(const char* key);
    bool read_line(std::string& line);
    [[noreturn]] void fail(const std::string& why) const;
    Record parse(Words& words, const std::string& kind) const;

    std::string path_;
    std::ifstream file_;
    unsigned line_ = 0;
    std::uint64_t records_ = 0;
};

}  // namespace gen9::platform
