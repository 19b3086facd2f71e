// SPDX-License-Identifier: Apache-2.0
// The device's BAR and its interrupt; whole workloads run in examples/virtual_platform.
#include "platform/device/gpu_device.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>

namespace gen9 {
namespace {

constexpr std::uint32_t kHardwareStatusPage = 0x2080, kInterruptMask = 0x44304;

struct Bench : sc_core::sc_module {
    explicit Bench(sc_core::sc_module_name name,
                   const GpuDevice::Options& options = GpuDevice::Options())
        : sc_module(name), gpu("gpu", options) {
        out.bind(gpu.bar_in);
        gpu.mem_out.bind(in);
        gpu.interrupt_out.bind(interrupt);
        in.register_b_transport(this, &Bench::memory);
    }
    void memory(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* bytes,
                                    unsigned length) {
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(static_cast<unsigned char*>(bytes));
        payload.set_data_length(length);
        payload.set_streaming_width(length);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        out->b_transport(payload, delay);
        return payload.get_response_status();
    }
    template <class T>
    T read(std::uint64_t address) {
        T value{};
        EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, &value, sizeof value),
                  tlm::TLM_OK_RESPONSE);
        return value;
    }
    template <class T>
    void write(std::uint64_t address, T value) {
        EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value),
                  tlm::TLM_OK_RESPONSE);
    }
    tlm_utils::simple_initiator_socket<Bench> out{"out"};
    tlm_utils::simple_target_socket<Bench> in{"in"};
    sc_core::sc_signal<bool> interrupt{"interrupt"};
    tlm::tlm_generic_payload payload;
    GpuDevice gpu;
};

TEST(GpuDevice, RegistersAreInTheFirstPartOfTheBar) {
    Bench bench("bench");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.write<std::uint32_t>(kHardwareStatusPage, 0x12345000);
    EXPECT_EQ(bench.read<std::uint32_t>(kHardwareStatusPage), 0x12345000u);
    EXPECT_EQ(bench.read<std::uint32_t>(kInterruptMask), 0xFFFFFFFFu);
    EXPECT_TRUE(bench.gpu.idle());
    EXPECT_FALSE(bench.gpu.failed());
}

TEST(GpuDevice, TheTableOfGlobalAddressesIsInTheUpperHalfOfTheBar) {
    Bench bench("bench");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const std::uint64_t entry = GpuDevice::kTableOffset + 8 * 0x345;
    bench.write<std::uint64_t>(entry, 0x1234567001);
    EXPECT_EQ(bench.read<std::uint64_t>(entry), 0x1234567001u);
    bench.write<std::uint32_t>(entry + 4, 0x55);
    EXPECT_EQ(bench.read<std::uint64_t>(entry), 0x5534567001u) << "the lower half stays";
    bench.write<std::uint32_t>(entry, 0x89000001);
    EXPECT_EQ(bench.read<std::uint64_t>(entry), 0x5589000001u) << "the upper half stays";
    // Several entries in one access.
    const std::uint64_t four[] = {0x1001, 0x2001, 0x3001, 0x4001};
    std::uint64_t found[4]{};
    EXPECT_EQ(bench.access(tlm::TLM_WRITE_COMMAND, GpuDevice::kBarBytes - sizeof four,
                           const_cast<std::uint64_t*>(four), sizeof four),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.access(tlm::TLM_READ_COMMAND, GpuDevice::kBarBytes - sizeof four, found,
                           sizeof found),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(std::memcmp(four, found, sizeof four), 0);
}

TEST(GpuDevice, RefusesWhatTheBarDoesNotHave) {
    Bench bench("bench");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::uint64_t value = 0;
    const auto status = [&](std::uint64_t address, unsigned length) {
        return bench.access(tlm::TLM_READ_COMMAND, address, &value, length);
    };
    EXPECT_EQ(status(GpuDevice::kRegisterBytes, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(GpuDevice::kRegisterBytes - 4, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(GpuDevice::kTableOffset - 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(GpuDevice::kBarBytes, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(~std::uint64_t{3}, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(0x2082, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status(0x2080, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status(0x2080, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    unsigned char enable = 0xFF;
    bench.payload.set_byte_enable_ptr(&enable);
    bench.payload.set_byte_enable_length(1);
    EXPECT_EQ(status(0x2080, 4), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(GpuDevice, DebugAccessLooksAndChangesNothing) {
    Bench bench("bench");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.write<std::uint32_t>(kInterruptMask, 0x1234);
    std::uint32_t value = 0;
    bench.payload.set_command(tlm::TLM_READ_COMMAND);
    bench.payload.set_address(kInterruptMask);
    bench.payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    EXPECT_EQ(bench.out->transport_dbg(bench.payload), 4u);
    EXPECT_EQ(value, 0x1234u);
    bench.payload.set_command(tlm::TLM_WRITE_COMMAND);
    value = 0;
    EXPECT_EQ(bench.out->transport_dbg(bench.payload), 0u);
    EXPECT_EQ(bench.read<std::uint32_t>(kInterruptMask), 0x1234u);
}

TEST(GpuDevice, TakesNonBlockingInitiators) {
    Bench bench("bench");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::uint32_t value = 0x4321;
    bench.payload.set_command(tlm::TLM_WRITE_COMMAND);
    bench.payload.set_address(kInterruptMask);
    bench.payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    bench.payload.set_data_length(4);
    bench.payload.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(bench.out->nb_transport_fw(bench.payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(bench.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.read<std::uint32_t>(kInterruptMask), 0x4321u);
}

TEST(GpuDevice, WrongOptionsAreSaidInOneLine) {
    GpuDevice::Options options;
    options.settings = {"gpu.nothing=1"};
    try {
        Bench bench("bench", options);
        FAIL() << "taken";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("no parameter is named 'gpu.nothing'"),
                  std::string::npos)
            << error.what();
    }
}

TEST(GpuDevice, TheBuiltInMemoryIsNotThere) {
    GpuDevice::Options options;
    options.settings = {"llc.ways=8"};
    EXPECT_THROW(Bench("bench", options), std::runtime_error);
}

}  // namespace
}  // namespace gen9
