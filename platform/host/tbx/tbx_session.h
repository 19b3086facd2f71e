// SPDX-License-Identifier: Apache-2.0
/// One TBX connection: the messages of a driver, carried out on an engine (no sockets here).
/// Order    messages take effect one after the other, as they come. The write that completes an
///          execlist submission runs the engine until it is idle, and so does any request for an
///          answer after a write: what the driver reads is always the end of the work, its poll
///          loop ends at the first read, and the simulation does not depend on when bytes arrive.
/// Input    everything may be wrong: sizes, types, addresses, order. What cannot be understood
///          ends the session with one sentence; what can be passed over is reported once.
/// Spec     tbx_protocol.h (layout); docs/blocks/host.md
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/host/engine.h"
#include "platform/host/tbx/tbx_protocol.h"

namespace gen9::platform {

class TbxSession {
  public:
    using Send = std::function<void(std::span<const std::uint8_t>)>;
    using Log = std::function<void(const std::string&)>;

    TbxSession(Engine& engine, Send send, Log log);

    /// Carries out the messages in `bytes` and returns how many bytes it used. The rest is the
    /// start of a message and is to be offered again with what follows it; it is always shorter
    /// than kLongestHead.
    std::size_t take(std::span<const std::uint8_t> bytes);
    static constexpr std::size_t kLongestHead = 64;

    OnLaunch on_launch = [](auto, auto) {};

    /// Nothing more will be taken: the peer said so, sent nonsense, or the engine has stopped.
    bool ended() const { return ended_; }
    /// Ended because the peer said so.
    bool quit() const { return quit_; }
    /// Sentences logged about what the peer sent.
    unsigned complaints() const { return complaints_; }
    /// Inside a message that the peer has not finished.
    bool in_message() const { return data_left_ != 0 || skip_left_ != 0; }

    /// A peer may not ask for more than this in one message.
    static constexpr std::uint32_t kMaxTransferBytes = 256u << 20;
    /// Longest body that is passed over when its type is not known.
    static constexpr std::uint32_t kMaxSkippedBytes = 1u << 20;
    /// So many equal questions in a row, with an idle engine, are a program waiting for ever.
    static constexpr std::uint32_t kMaxEqualPolls = 100'000;
    /// A program that only asks for so long, while the engine waits for it to write memory, waits
    /// for the engine.
    std::chrono::seconds patience{60};

  private:
    std::size_t take_message(std::span<const std::uint8_t> bytes);
    std::size_t take_data(std::span<const std::uint8_t> bytes);
    void carry_out(const tbx::Header& header, const std::uint8_t* body);
    void mmio(const tbx::Header& header, const tbx::Mmio& request);
    void gtt(const tbx::Header& header, const tbx::Gtt& request);
    void look_at_entry(std::uint64_t entry);
    void write_memory(const tbx::Memory& request);
    void read_memory(const tbx::Header& header, const tbx::Memory& request);
    void control(const tbx::Control& request);

    void before_answer(std::uint64_t question);
    void wait_for_host(bool wrote, const std::string& place);
    void answer(tbx::Type type, std::uint32_t transaction,
                std::initializer_list<std::uint32_t> body);
    void run();
    void refuse(const std::string& why);
    void complain(unsigned topic, const std::string& text);

    Engine& engine_;
    Send send_;
    Log log_;
    std::vector<std::uint8_t> reply_;
    std::uint64_t data_address_ = 0;
    std::uint32_t data_left_ = 0;  ///< bytes of a memory write still to come
    bool data_is_entry_ = false;   ///< they may be an entry of a page table
    std::uint32_t skip_left_ = 0;  ///< bytes of a body that is passed over
    std::uint32_t submit_writes_ = 0;
    tbx::Launch launch_{};  ///< that what is submitted belongs to
    bool written_ = false;  ///< something changed since the engine last ran
    std::uint64_t last_question_ = ~std::uint64_t{0};
    std::uint32_t equal_questions_ = 0;
    std::optional<std::chrono::steady_clock::time_point> waits_since_;  ///< and it has not written
    bool wait_told_ = false;
    std::uint64_t complained_ = 0;  ///< topics, one bit each
    unsigned complaints_ = 0;
    bool ended_ = false;
    bool quit_ = false;
};

}  // namespace gen9::platform
