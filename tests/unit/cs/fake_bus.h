// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cs/bus.h"

namespace gen9::test {

/// Sparse bytes of one address space. Pages exist once they are mapped.
class FakeMemory {
  public:
    void map(std::uint64_t address, std::size_t bytes) {
        for (std::uint64_t page = address >> 12; page <= (address + bytes - 1) >> 12; ++page)
            pages_[page];
    }
    bool access(std::uint64_t address, std::uint8_t* to, const std::uint8_t* from,
                std::size_t count) {
        bool good = true;
        for (std::size_t i = 0; i < count; ++i) {
            const auto page = pages_.find((address + i) >> 12);
            if (page == pages_.end()) {
                good = false;
                if (to) to[i] = 0;
                continue;
            }
            std::uint8_t& byte = page->second[(address + i) & 0xFFF];
            if (to) to[i] = byte;
            if (from) byte = from[i];
        }
        return good;
    }
    template <class T>
    T get(std::uint64_t address) {
        T value{};
        access(address, reinterpret_cast<std::uint8_t*>(&value), nullptr, sizeof value);
        return value;
    }
    template <class T>
    void put(std::uint64_t address, T value) {
        map(address, sizeof value);
        access(address, nullptr, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
    }
    void put(std::uint64_t address, const std::vector<std::uint32_t>& words) {
        for (std::size_t i = 0; i < words.size(); ++i)
            put(address + 4 * i, words[i]);
    }
    std::size_t page_count() const { return pages_.size(); }

  private:
    std::map<std::uint64_t, std::array<std::uint8_t, 4096>> pages_;
};

/// The world around a streamer's core, with a journal of what was asked of it in order.
class FakeBus : public cs::Bus {
  public:
    FakeMemory ggtt, ppgtt;
    std::vector<std::string> journal;
    std::vector<PipelineCommand> sent;                ///< work and flushes
    std::vector<PipelineCommand> states;              ///< media state, which is taken at once
    std::map<std::uint32_t, std::uint32_t> external;  ///< registers other blocks own
    std::vector<std::pair<std::uint32_t, std::uint32_t>> register_writes;
    std::vector<CacheControl> controls;
    std::uint64_t time = 0;  ///< ticks of TIMESTAMP; grows with each command
    cs::AluCore alu_core;
    unsigned unmapped = 0;                          ///< accesses that met a page that is not there
    unsigned drains = 0, in_flight = 0;             ///< of the media pipe
    unsigned draw_drains = 0, draws_in_flight = 0;  ///< of the 3D pipe
    bool with_draws = false;                        ///< somebody takes the work of the 3D pipe
    std::vector<PipelineCommand> draws;
    std::function<void()> on_poll, on_parsed, on_drain, on_control;
    std::function<void()> on_wait;   ///< waits, and a submission may cut that short
    std::function<void()> on_stop;   ///< a walker is asked to stop
    bool asked_for_threads = false;  ///< and the threads are to be saved
    std::function<void(GpuAddr)> on_write;
    std::vector<unsigned> interrupts;  ///< bits, in order

    std::function<void()> on_interrupt;
    cs::PerformanceCounters counters;
    std::vector<std::uint64_t> sampled;  ///< periods of reports, as they were asked for
    std::optional<std::uint64_t> alarm_at;

    cs::EuEventControls eu_events{};  ///< as they were chosen last
    void performance(cs::PerformanceCounters& shown, const cs::EuEventControls& events) override {
        shown = counters;
        eu_events = events;
    }
    void sample(std::uint64_t ticks) override { sampled.push_back(ticks); }

    void alarm(std::optional<std::uint64_t> tick) override { alarm_at = tick; }
    void interrupt(unsigned bit) override {
        interrupts.push_back(bit);
        if (on_interrupt) on_interrupt();
    }

    FakeMemory& memory(AddressSpace space) { return space == AddressSpace::Ggtt ? ggtt : ppgtt; }

