// SPDX-License-Identifier: Apache-2.0
/// What OpenCL's layer in a program and the checker in gen9sim tell each other, and the checker its
/// worker (check_connection.h).
/// Role     a stream of messages over a Unix socket. A message is a head, the fields of one of the
///          structures below, and for a launch the bytes of its buffers behind them. A question
///          about a kernel and what a worker is sent have an answer; all others have none.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gen9::checks {

/// Names the socket of the checker, for the layer.
inline constexpr const char* kSocketVariable = "GEN9SIM_CHECK_LAUNCHES";
/// More bytes in the buffers of one launch are not copied.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
/// A longer message is nobody's.
inline constexpr std::uint64_t kLongestMessage = 3 * kMostBytes;

enum class MessageKind : std::uint32_t { Program = 1, Question, Launch, Refusal, Answer, Result };

struct MessageHead {
    MessageKind kind{};
    std::uint32_t reserved = 0;
    std::uint64_t bytes = 0;  ///< behind the head
};

/// A source with what its compilation takes beside it.
struct SourceUnit {
    std::string source, options;
    std::vector<std::pair<std::string, std::string>> headers;  ///< name and contents
};

/// How a program was made from sources.
struct ProgramText {
    std::uint32_t id = 0;
    bool linked = false;  ///< compiled and linked in two steps
    std::vector<SourceUnit> units;
    std::string link_options;
    std::string folder;  ///< where the program was when it built it
};

struct KernelQuestion {
    std::uint32_t program = 0;
    std::string kernel;
};

enum class ArgumentKind : std::uint32_t { Value, Buffer, Constant, Local };

struct ArgumentDeclaration {
    ArgumentKind kind{};
    std::string name, type;
};

struct KernelAnswer {
    std::string reason;  ///< why its launches cannot be repeated; empty: they can
    std::vector<ArgumentDeclaration> arguments;
};

constexpr std::uint32_t kNoPiece = ~std::uint32_t{0};

struct LaunchArgument {
    std::string value;                   ///< of a value, its bytes
    std::uint32_t piece = kNoPiece;      ///< of a buffer; none for a null buffer
    std::uint64_t offset = 0, size = 0;  ///< in the piece; size also of local memory
};

/// A launch that has ended. Behind the fields come the bytes of each piece, before and after.
struct LaunchRecord {
    std::uint32_t program = 0;
    std::string kernel;
    std::uint32_t number = 0;  ///< of the enqueue in its process
    std::vector<std::uint64_t> offset, global, local;
    std::vector<LaunchArgument> arguments;
    std::vector<std::uint64_t> pieces;  ///< sizes
};

/// A launch that was not recorded, and why.
struct LaunchRefusal {
    std::string kernel, reason;
};

/// One argument of a launch differs in this.
struct ArgumentDifference {
    std::uint32_t argument = 0;
    std::string name, type;
    bool near = false;  ///< another rounding explains all of it
    std::uint64_t elements = 0, differing = 0;
    std::uint64_t first = 0;      ///< element
    std::string component;        ///< of a vector: ".s2"; else empty
    std::string model, expected;  ///< the two values
};

struct LaunchResult {
    std::string reason;          ///< why it could not be compared; empty: it was
    bool order_matters = false;  ///< its program has atomics
    std::vector<ArgumentDifference> differences;
};

/// Writes fields one behind the other.
class Writer {
  public:
    static constexpr bool kReads = false;
    void operator()(const std::string& text) {
        number(text.size());
        bytes_.insert(bytes_.end(), text.begin(), text.end());
    }
    template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
    void operator()(const T& value) { number(static_cast<std::uint64_t>(value)); }
    void count(std::size_t size) { number(size); }
    std::vector<std::uint8_t>& bytes() { return bytes_; }

  private:
    void number(std::uint64_t value) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
        bytes_.insert(bytes_.end(), from, from + sizeof value);
    }
    std::vector<std::uint8_t> bytes_;
};

