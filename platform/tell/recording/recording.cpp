// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/recording/recording.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <sstream>

#include "common/check.h"

namespace gen9::platform {
namespace {

constexpr char kDigits[] = "0123456789abcdef";
/// Longest transaction that is read, and longest line.
constexpr std::uint64_t kMaxBytes = 16 * 1024;
constexpr std::size_t kMaxLine = 128 * 1024;

int digit(char c) {
    const char* const found = std::strchr(kDigits, c | 0x20);
    return c != 0 && found ? static_cast<int>(found - kDigits) : -1;
}

}  // namespace

std::string hex_text(const std::uint8_t* bytes, std::size_t count) {
    if (count == 0) return "0";
    std::string text(2 * count, '0');
    for (std::size_t i = 0; i < count; ++i) {
        text[2 * (count - 1 - i)] = kDigits[bytes[i] >> 4];
        text[2 * (count - 1 - i) + 1] = kDigits[bytes[i] & 15];
    }
    return text;
}

/// The words of a line, which must all be taken.
class RecordingFile::Words {
  public:
    Words(const RecordingFile& file, const std::string& line) : file_(file), words_(line) {}
    std::string word(const char* what) {
        std::string text;
        if (!(words_ >> text)) file_.fail(std::string("the ") + what + " is missing");
        return text;
    }
    std::uint64_t number(const char* what, std::uint64_t most, int base = 10) {
        const std::string text = word(what);
        std::uint64_t value = 0;
        const auto end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, value, base);
        if (read.ec != std::errc{} || read.ptr != end || value > most)
            file_.fail(std::string("the ") + what + " '" + text + "' is not allowed");
        return value;
    }
    bool flag(const char* what) { return number(what, 1) != 0; }
    /// A number of exactly so many bytes, lowest byte first.
    std::vector<std::uint8_t> bytes(const char* what, std::size_t count) {
        const std::string text = word(what);
        std::vector<std::uint8_t> bytes(count);
        if (count == 0 && text == "0") return bytes;
        if (text.size() != 2 * count)
            file_.fail(std::string("the ") + what + " should have " + std::to_string(2 * count) +
                       " digits");
        for (std::size_t i = 0; i < text.size(); ++i) {
            const int value = digit(text[text.size() - 1 - i]);
            if (value < 0) file_.fail(std::string("the ") + what + " is no hexadecimal number");
            bytes[i / 2] |= static_cast<std::uint8_t>(value << 4 * (i % 2));
        }
        return bytes;
    }
    void end() {
        std::string text;
        if (words_ >> text) file_.fail("there is more than belongs on the line: '" + text + "'");
    }

  private:
    const RecordingFile& file_;
    std::istringstream words_;
};

RecordingFile::RecordingFile(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw UserError("cannot read the recording '" + path + "'");
    read_head();
}

void RecordingFile::fail(const std::string& why) const {
    throw UserError("'" + path_ + "', line " + std::to_string(line_) + ": " + why);
}

bool RecordingFile::read_line(std::string& line) {
    line.clear();
    ++line_;
    for (int c = file_.get(); c != std::ifstream::traits_type::eof(); c = file_.get()) {
        if (c == '\n') return true;
        if (line.size() == kMaxLine) fail("no line is so long: this is no recording");
        line.push_back(static_cast<char>(c));
    }
    if (file_.bad()) fail("cannot be read");
    // A line without its end is cut off, too.
    return false;
}

std::string RecordingFile::head_value(const char* key) {
    std::string line;
    if (!read_line(line)) fail("the file ends before its '" + std::string(key) + "'");
    Words words(*this, line);
    if (words.word("key") != key) fail("'" + std::string(key) + "' is expected here");
    const std::string value = words.word(key);
    words.end();
    return value;
}

void RecordingFile::read_head() {
    const std::string version = head_value("gen9_socket");
    if (version != std::to_string(kRecordingVersion))
        fail("a recording of version '" + version + "'; this program reads version " +
             std::to_string(kRecordingVersion));
    socket = head_value("socket");
    target = head_value("target");
    if (const std::string protocol = head_value("protocol"); protocol != "memory")
        fail("a recording of protocol '" + protocol + "' cannot be played: only of memory");
    const std::string hz = head_value("clock_hz");
    if (std::from_chars(hz.data(), hz.data() + hz.size(), clock_hz).ptr != hz.data() + hz.size() ||
        clock_hz == 0)
        fail("the clock '" + hz + "' is not allowed");
}

