// SPDX-License-Identifier: Apache-2.0
// Each bound of each message: what lies on it is taken, and what is beyond ends the session with
// one sentence.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "platform/host/drm/drm_session.h"
#include "tests/unit/platform/host/drm/session_bench.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;
using test::make_file;

constexpr std::uint64_t kMostOfABuffer = std::uint64_t{64} << 30;

struct Bench : test::SessionBench {
    void TestBody() override {}
};

struct Step {
    Message message;
    std::optional<std::uint64_t> file_bytes{};  ///< of a file that comes with it
};

/// Greets, takes all steps but the last, and then the last: what is said of it.
std::string said_of(const std::vector<Step>& steps) {
    Bench bench;
    bench.greet();
    const auto take = [&](const Step& step) {
        FileDescriptor file;
        if (step.file_bytes) file = make_file(*step.file_bytes);
        bench.send(step.message, std::move(file));
    };
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        take(steps[i]);
    EXPECT_FALSE(bench.session.ended()) << bench.said[0];
    EXPECT_EQ(bench.progress->lost, 0u);
    const std::uint32_t changed = bench.progress->changed;
    take(steps.back());
    EXPECT_EQ(bench.session.ended(), !bench.said.empty());
    EXPECT_EQ(bench.session.complaints(), bench.said.size());
    EXPECT_EQ(bench.progress->lost, bench.said.size());
    EXPECT_EQ(bench.progress->lost_in, bench.said.size()) << "the submission that comes next";
    EXPECT_EQ(bench.progress->changed - changed, bench.said.size());
    if (bench.said.empty()) return "";
    EXPECT_NE(bench.said[0].find("; the connection is closed"), std::string::npos);
    // Nothing more is taken.
    bench.send({.kind = Kind::Buffer, .id = 77, .size = 1});
    EXPECT_EQ(bench.said.size(), 1u);
    return bench.said[0];
}
void expect_refused(const std::vector<Step>& steps, const std::string& why) {
    EXPECT_NE(said_of(steps).find(why), std::string::npos) << why << "; but: " << said_of(steps);
}
void expect_taken(const std::vector<Step>& steps) {
    EXPECT_EQ(said_of(steps), "");
}

constexpr Step buffer(std::uint32_t id, std::uint64_t size) {
    return {{.kind = Kind::Buffer, .id = id, .size = size}};
}
constexpr Step part(std::uint64_t address, std::uint64_t size, std::uint64_t offset,
                    std::uint64_t file, std::uint32_t id = 1) {
    return {{.kind = Kind::Part, .id = id, .address = address, .size = size, .offset = offset},
            file};
}
constexpr Step bind(std::uint64_t address, std::uint32_t id = 1) {
    return {{.kind = Kind::Bind, .id = id, .vm = 1, .address = address}};
}

TEST(DrmRefusals, AGreetingIsTheFirstAndComesWithItsPage) {
    const Message hello{.kind = Kind::Hello, .number = kVersion};
    expect_refused({{hello, kPage}}, "the greeting has no page");
    for (const auto& [version, bytes] : {std::pair{kVersion, kPage - 1},
                                         {kVersion, std::uint64_t{0}},
                                         {kVersion - 1, kPage},
                                         {kVersion + 1, kPage},
                                         {kVersion, kPage}}) {
        Bench bench;
        bench.send({.kind = Kind::Hello, .number = version}, make_file(bytes));
        EXPECT_EQ(bench.session.ended(), version != kVersion || bytes != kPage)
            << version << " " << bytes;
        ASSERT_EQ(bench.said.size(), bench.session.ended() ? 1u : 0u);
        if (version != kVersion) {
            EXPECT_NE(bench.said[0].find("is of another version"), std::string::npos);
        }
    }
    Bench bench;
    bench.send({.kind = Kind::Hello, .number = kVersion});
    EXPECT_TRUE(bench.session.ended()) << "without a file";
}

TEST(DrmRefusals, ABufferHasWholePagesAndAnIdOfItsOwn) {
    for (const std::uint64_t size : {kPage, 3 * kPage, kMostOfABuffer})
        expect_taken({buffer(1, size)});
    for (const std::uint64_t size :
         {std::uint64_t{0}, std::uint64_t{1}, kPage - 1, kPage + 1, kMostOfABuffer + kPage})
        expect_refused({buffer(1, size)},
                       "a buffer of " + std::to_string(size) + " bytes makes no sense");
    expect_refused({buffer(1, kPage), buffer(1, kPage)}, "a buffer of 4096 bytes");
    expect_taken({buffer(1, kPage), buffer(2, kPage)});
    const Step gone{{.kind = Kind::BufferGone, .id = 1}};
    expect_taken({buffer(1, kPage), gone, buffer(1, 2 * kPage)});
    expect_refused({gone}, "a buffer that is not there has gone");
    expect_refused({buffer(1, kPage), gone, gone}, "a buffer that is not there has gone");
}

