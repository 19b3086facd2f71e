// SPDX-License-Identifier: Apache-2.0
// The server with real sockets and processes, and a client written out here.
#include "platform/host/tbx/tbx_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <thread>

#include "platform/host/deferred_engine.h"
#include "platform/host/stop.h"
#include "platform/host/tbx/tbx_connection.h"
#include "tests/unit/platform/host/fake_engine.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using namespace test;

/// A client: one connection to the server.
class Client {
  public:
    explicit Client(std::uint16_t port) : socket_(connect_to("127.0.0.1", port)) {}
    // Not only closed: the server's processes, forked from this one, hold copies.
    ~Client() { shutdown(socket_.get(), SHUT_RDWR); }
    void send(const Bytes& bytes) { ASSERT_TRUE(send_all(socket_.get(), bytes)); }
    Bytes receive(std::size_t size) {
        Bytes bytes(size);
        std::size_t done = 0;
        while (done < size) {
            const std::size_t count = receive_some(socket_.get(), std::span(bytes).subspan(done));
            if (count == 0) break;
            done += count;
        }
        bytes.resize(done);
        return bytes;
    }

  private:
    FileDescriptor socket_;
};

/// A connection whose engine adds one to the word at 0x1000 for each submission.
Outcome count_submissions(int socket, unsigned connection) {
    FakeEngine* built = nullptr;
    DeferredEngine engine([&] {
        auto made = std::make_unique<FakeEngine>();
        made->work = [](FakeEngine& e) {
            if (e.registers[0x2230] == 0xDEAD) e.has_stopped = true;
            if (e.registers[0x2230] == 0xC0DE) _exit(9);
            if (e.registers[0x2230] == 0x51) raise(SIGKILL);
            while (e.registers[0x2230] == 0x1009 && e.wanted())
                usleep(1000);
            if (e.registers[0x2230] == 0xBAD) throw std::runtime_error("broken");
            e.put(0x1000, e.get<std::uint32_t>(0x1000) + 1);
        };
        built = made.get();
        return made;
    });
    const auto end = serve_tbx_connection(socket, engine, [](const std::string&) {});
    return {built != nullptr, end.complaints != 0 || engine.stopped(), end.gave_up,
            "connection " + std::to_string(connection)};
}

struct TbxServerTest : testing::Test {
    std::map<unsigned, Outcome> outcomes;
    FileDescriptor listener = listen_on("127.0.0.1", 0);
    std::uint16_t port = port_of(listener);
    TbxServer server{
        std::move(listener), count_submissions,
        [this](unsigned number, const Outcome& outcome) { outcomes[number] = outcome; }};

    /// Serves until so many connections have ended, while `clients` talk from another thread.
    template <class Clients>
    void serve(std::size_t connections, Clients&& clients) {
        std::thread talk(clients);
        server.serve_until([&] { return outcomes.size() >= connections; });
        talk.join();
    }
};

TEST_F(TbxServerTest, AConnectionIsServedToItsEnd) {
    serve(1, [&] {
        Client client(port);
        client.send(memory_write(0x1000, dwords({41})));
        client.send(submission(1));
        client.send(memory_read(5, 0x1000, 4));
        EXPECT_EQ(client.receive(28), dwords({6, 5, 12, 0, 0x1000, 4, 42}));
    });
    EXPECT_TRUE(outcomes[1].worked);
    EXPECT_FALSE(outcomes[1].failed);
    EXPECT_FALSE(outcomes[1].stopped);
    EXPECT_EQ(outcomes[1].summary, "connection 1");
}

TEST_F(TbxServerTest, ConnectionsAtTheSameTimeHaveMemoriesOfTheirOwn) {
    serve(2, [&] {
        Client first(port), second(port);
        first.send(memory_write(0x1000, dwords({100})));
        second.send(memory_write(0x1000, dwords({200})));
        second.send(submission(1));
        second.send(memory_read(1, 0x1000, 4));
        EXPECT_EQ(dword_at(second.receive(28), 6), 201u);
        first.send(memory_read(2, 0x1000, 4));
        EXPECT_EQ(dword_at(first.receive(28), 6), 100u);
    });
    EXPECT_NE(outcomes[1].worked, outcomes[2].worked);
}