std::optional<Record> RecordingFile::next() {
    std::string line;
    if (!read_line(line)) fail("the file is cut off: its last line, 'end', is missing");
    Words words(*this, line);
    const std::string kind = words.word("kind of record");
    if (kind == "end") {
        const auto count = words.number("count", ~std::uint64_t{0});
        words.end();
        if (count != records_)
            fail("the file has " + std::to_string(records_) + " records and should have " +
                 std::to_string(count));
        return std::nullopt;
    }
    Record record = parse(words, kind);
    words.end();
    record.line = line_;
    ++records_;
    return record;
}

Record RecordingFile::parse(Words& words, const std::string& kind) const {
    constexpr std::uint64_t kAny = ~std::uint64_t{0};
    Record record;
    record.cycle = Cycles(words.number("cycle", kAny));
    record.number = words.number("number", kAny);
    if (kind == "accept") {
        record.what = recorded::Accept{};
        return record;
    }
    if (kind == "answer") {
        recorded::Answer answer;
        answer.ok = words.flag("status");
        answer.data = words.bytes("data", words.number("length", kMaxBytes));
        record.what = std::move(answer);
        return record;
    }
    if (kind != "access" && kind != "lanes" && kind != "control")
        fail("'" + kind + "' is no record that can be played");
    recorded::Attributes attributes;
    attributes.blocking = words.flag("blocking call");
    attributes.delay_ps = words.number("delay", kAny);
    attributes.trace_id = words.number("trace id", kAny, 16);
    attributes.space = static_cast<unsigned>(words.number("address space", 3));
    attributes.requester = static_cast<unsigned>(words.number("requester", 7));
    attributes.thread = static_cast<unsigned>(words.number("thread", 0xFFFF, 16));
    attributes.mocs = static_cast<unsigned>(words.number("object control", 255));
    attributes.coherent = words.flag("coherence");
    attributes.uncached = words.flag("bypass");
    attributes.llc = static_cast<unsigned>(words.number("policy", 2));
    if (kind == "control") {
        const std::uint64_t bits = words.number("control", 255, 16);
        recorded::Control order{attributes, {}};
        CacheControl& c = order.control;
        bool* const fields[] = {&c.flush_data,
                                &c.invalidate_data,
                                &c.invalidate_instruction,
                                &c.invalidate_state,
                                &c.invalidate_constant,
                                &c.invalidate_texture,
                                &c.invalidate_tlb,
                                &c.settle};
        for (unsigned i = 0; i < std::size(fields); ++i)
            *fields[i] = bits >> i & 1;
        record.what = order;
        return record;
    }
    if (kind == "access") {
        recorded::Access access;
        access.attributes = attributes;
        access.write = words.flag("command");
        access.address = words.number("address", kAny, 16);
        const auto length = words.number("length", kMaxBytes);
        access.data = words.bytes("data", length);
        access.enables = words.bytes("enables", words.flag("enables present") ? length : 0);
        record.what = std::move(access);
        return record;
    }
    recorded::Lanes lanes;
    lanes.attributes = attributes;
    lanes.address = words.number("address", kAny, 16);
    LaneAccess& a = lanes.lanes;
    a.kind = static_cast<LaneAccess::Kind>(words.number("kind of lanes", 2));
    a.op = static_cast<AtomicOp>(words.number("operation", 19));
    a.width_bytes = static_cast<std::uint8_t>(words.number("width", 16));
    if (!std::has_single_bit(a.width_bytes))
        fail("a lane of " + std::to_string(a.width_bytes) + " bytes is not allowed");
    a.count = static_cast<std::uint8_t>(words.number("lanes", LaneAccess::kMaxLanes));
    const auto offsets = words.bytes("offsets", sizeof a.offset);
    std::memcpy(a.offset.data(), offsets.data(), offsets.size());
    const auto source0 = words.bytes("first sources", sizeof a.source0);
    std::memcpy(a.source0.data(), source0.data(), source0.size());
    const auto source1 = words.bytes("second sources", sizeof a.source1);
    std::memcpy(a.source1.data(), source1.data(), source1.size());
    record.what = lanes;
    return record;
}

}  // namespace gen9::platform
