// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/blocking_access.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/host_pages.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/payload/direct_message.h"
#include "pixel/color.h"
#include "pixel/draw_state.h"
#include "pixel/interface.h"
#include "pixel/line_set.h"
#include "pixel/params.h"
#include "pixel/stats.h"
#include "pixel/target.h"
#include "pixel/write_message.h"

namespace gen9::pixel {

/// A write as plain ones need it.
struct PlainWrite {
    const ThreadSideband& sender;
    TraceId cause;
    std::uint32_t descriptor;
    unsigned length, first_length;  ///< registers, and those of the first part
    bool header;
    std::uint32_t channels;  ///< of the send
    const Grf *first, *second;

    const Grf& payload(unsigned number) const {
        return number < first_length ? first[number] : second[number - first_length];
    }
};

/// Takes writes as calls (functional mode): what is not plain is to be sent as a message.
class PlainWriter : public DirectFunction {
  public:
    /// Carries out a write that is plain. False: nothing has been done or counted.
    virtual bool write_plainly(const PlainWrite& write) = 0;
    std::unique_ptr<DirectSite> site(const SendForm& form) override;
};

/// Render target data port of a slice, with the colour calculator (module half; what is computed is
/// in write_message.h, alpha.h, color.h and target.h).
/// Role     takes the messages of function 5, finds their pixels in the sender's record, has late
///          depth and stencil tests done, blends, writes; reads targets for shaders
/// Sockets  msg_in[n]   target     Message            from EU n of the slice, then from samplers
///          control_in  target     memory (Control)   flush, invalidation of states
///          mem_out     initiator  memory             targets and states, to L3
///          late_out    initiator  DepthTest          to the depth and stencil unit
/// Params   params.h
/// Order    messages of an EU by arrival, between EUs by the arbiter; lines leave in the order in
///          which messages start, one a cycle; a write is answered when its last line is behind
///          the socket.
///          Writes of overlapping pixels wait for each other in their threads (scoreboard.h)
/// Not here the render cache, which stands behind mem_out (line_cache/)
/// Spec     RT-01..RT-38, CC-02..CC-49; 003:7584-8212
class RenderTarget : public sc_core::sc_module, public RenderTargetBlock, private PlainWriter {
  public:
    RenderTarget(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                 const RenderTargetSetup& setup);
    ~RenderTarget() override;

    MessageSockets msg_in;
    ControlTarget control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<DepthTestProtocol> late_out{"late_out"};

    const RenderTargetStats& stats() const { return stats_; }
    RenderTargetSockets sockets() override {
        return {every<AnyTarget<MessageProtocol>>(msg_in), control_in, mem_out, late_out};
    }
    bool idle() const override { return server_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override { return stats_.messages.value(); }

  private:
    /// What the rectangles of a draw do to a target.
    enum class Pass : std::uint8_t { Draw, FastClear, Resolve };
    /// A target as the messages of one draw use it.
    struct Use {
        std::uint64_t draw = 0;  ///< its order
        std::uint8_t binding = 0, index = 0;
        Target target;
        ColorState state;
        std::optional<ColorTarget> color;  ///< none: nothing is written
        Pass pass = Pass::Draw;
        bool reads = false;         ///< the destination is needed
        bool plain = false;         ///< its writes may be plain ones (is_plain)
        std::uint32_t written = 0;  ///< bytes of an element
        bool shader_mask = false, computed_depth = false, computed_stencil = false;
        bool keeps_alpha = false;              ///< alpha to coverage is switched off by the shader
        std::array<std::uint8_t, 16> clear{};  ///< an element of the clear colour
    };
    using UsePtr = std::shared_ptr<const Use>;
    /// A sample, or the only one, of the message's pixels.
    struct Row {
        std::uint8_t sample = 0;
        std::uint32_t lanes = 0;
        std::array<std::uint64_t, formats::kLanes> address;
    };
    /// A message that has been understood.
    struct Access {
        enum class Kind : std::uint8_t { Nothing, Write, Read };
        Kind kind = Kind::Nothing;
        UsePtr use;
        unsigned slots = 8;
        std::uint32_t slice = 0;
        PixelPlaces places;
        WriteRow pixels;
        std::array<std::uint32_t, formats::kLanes> covered{};  ///< samples of each lane
        std::vector<Row> rows;
    };
    struct Flight : RequestFlight {
        Access access;
        LineSet lines;
        bool reading = false;
    };

    // render_target_message.cpp
    /// Says what the message does. Takes the time of state reads to `delay_`.
    void understand(Message& message, Access& access);
    void understand_write(Message& message, const PixelRecord& record, Access& access);
    void fade_edges(const SetUpObject& line, Access& access);
    void understand_read(Message& message, const PixelRecord& record, Access& access);
    void find_places(const PixelRecord& record, unsigned first_slot, std::uint32_t lanes,
                     Access& access);
    void make_rows(Access& access);
    /// Leaves `use` as it is if it is the one.
    void find_use(const ThreadSideband& sender, std::uint8_t binding, std::uint8_t index,
                  UsePtr& use);
    void make_use(const ThreadSideband& sender, Use& use);
    void read_colors(const Draw& draw, ColorState& state);
    void test_late(const PixelRecord& record, const WriteDescriptor& descriptor,
                   const WriteLayout& layout, Access& access);
    void refuse(Message& message, const PixelRecord* record, const char* why) const;
    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs);
    void count_write(const Access& access);

