// SPDX-License-Identifier: Apache-2.0
/// Plays an AUB capture on an engine.
/// Order    packets take effect one after the other. The register write that completes an execlist
///          submission runs the engine until it is idle, so a poll holds at once or never will.
/// Checks   register and memory compares, and polls; each that does not hold is a mismatch, said
///          with packet number, address, expected and found.
/// Not here packets that say something to other simulators (frame markers, delays, test phases,
///          dumps, predicates): passed over, said once where it could matter.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "platform/host/aub/aub_file.h"
#include "platform/host/engine.h"
#include "platform/host/graphics_memory.h"

namespace gen9::platform {

class AubPlayer {
  public:
    using Log = std::function<void(const std::string&)>;
    /// Skip: for an engine that computes nothing; compares and polls always hold.
    enum class Checks { Make, Skip };
    AubPlayer(Engine& engine, Log log, Checks checks = Checks::Make)
        : engine_(engine), graphics_(engine), log_(std::move(log)), checks_wanted_(checks) {}

    /// Plays the whole file, or until the engine has stopped or a poll that was to abort failed.
    /// Throws AubError when the file cannot be understood; what came before it has been played.
    void play(AubFile& file);

    std::uint64_t packets() const { return packets_; }
    std::uint64_t submissions() const { return submissions_; }
    std::uint64_t checks() const { return checks_; }
    std::uint64_t mismatches() const { return mismatches_; }
    /// Packets that mean something and could not be carried out.
    std::uint64_t unsupported() const { return unsupported_; }

  private:
    void carry_out(AubFile& file, const aub::Packet& packet);
    void check(AubFile& file, const aub::Packet& packet);

    void register_write(const aub::Packet& packet, const aub::RegisterFields& fields);
    void register_compare(const aub::Packet& packet, const aub::RegisterFields& fields);
    void register_poll(const aub::Packet& packet, const aub::RegisterFields& fields);
    std::uint64_t read_register(const aub::RegisterFields& fields);
    bool registers_here(const aub::Packet& packet, const aub::RegisterFields& fields);
    void submit_write(std::uint32_t value);

    void memory_write(AubFile& file, const aub::Packet& packet, const aub::MemoryFields& fields);
    void discontiguous_write(AubFile& file, const aub::Packet& packet,
                             const aub::DiscontiguousFields& fields);
    void memory_compare(AubFile& file, const aub::Packet& packet, const aub::MemoryFields& fields);
    void memory_poll(const aub::Packet& packet, const aub::MemoryPollFields& fields);
    bool write(const aub::Packet& packet, aub::Space space, std::uint64_t address,
               std::span<const std::uint8_t> bytes);
    bool read(const aub::Packet& packet, aub::Space space, std::uint64_t address,
              std::span<std::uint8_t> bytes);
    template <class Piece>
    bool for_each_page(const aub::Packet& packet, aub::Space space, std::uint64_t address,
                       std::size_t size, Piece&& piece);
    std::span<const std::uint8_t> contents(AubFile& file, const aub::Packet& packet,
                                           const aub::MemoryFields& fields);

    void run();
    void mismatch(const aub::Packet& packet, const std::string& text);
    void unsupported(const aub::Packet& packet, const std::string& text);

    Engine& engine_;
    GraphicsMemory graphics_;
    Log log_;
    Checks checks_wanted_;
    std::vector<std::uint8_t> buffer_;
    std::vector<std::uint32_t> submit_port_;
    std::set<std::string> said_;
    std::uint64_t packets_ = 0, submissions_ = 0, checks_ = 0, mismatches_ = 0, unsupported_ = 0;
    bool abort_ = false;
};

}  // namespace gen9::platform
