// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platform/host/engine.h"

namespace gen9::platform::test {

/// An engine that is a map of bytes, registers and entries, and does what the test says when it
/// runs.
struct FakeEngine : Engine {
    std::map<std::uint64_t, std::uint8_t> memory;
    std::map<std::uint32_t, std::uint32_t> registers;
    std::map<std::uint32_t, std::uint64_t> gtt;
    std::vector<std::string> log;  ///< what was asked, in order: "reg", "gtt", "mem", "run"
    std::function<void(FakeEngine&)> work;
    bool has_stopped = false, waits = false;
    std::vector<std::string> given_up;

    void write_register(std::uint32_t offset, std::uint32_t value) override {
        registers[offset] = value;
        log.push_back("reg");
    }
    std::uint32_t read_register(std::uint32_t offset) override { return registers[offset]; }
    void write_gtt(std::uint32_t index, std::uint64_t entry) override {
        gtt[index] = entry;
        log.push_back("gtt");
    }
    std::uint64_t read_gtt(std::uint32_t index) override { return gtt[index]; }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override {
        for (std::size_t i = 0; i < bytes.size(); ++i)
            memory[address.value + i] = bytes[i];
        log.push_back("mem");
    }
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto found = memory.find(address.value + i);
            bytes[i] = found == memory.end() ? 0 : found->second;
        }
    }
    void run() override {
        log.push_back("run");
        if (work) work(*this);
    }
    bool stopped() const override { return has_stopped; }
    bool waits_for_host() const override { return waits; }
    void give_up_waiting(const std::string& why) override { given_up.push_back(why); }

    std::size_t count(const std::string& what) const {
        std::size_t n = 0;
        for (const auto& entry : log)
            n += entry == what;
        return n;
    }
    template <class T>
    void put(std::uint64_t address, T value) {
        write_memory(PhysAddr(address),
                     {reinterpret_cast<const std::uint8_t*>(&value), sizeof value});
    }
    template <class T>
    T get(std::uint64_t address) {
        T value;
        read_memory(PhysAddr(address), {reinterpret_cast<std::uint8_t*>(&value), sizeof value});
        return value;
    }
};

}  // namespace gen9::platform::test