TEST(DrmRefusals, APartLiesInItsBufferAndInItsFile) {
    const Step three = buffer(1, 3 * kPage);
    const char* const why = "memory of a buffer makes no sense";
    for (const Step& good :
         {part(0, kPage, 0, kPage), part(2 * kPage, kPage, 0, kPage),
          part(kPage, 2 * kPage, kPage, 3 * kPage), part(0, 3 * kPage, 0, 3 * kPage),
          part(0, 3 * kPage, kPage, 4 * kPage), part(kPage, kPage, 0, kPage + 1)})
        expect_taken({three, good});
    for (const Step& bad :
         {part(0, 0, 0, kPage), part(0, 1, 0, kPage), part(1, kPage, 0, kPage),
          part(0, kPage, 1, 2 * kPage), part(3 * kPage, kPage, 0, kPage),
          part(4 * kPage, kPage, 0, kPage), part(2 * kPage, 2 * kPage, 0, 2 * kPage),
          part(0, 4 * kPage, 0, 4 * kPage), part(0, kPage, 0, kPage - 1),
          part(0, kPage, kPage, 2 * kPage - 1), part(0, 3 * kPage, kPage, 3 * kPage),
          part(0, kPage, 0, kPage, 2), part(0, kPage, ~std::uint64_t{0} / kPage * kPage, kPage)})
        expect_refused({three, bad}, why);
    expect_refused({three, {part(0, kPage, 0, kPage).message}}, why);  // without a file
    expect_refused({three, part(0, 3 * kPage, 0, 3 * kPage), part(0, kPage, 0, kPage)},
                   "a part of a buffer whose memory is one file");
    expect_taken({three, part(0, kPage, 0, kPage), part(0, 3 * kPage, 0, 3 * kPage),
                  part(0, 3 * kPage, kPage, 4 * kPage)});
}

TEST(DrmRefusals, ABuffersPlaceIsInTheAddressSpace) {
    const Step two = buffer(1, 2 * kPage);
    for (const std::uint64_t address :
         {std::uint64_t{0}, kPage, kAddressSpaceBytes - 2 * kPage, kAddressSpaceBytes / 2})
        expect_taken({two, bind(address)});
    for (const std::uint64_t address :
         {std::uint64_t{1}, kPage / 2, kAddressSpaceBytes - kPage, kAddressSpaceBytes,
          2 * kAddressSpaceBytes, ~std::uint64_t{0} / kPage * kPage})
        expect_refused({two, bind(address)}, "a buffer's place makes no sense");
    expect_refused({two, bind(0, 2)}, "a buffer's place makes no sense");
}

TEST(DrmRefusals, AMessageHasAKind) {
    expect_refused({{{}}}, "a message has another length, or more than one descriptor");
    expect_refused({{{.kind = Kind{15}}}}, "message 15 is not known");
    expect_refused({{{.kind = Kind{77}}}}, "message 77 is not known");
    // What has nothing to end is no error: the program may never have used it.
    expect_taken({{{.kind = Kind::VmGone, .vm = 9}}});
    expect_taken({{{.kind = Kind::ContextGone, .context = 9}}});
    expect_taken({{{.kind = Kind::Wake}}});
}

// Only the first submission that has lost writes is named.
TEST(DrmLostWrites, AreSaidOnceAndTheSessionGoesOn) {
    Bench bench;
    bench.greet();
    bench.add_buffer(1, kPage);
    bench.send(bind(0x4000'0000).message);
    bench.complete_submissions();
    const auto complete = bench.engine.work;
    for (std::uint64_t number = 1; number <= 4; ++number) {
        bench.engine.work = [&](platform::test::FakeEngine& ran) {
            complete(ran);
            if (number == 1) return;
            const std::uint8_t byte[] = {7};
            bench.engine.write_memory(bench.engine.walk(bench.root(), 0x4000'1010).address, byte);
        };
        bench.send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0, .number = number});
        EXPECT_EQ(bench.progress->completed, number);
        ASSERT_EQ(bench.said.size(), number == 1 ? 0u : 1u);
    }
    EXPECT_NE(bench.said[0].find("submission 2 wrote to an address where its program has no"),
              std::string::npos)
        << bench.said[0];
    EXPECT_EQ(bench.session.complaints(), 0u);
    EXPECT_FALSE(bench.session.ended());
}

// Class 0 is the render engine; every other one is carried out without it.
TEST(DrmEngines, OnlyTheRenderEngineRuns) {
    for (const std::uint32_t engine_class : {0u, 1u, 2u, 3u}) {
        Bench bench;
        bench.greet();
        const auto file = bench.add_buffer(1, kPage);
        const std::uint32_t end = 0x0500'0000;
        ASSERT_EQ(pwrite(file.get(), &end, sizeof end, 0), 4);
        bench.send(bind(0x10'0000).message);
        bench.complete_submissions();
        unsigned ran = 0;
        const auto complete = bench.engine.work;
        bench.engine.work = [&](platform::test::FakeEngine& engine) {
            ++ran;
            complete(engine);
        };
        bench.send({.kind = Kind::Submit,
                    .id = engine_class,
                    .vm = 1,
                    .context = 1,
                    .address = 0x10'0000,
                    .number = 1});
        EXPECT_EQ(ran, engine_class == 0 ? 1u : 0u);
        EXPECT_EQ(bench.progress->completed, 1u);
        EXPECT_FALSE(bench.session.ended());
    }
}

}  // namespace
}  // namespace gen9::drm