    // render_target_auxiliary.cpp: all of it within the call.
    /// After it memory holds the pixels of the access, and the auxiliary surface says so.
    void prepare_auxiliary(const Message& message, const Access& access);
    void prepare_ccs(const Message& message, const Access& access, const Row& row);
    void prepare_mcs(const Message& message, const Access& access);
    void pass_over(const Message& message, const Access& access);
    void clear_elements(const Message& message, const Access& access, std::uint32_t x,
                        std::uint32_t y);
    void resolve_elements(const Message& message, const Access& access, std::uint32_t x,
                          std::uint32_t y);
    void clear_texels(const Message& message, const Access& access, std::uint32_t x,
                      std::uint32_t y);
    /// The pixels of an element of the CCS become the clear colour.
    void fill_element(const Message& message, const Access& access,
                      const surface::ElementPlace& place, std::uint32_t x, std::uint32_t y);
    bool fill_directly(const Use& use, std::uint32_t slice, std::uint32_t x, std::uint32_t y);
    void pass_element(const Message& message, const Use& use, const surface::ElementPlace& place);
    void move_bytes(const Message& message, const Use& use, Requester of, std::uint64_t address,
                    void* bytes, unsigned size, bool reads);
    void move_lines(const Message& message, const Use& use, LineSet& lines, bool reads);

    // Data of rows.
    static void calculate(const Access& access, const Row& row, std::uint8_t* const* at);
    static void answer_read(const Access& access, const Row& row, std::uint8_t* const* at,
                            Message& message);
    void access_directly(Access& access, Message& message);
    void access_by_lines(const Access& access, const Row& row, Message& message);
    static void add_lines(const Row& row, LineSet& lines);
    static void apply(const Access& access, const Row& row, LineSet& lines, Message& message);
    void report_unmapped(const Message& message, std::uint64_t address) const;

    // Timed mode.
    void run();
    void start(Flight& flight, Cycles now);
    void ask(Flight& flight, bool reads);
    void turn(Flight& flight, Cycles now);
    void send(Cycles now);
    void answered(MemoryTransaction& transaction, Cycles at);
    void finish(Flight& flight, Cycles now);
    void fill(MemoryTransaction& transaction, const LineSet::Line& line, bool reads,
              const Message& message, const Use& use) const;

    // render_target_plain.cpp
    /// Host memory of the lanes of a write.
    struct PlainPlaces {
        std::array<std::uint8_t*, formats::kLanes> at;
        std::uint32_t element = ~0u;  ///< of the control surface, that was looked at last
        std::uint64_t first_row = 0;  ///< Target::first_row
        // The tile that was looked at last, of a target with pages.
        std::uint64_t tile_column = ~std::uint64_t{0}, tile_row = 0;
        std::uint8_t* page = nullptr;
    };
    static bool is_plain(const Use& use);
    bool has_element(const Use& use, std::uint32_t slice, std::uint32_t x, std::uint32_t y);
    void find_page(const Target& target, std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                   PlainPlaces& places);
    bool find_rows(const Target& target, std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                   std::uint32_t lit, PlainPlaces& places, unsigned lane);
    bool find_group(const Use& use, std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                    std::uint32_t lit, PlainPlaces& places, unsigned lane);
    bool write_plainly(const PlainWrite& write) override;

    void execute(Message& message);
    void control(const CacheControl& control);
    /// Returns when all messages taken so far have acted.
    void wait_until_idle();

    Environment& env_;
    const Clock& clock_;
    RenderTargetParams params_;
    RenderTargetStats stats_;
    RenderTargetSignals signals_;
    CycleAccount<TargetActivity, kTargetActivities> account_{stats_.cycles};
    const bool dithering_;
    MemoryPool pool_;
    HostPages pages_;
    sc_core::sc_event settled_;
    bool settling_ = false;  ///< somebody waits for the event
    Wakeup wakeup_;
    RequestPath<Flight> path_;
    MessageServer<Flight> server_;

    std::vector<UsePtr> uses_;
    std::size_t next_use_ = 0;
    Access functional_;
    LineSet functional_lines_, auxiliary_lines_;
    sc_core::sc_time delay_;  ///< of the states that a message had to read
    TraceId cause_ = 0;
};

}  // namespace gen9::pixel