/// Reads them; after a wrong one it reads zeros and is not good.
class Reader {
  public:
    static constexpr bool kReads = true;
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    void operator()(std::string& text) {
        const auto found = take(number());
        text.assign(reinterpret_cast<const char*>(found.data()), found.size());
    }
    template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
    void operator()(T& value) { value = static_cast<T>(number()); }
    /// Elements of a list.
    std::size_t count() {
        constexpr std::uint64_t kMost = 1 << 16;
        const std::uint64_t size = number();
        if (size <= kMost) return static_cast<std::size_t>(size);
        good_ = false;
        return 0;
    }
    /// So many bytes that follow.
    std::span<const std::uint8_t> take(std::uint64_t size) {
        if (size > bytes_.size()) {
            good_ = false;
            return {};
        }
        const auto found = bytes_.first(static_cast<std::size_t>(size));
        bytes_ = bytes_.subspan(found.size());
        return found;
    }
    bool good() const { return good_; }

  private:
    std::uint64_t number() {
        std::uint64_t value = 0;
        if (const auto found = take(sizeof value); found.size() == sizeof value)
            std::memcpy(&value, found.data(), sizeof value);
        return value;
    }
    std::span<const std::uint8_t> bytes_;
    bool good_ = true;
};

// The fields of each structure, for reading and for writing.

template <class Archive, class T>
requires std::is_integral_v<T> || std::is_enum_v<T>
void fields(Archive& archive, T& value) {
    archive(value);
}
template <class Archive>
void fields(Archive& archive, std::string& text) {
    archive(text);
}
template <class Archive, class A, class B>
void fields(Archive& archive, std::pair<A, B>& pair);
template <class Archive, class T>
void fields(Archive& archive, std::vector<T>& list);
template <class Archive, class... T>
void all(Archive& archive, T&... values) {
    (fields(archive, values), ...);
}
template <class Archive>
void fields(Archive& a, SourceUnit& v) {
    all(a, v.source, v.options, v.headers);
}
template <class Archive>
void fields(Archive& a, ProgramText& v) {
    all(a, v.id, v.linked, v.units, v.link_options, v.folder);
}
template <class Archive>
void fields(Archive& a, KernelQuestion& v) {
    all(a, v.program, v.kernel);
}
template <class Archive>
void fields(Archive& a, ArgumentDeclaration& v) {
    all(a, v.kind, v.name, v.type);
}
template <class Archive>
void fields(Archive& a, KernelAnswer& v) {
    all(a, v.reason, v.arguments);
}
template <class Archive>
void fields(Archive& a, LaunchArgument& v) {
    all(a, v.value, v.piece, v.offset, v.size);
}
template <class Archive>
void fields(Archive& a, LaunchRecord& v) {
    all(a, v.program, v.kernel, v.number, v.offset, v.global, v.local, v.arguments, v.pieces);
}
template <class Archive>
void fields(Archive& a, LaunchRefusal& v) {
    all(a, v.kernel, v.reason);
}
template <class Archive>
void fields(Archive& a, ArgumentDifference& v) {
    all(a, v.argument, v.name, v.type, v.near, v.elements, v.differing, v.first, v.component,
        v.model, v.expected);
}
template <class Archive>
void fields(Archive& a, LaunchResult& v) {
    all(a, v.reason, v.order_matters, v.differences);
}
template <class Archive, class A, class B>
void fields(Archive& archive, std::pair<A, B>& pair) {
    all(archive, pair.first, pair.second);
}
template <class Archive, class T>
void fields(Archive& archive, std::vector<T>& list) {
    if constexpr (Archive::kReads)
        list.resize(archive.count());
    else
        archive.count(list.size());
    for (T& element : list)
        fields(archive, element);
}

template <class T>
std::vector<std::uint8_t> to_bytes(T value) {
    Writer writer;
    fields(writer, value);
    return std::move(writer.bytes());
}

/// Empty where the bytes are no such thing.
template <class T>
std::optional<T> from_bytes(std::span<const std::uint8_t> bytes) {
    Reader reader(bytes);
    T value{};
    fields(reader, value);
    return reader.good() ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace gen9::checks
