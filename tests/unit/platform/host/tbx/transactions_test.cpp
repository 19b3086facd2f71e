// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/library/transactions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::tbx_library {
namespace {

using namespace platform::test;

/// The answer to a memory read.
Bytes memory_answer(std::uint32_t size) {
    Bytes bytes = dwords({6, 5, 12, 0, 0x1000, size});
    bytes.resize(bytes.size() + size);
    return bytes;
}

TEST(TbxMessageEnds, AMessageEndsWithItsBodyAndDataHoweverItIsCut) {
    Bytes stream;
    std::vector<std::size_t> ends;
    const Bytes data(10, 1);
    for (const Bytes& message :
         {mmio_write(0x2230, 1), gtt_write(3, 0x1001), memory_write(0x1000, data),
          memory_write(0x1000, {}), memory_read(5, 0x1000, 64), memory_answer(64),
          dwords({11, 0, 4, 0}), dwords({12, 0, 20, 0, 0, 0, 0, 0})}) {
        append(stream, message);
        ends.push_back(stream.size());
    }
    for (std::size_t piece = 1; piece < 50; ++piece) {
        MessageEnds messages;
        std::vector<std::size_t> found;
        for (std::size_t at = 0; at < stream.size();) {
            const auto used =
                messages.take(stream.data() + at, std::min(piece, stream.size() - at));
            ASSERT_GT(used, 0u);
            at += used;
            if (messages.at_end()) found.push_back(at);
        }
        EXPECT_EQ(found, ends) << "in pieces of " << piece;
    }
}

TEST(TbxTransactions, ALaunchIsToldBetweenMessagesWhenItHasChanged) {
    Transactions transactions;
    EXPECT_FALSE(transactions.must_tell(0)) << "nothing to be told";
    EXPECT_TRUE(transactions.must_tell(3));
    EXPECT_FALSE(transactions.must_tell(3));
    const Bytes message = mmio_write(0x2230, 1);
    transactions.enter();
    transactions.sent(message.data(), 5);
    EXPECT_FALSE(transactions.must_tell(4)) << "a message is under way";
    transactions.sent(message.data() + 5, message.size() - 5);
    EXPECT_TRUE(transactions.must_tell(4));
    EXPECT_TRUE(transactions.must_tell(0));
}

TEST(TbxMessageEnds, OnlyReadsWantAnAnswer) {
    const auto wants = [](const Bytes& bytes) {
        MessageEnds messages;
        messages.take(bytes.data(), bytes.size());
        return messages.wants_answer();
    };
    const Bytes data(4, 0);
    EXPECT_TRUE(wants(memory_read(1, 0x1000, 4)));
    EXPECT_TRUE(wants(mmio_read(1, 0x2234)));
    EXPECT_TRUE(wants(dwords({9, 1, 4, 0})));
    EXPECT_FALSE(wants(mmio_write(0x2234, 1)));
    EXPECT_FALSE(wants(gtt_write(1, 1)));
    EXPECT_FALSE(wants(memory_write(0x1000, data)));
}

/// Sends from another thread, and says when it could.
struct Other {
    std::atomic<bool> entered{false};
    std::thread thread;
    explicit Other(Transactions& all)
        : thread([&] {
              all.enter();
              entered = true;
              const Bytes message = mmio_write(0x2230, 1);
              all.sent(message.data(), message.size());
          }) {}
    bool waits() const {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return !entered;
    }
};

TEST(TbxTransactions, AnotherThreadWaitsForTheWholeMessageAndItsAnswer) {
    Transactions all;
    const Bytes question = memory_read(5, 0x1000, 64), answer = memory_answer(64);
    all.enter();
    all.sent(question.data(), 12);
    Other other(all);
    EXPECT_TRUE(other.waits());
    all.enter();  // its own thread goes on
    all.sent(question.data() + 12, question.size() - 12);
    EXPECT_TRUE(other.waits());
    all.received(answer.data(), 24);
    EXPECT_TRUE(other.waits());
    all.received(answer.data() + 24, answer.size() - 24);
    other.thread.join();
    EXPECT_TRUE(other.entered);
}

TEST(TbxTransactions, NobodyWaitsWhenTheConnectionIsGone) {
    Transactions all;
    const Bytes question = memory_read(5, 0x1000, 64);
    all.enter();
    all.sent(question.data(), question.size());
    Other other(all);
    EXPECT_TRUE(other.waits());
    all.fail();
    other.thread.join();
    EXPECT_TRUE(other.entered);
}

}  // namespace
}  // namespace gen9::tbx_library