TEST_F(TbxServerTest, TheNextConnectionStartsFresh) {
    serve(2, [&] {
        for (int turn = 0; turn < 2; ++turn) {
            Client client(port);
            client.send(memory_read(1, 0x1000, 4));
            EXPECT_EQ(dword_at(client.receive(28), 6), 0u);
            client.send(memory_write(0x1000, dwords({7})));
        }
    });
    EXPECT_FALSE(outcomes[1].worked);
}

TEST_F(TbxServerTest, APeerThatStopsInAMessageJustEnds) {
    serve(1, [&] {
        Client client(port);
        client.send(dwords({4, 0, 12, 0, 0x1000, 4096, 1, 2, 3}));
    });
    EXPECT_FALSE(outcomes[1].failed);
}

TEST_F(TbxServerTest, APeerThatTalksNonsenseIsRefusedAndOthersAreNot) {
    serve(2, [&] {
        Client bad(port), good(port);
        bad.send(Bytes(64, 'X'));
        good.send(mmio_read(3, 0x2080));
        EXPECT_EQ(good.receive(16), dwords({1, 3, 4, 0}));
    });
    EXPECT_NE(outcomes[1].failed, outcomes[2].failed);
}

TEST_F(TbxServerTest, AnEngineThatStoppedIsToldToTheServer) {
    serve(1, [&] {
        Client client(port);
        client.send(submission(0xDEAD));
    });
    EXPECT_TRUE(outcomes[1].stopped);
    EXPECT_TRUE(outcomes[1].failed);
}

// A program that was killed leaves an engine that would run for ever.
TEST_F(TbxServerTest, ARunningEngineIsToldThatNobodyWaitsForIt) {
    serve(1, [&] {
        Client client(port);
        client.send(submission(0x1009));
        usleep(50'000);
    });
    EXPECT_TRUE(outcomes[1].worked);
}

TEST_F(TbxServerTest, AConnectionEndedByASignalSaysWhich) {
    serve(1, [&] {
        Client client(port);
        client.send(submission(0x51));
        EXPECT_TRUE(client.receive(1).empty());
    });
    EXPECT_TRUE(outcomes[1].failed);
    EXPECT_EQ(outcomes[1].summary, "gen9sim: the simulation was ended by SIGKILL");
    EXPECT_FALSE(outcomes[1].flawed) << "what it had computed before is right";
}

TEST_F(TbxServerTest, AConnectionThatDiesIsAFailureOfItsOwn) {
    serve(2, [&] {
        Client dying(port), throwing(port);
        dying.send(submission(0xC0DE));
        EXPECT_TRUE(dying.receive(1).empty());
        throwing.send(submission(0xBAD));
    });
    for (const unsigned number : {1u, 2u}) {
        EXPECT_TRUE(outcomes[number].failed);
        EXPECT_TRUE(outcomes[number].stopped);
    }
    EXPECT_NE((outcomes[1].summary + outcomes[2].summary).find("internal error: broken"),
              std::string::npos);
}

TEST_F(TbxServerTest, ATerminationSignalEndsServerAndConnectionsCleanly) {
    std::thread talk([&] {
        Client client(port);
        client.send(submission(1));
        client.send(memory_read(1, 0x1000, 4));
        client.receive(28);
        kill(getpid(), SIGTERM);
        EXPECT_TRUE(client.receive(1).empty());
    });
    server.serve_until([&] { return stop_requested() && server.idle(); });
    talk.join();
    EXPECT_EQ(outcomes.size(), 1u);
    EXPECT_TRUE(outcomes[1].worked);
}

TEST(Outcome, SurvivesItsTextForm) {
    const Outcome outcome{true, false, true, "a \"table\"\nof kernels"};
    const auto again = Outcome::from_text(outcome.to_text());
    EXPECT_TRUE(again.worked);
    EXPECT_FALSE(again.failed);
    EXPECT_TRUE(again.stopped);
    EXPECT_FALSE(again.flawed);
    EXPECT_TRUE(Outcome::from_text(Outcome{.summary = "", .flawed = true}.to_text()).flawed);
    EXPECT_EQ(again.summary, outcome.summary);
}

TEST(Outcome, TextThatIsCutOffIsAFailure) {
    EXPECT_TRUE(Outcome::from_text("{\"worked\":tr").failed);
}

}  // namespace
}  // namespace gen9::platform
