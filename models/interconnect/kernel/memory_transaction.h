// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/trace_id.h"

namespace gen9 {

/// A memory transaction of the render engine says this beyond the base protocol. Ignorable: a
/// memory that does not know it still reads and writes the right bytes at the transaction's
/// address.
struct MemoryAttributes : tlm::tlm_extension<MemoryAttributes> {
    enum class Operation : std::uint8_t {
        Access,   ///< read or write of the transaction's data
        Lanes,    ///< `lanes`, within the 64-byte line (L3) or the 64 KB (SLM) at the address
        Control,  ///< `control`; no data, TLM_IGNORE_COMMAND
    };
    Operation operation = Operation::Access;
    AddressSpace space = AddressSpace::Ppgtt;
    Requester requester = Requester::DataPort;
    ThreadAddress thread;
    TraceId trace_id = 0;  ///< of what caused the access
    std::uint8_t mocs = 0;
    std::uint8_t stream = 0;               ///< of a requester that has several
    bool coherent = false;                 ///< IA coherent (BTI 255) rather than GPU coherent
    bool uncached = false;                 ///< passes L3 by
    LlcPolicy llc = LlcPolicy::WriteBack;  ///< set by the GTI for what is behind it
    LaneAccess lanes;
    CacheControl control;
    static const MemoryAttributes kPlain;  ///< of a plain data port access

    /// Takes over, for an access that another one causes, who asks for what and how: everything but
    /// the operation and what belongs to it, and the policy, which the GTI sets for each.
    void derive(const MemoryAttributes& from) {
        space = from.space;
        requester = from.requester;
        thread = from.thread;
        trace_id = from.trace_id;
        mocs = from.mocs;
        stream = from.stream;
        coherent = from.coherent;
        uncached = from.uncached;
    }

    tlm::tlm_extension_base* clone() const override { return new MemoryAttributes(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const MemoryAttributes&>(other);
    }
};

class MemoryPool;

/// A generic payload of at most one line with its data, byte enables and attributes in one object.
class MemoryTransaction : public tlm::tlm_generic_payload {
  public:
    explicit MemoryTransaction(tlm::tlm_mm_interface* pool) : tlm::tlm_generic_payload(pool) {
        set_extension(&attributes);
    }
    ~MemoryTransaction() override { clear_extension(&attributes); }
    MemoryAttributes attributes;
    std::uint8_t data[kLineBytes]{};
    std::uint8_t enables[kLineBytes]{};
    std::uint64_t tag = 0;  ///< the initiator's own bookkeeping key

    /// A read or write of `size` bytes (1 to 64) at `address`, through `data`, all bytes enabled.
    void access(tlm::tlm_command command, std::uint64_t address, unsigned size);
    /// Restricts a write to the bytes whose bit is set.
    void enable_bytes(std::uint64_t mask, unsigned size);
};

/// Reuses transactions; nothing is allocated once the pool has grown to the number in flight.
class MemoryPool : public tlm::tlm_mm_interface {
  public:
    MemoryPool() = default;
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;
    /// A transaction with one reference and default attributes; release() gives it back.
    MemoryTransaction* get();
    void free(tlm::tlm_generic_payload* transaction) override;
    /// Transactions handed out and not yet returned: 0 when nothing is in flight.
    std::size_t in_flight() const { return all_.size() - free_.size(); }

  private:
    std::vector<std::unique_ptr<MemoryTransaction>> all_;
    std::vector<MemoryTransaction*> free_;
};

/// The attributes of any payload, or those of a plain data port access when it carries none.
inline const MemoryAttributes& attributes_of(const tlm::tlm_generic_payload& payload) {
    const auto* found = payload.get_extension<MemoryAttributes>();
    return found ? *found : MemoryAttributes::kPlain;
}
inline MemoryAttributes* find_attributes(tlm::tlm_generic_payload& payload) {
    return payload.get_extension<MemoryAttributes>();
}

/// Is a non-blocking transaction none that the machine's caches take: longer than its line, without
/// data, or streaming?
inline bool is_burst(const tlm::tlm_generic_payload& payload) {
    const unsigned length = payload.get_data_length();
    return (payload.get_address() % kLineBytes + length > kLineBytes || length == 0 ||
            payload.get_streaming_width() < length) &&
           attributes_of(payload).operation == MemoryAttributes::Operation::Access;
}

}  // namespace gen9
