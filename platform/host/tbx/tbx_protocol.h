// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/bits.h"

/// The messages of the TBX simulator socket (public: compute-runtime 22.43,
/// shared/source/tbx/tbx_proto.h). Every message is a header of three DWords, then a body; all
/// fields are little-endian.
namespace gen9::platform::tbx {

enum class Type : std::uint32_t {
    MmioRequest = 0,
    MmioResponse,
    GttRequest,
    GttResponse,
    WriteMemory,
    ReadMemory,
    ReadMemoryResponse,
    MarkerRequest,
    MarkerResponse,
    RenderEndRequest,
    RenderEndResponse,
    Control,
    ParamsRequest,
    ParamsResponse,
    PciConfigRequest,
    PciConfigResponse,
    GttParams,
    Event,
    InnerVariableRequest,
    InnerVariableResponse,
    InnerVariableListRequest,
    InnerVariableListResponse,
    FunnyIoRequest,
    FunnyIoResponse,
    IoRequest,
    IoResponse,
    RpcRequest,
    RpcResponse,
    CacheFlushRequest,
    CacheFlushResponse,
    SyncAllPagesRequest,
    SyncAllPagesResponse,
    Gd2Message,
    SimulatedTimeResponse,
    RunListStatusResponse,
    CurrentLaunch = 0x67656E39,  ///< of the library that `run` preloads, to our server
};

struct Header {
    static constexpr std::size_t kBytes = 12;
    Type type;
    std::uint32_t transaction;  ///< echoed by the answer
    std::uint32_t body_bytes;   ///< data of a memory write follows the body and is not counted

    static Header parse(const std::uint8_t* bytes) {
        return {Type{load<std::uint32_t>(bytes)}, load<std::uint32_t>(bytes + 4),
                load<std::uint32_t>(bytes + 8)};
    }
    void put(std::uint8_t* bytes) const {
        store(bytes, static_cast<std::uint32_t>(type));
        store(bytes + 4, transaction);
        store(bytes + 8, body_bytes);
    }
};

/// Type 0: a register of the device.
struct Mmio {
    static constexpr std::size_t kBytes = 12;
    bool write;
    std::uint32_t access_bytes;
    std::uint32_t kind;  ///< 0 a register; others are I/O ports of the host
    std::uint32_t offset;
    std::uint32_t data;

    static Mmio parse(const std::uint8_t* body) {
        const auto flags = load<std::uint32_t>(body);
        return {bits(flags, 0, 0) != 0, bits(flags, 3, 1), bits(flags, 8, 6),
                load<std::uint32_t>(body + 4), load<std::uint32_t>(body + 8)};
    }
};

/// Type 2: an entry of the global translation table, by index.
struct Gtt {
    static constexpr std::size_t kBytes = 16;
    bool write;
    std::uint32_t index;
    std::uint64_t entry;

    static Gtt parse(const std::uint8_t* body) {
        return {bits(load<std::uint32_t>(body), 0, 0) != 0, load<std::uint32_t>(body + 4),
                load<std::uint64_t>(body + 8)};
    }
};

/// Types 4 and 5, and the answer to 5: a range of physical memory.
struct Memory {
    static constexpr std::size_t kBytes = 12;
    bool masked;  ///< of a write: a byte mask accompanies the data
    std::uint64_t address;
    std::uint32_t size;

    static Memory parse(const std::uint8_t* body) {
        const auto flags = load<std::uint32_t>(body);
        return {bits(flags, 1, 1) != 0,
                std::uint64_t{bits(flags, 31, 24)} << 32 | load<std::uint32_t>(body + 4),
                load<std::uint32_t>(body + 8)};
    }
    /// As the body of the answer to a read.
    void put_response(std::uint8_t* body) const {
        store(body, static_cast<std::uint32_t>(address >> 32) << 24);
        store(body + 4, static_cast<std::uint32_t>(address));
        store(body + 8, size);
    }
};

/// CurrentLaunch: which enqueue the submissions that follow belong to.
struct Launch {
    static constexpr std::size_t kBytes = 8;
    std::uint32_t process;
    std::uint32_t number;  ///< from 1; 0: unknown

    static Launch parse(const std::uint8_t* body) {
        return {load<std::uint32_t>(body), load<std::uint32_t>(body + 4)};
    }
    void put(std::uint8_t* body) const {
        store(body, process);
        store(body + 4, number);
    }
};

/// Type 11: switches of the simulator; the upper half says which values of the lower half are
/// meant.
struct Control {
    static constexpr std::size_t kBytes = 4;
    bool reset, quit, full_reset;

    static Control parse(const std::uint8_t* body) {
        const auto word = load<std::uint32_t>(body);
        const std::uint32_t meant = word & word >> 16;
        return {bits(meant, 0, 0) != 0, bits(meant, 6, 6) != 0, bits(meant, 9, 9) != 0};
    }
};

}  // namespace gen9::platform::tbx