    bool read(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) override {
        return noted(memory(space).access(address.value, bytes.data(), nullptr, bytes.size()));
    }
    bool peek(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) override {
        return memory(space).access(address.value, bytes.data(), nullptr, bytes.size());
    }
    bool poke(AddressSpace space, GpuAddr address, std::span<const std::uint8_t> bytes) override {
        return memory(space).access(address.value, nullptr, bytes.data(), bytes.size());
    }
    bool fetch(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes, bool) override {
        return read(space, address, bytes);
    }
    bool write(AddressSpace space, GpuAddr address, std::span<const std::uint8_t> bytes) override {
        if (on_write) on_write(address);
        journal.push_back("write " + std::to_string(address.value) + " " +
                          std::to_string(bytes.size()));
        return noted(memory(space).access(address.value, nullptr, bytes.data(), bytes.size()));
    }
    bool read_register(std::uint32_t offset, std::uint32_t& value) override {
        const auto found = external.find(offset);
        if (found != external.end()) value = found->second;
        return found != external.end();
    }
    bool write_register(std::uint32_t offset, std::uint32_t value) override {
        register_writes.emplace_back(offset, value);
        external[offset] = value;
        return true;
    }
    void control(const CacheControl& control) override {
        if (on_control) on_control();
        controls.push_back(control);
        journal.push_back(control.flush_data ? "flush" : "invalidate");
    }
    PipelineCommand& new_command() override { return next_; }
    bool has_pipe(packets::Pipe pipe) const override {
        return pipe == packets::Pipe::Media || with_draws;
    }
    void send(packets::Pipe pipe, PipelineCommand& command) override {
        if (pipe == packets::Pipe::Pipe3D) {
            draws.push_back(command);
            ++draws_in_flight;
            journal.push_back("draw");
            return;
        }
        if (command.row->latch.unit == packets::Unit::Media) {
            states.push_back(command);
            return;
        }
        sent.push_back(command);
        ++in_flight;
        journal.push_back("send");
    }
    unsigned outstanding(packets::PipeSet pipes) const override {
        return (pipes.contains(packets::Pipe::Media) ? in_flight : 0) +
               (pipes.contains(packets::Pipe::Pipe3D) ? draws_in_flight : 0);
    }
    bool drain_unless(packets::PipeSet pipes, const std::function<bool()>& stop) override {
        if (on_wait) on_wait();
        return Bus::drain_unless(pipes, stop);
    }
    bool await_front_end(packets::Pipe pipe, const std::function<bool()>& stop) override {
        if (on_wait) on_wait();
        return in_flight == 0 || Bus::await_front_end(pipe, stop);
    }
    void stop_walker(bool threads) override {
        asked_for_threads = threads;
        if (on_stop && in_flight) on_stop();
    }
    void stop_draw() override {
        if (on_stop && draws_in_flight) on_stop();
    }
    void drain(packets::PipeSet pipes) override {
        if (pipes.contains(packets::Pipe::Pipe3D)) {
            if (draws_in_flight) journal.push_back("drain draws");
            draws_in_flight = 0;
            ++draw_drains;
        }
        if (!pipes.contains(packets::Pipe::Media)) return;
        if (on_drain) on_drain();
        if (in_flight) journal.push_back("drain");
        in_flight = 0;
        ++drains;
    }
    void parsed(std::uint32_t) override {
        ++time;
        if (on_parsed) on_parsed();
    }
    cs::AluUnit& alu() override { return alu_core; }
    void computed() override {}
    void switched() override { time += 10; }
    void poll() override {
        time += 100;
        if (on_poll) on_poll();
    }
    std::uint64_t timestamp() const override { return time; }
    std::int64_t picoseconds(std::int64_t ticks) const override { return 1000 * ticks; }

  private:
    bool noted(bool good) {
        if (!good) ++unmapped;
        return good;
    }
    PipelineCommand next_;
};

}  // namespace gen9::test
