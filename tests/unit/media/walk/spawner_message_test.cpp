// SPDX-License-Identifier: Apache-2.0
// Messages to the thread spawner, bit by bit (MED-55, MED-59; guide 3.3).
#include "media/walk/spawner_message.h"

#include <cstring>
#include <memory>
#include <random>

#include "media/walk/group_request.h"
#include "media/walk/payload.h"
#include "media/walk/walk_cursor.h"
#include "tests/support/covers.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

using Use = SpawnerMessage::Use;

/// What a message asks for: by its opcode, whether it ends its thread, and its resource select.
Use plain_use(std::uint32_t descriptor, bool end) {
    const bool spawn = descriptor & 1, select = descriptor >> 4 & 1;
    if (spawn) return select ? Use::SpawnRoot : Use::SpawnChild;
    if (end) return Use::End;
    return select ? Use::ReleaseFence : Use::Dereference;
}

TEST(SpawnerMessage, RandomMessagesAreReadBitByBit) {
    GEN9_COVERS("MED-55 MED-59");
    std::mt19937 random(9);
    auto m = std::make_unique<Message>();
    for (unsigned round = 0; round < 3000; ++round) {
        std::array<std::uint32_t, 8> d;
        for (auto& word : d)
            word = static_cast<std::uint32_t>(random());
        m->descriptor = static_cast<std::uint32_t>(random());
        m->end_of_thread = random() % 2;
        m->length = static_cast<std::uint8_t>(random() % 4 != 0);
        std::memcpy(m->payload[0].bytes, d.data(), 32);
        const SpawnerMessage got = decode_spawner_message(*m);
        const Use use = plain_use(m->descriptor, m->end_of_thread);
        ASSERT_EQ(got.use, use) << round;
        ASSERT_EQ(got.from_child, m->descriptor >> 1 & 1);
        // The end of a thread leaves its handle alone where it says so.
        const bool leaves = m->descriptor >> 4 & 1;
        ASSERT_EQ(got.frees_handle, use == Use::Dereference || (use == Use::End && !leaves));
        const bool said = m->length != 0;
        ASSERT_EQ(got.urb_handle, said ? d[0] & 0xFFFF : 0);
        ASSERT_EQ(got.descriptor_index, said ? d[2] >> 4 & 63 : 0);
        ASSERT_EQ(got.row_offset, said ? d[4] & 0x3FF : 0);
        ASSERT_EQ(got.rows, said ? d[4] >> 10 & 63 : 0);
    }
}

// GW-32: 003:18192-18217.
TEST(SpawnerMessage, AnEndNamesWhatItsThreadWasGiven) {
    GEN9_COVERS("GW-32");
    std::mt19937 random(10);
    auto m = std::make_unique<Message>();
    unsigned ends = 0, rights = 0;
    for (unsigned round = 0; round < 6000; ++round) {
        std::array<std::uint32_t, 8> given;
        for (auto& word : given)
            word = static_cast<std::uint32_t>(random());
        ThreadSideband sender;
        sender.fftid = static_cast<std::uint16_t>(random() % 512);
        given[5] = (given[5] & ~0x1FFu) | sender.fftid;
        // A bit of the message is another one, mostly.
        std::array<std::uint32_t, 8> d = given;
        constexpr unsigned kWords[] = {0, 2, 5, 5, 2, 0, 1, 7};
        const unsigned word = kWords[random() % 8], bit = random() % 32;
        const bool flips = random() % 8 != 0;
        if (flips) d[word] ^= 1u << bit;
        Grf header;
        std::memcpy(header.bytes, given.data(), 32);
        std::memcpy(m->payload[0].bytes, d.data(), 32);
        m->descriptor = static_cast<std::uint32_t>(random() % 4 ? random() & 0x10 : random());
        m->end_of_thread = random() % 4 != 0;
        m->length = static_cast<std::uint8_t>(random() % 16 != 0);
        const bool known = random() % 4, sent = random() % 8;
        m->sender = sent ? &sender : nullptr;
        const auto refusal = check_message(*m, known ? &header : nullptr);
        const Use use = plain_use(m->descriptor, m->end_of_thread);
        const bool child = m->descriptor >> 1 & 1, slm = given[2] >> 28 & 1;
        std::string expected;
        if (m->length == 0) {
            expected = "no payload register";
        } else if (m->end_of_thread && use != Use::End) {
            expected = "end of thread on a spawn message";
        } else if (use == Use::End && !child) {
            if (sent && (d[5] & 0x1FF) != sender.fftid)
                expected = "end of thread names FFTID " + std::to_string(d[5] & 0x1FF) +
                           ", the sender has " + std::to_string(sender.fftid);
            // Barrier: enable and five bits of its id; SLM: enable, and its place where it is on.
            else if (known && (((d[2] ^ given[2]) & 0xBF000000) != 0 ||
                               (slm && ((d[0] ^ given[0]) & 0x3F000000) != 0)))
                expected = "names a barrier or SLM that is not the sender's";
            ++ends;
            rights += expected.empty();
        }
        ASSERT_EQ(refusal.has_value(), !expected.empty())
            << round << ": " << (refusal ? refusal->text : expected);
        if (!refusal) continue;
        ASSERT_NE(refusal->text.find(expected), std::string::npos) << refusal->text;
        ASSERT_EQ(refusal->kind, "thread spawner message");
        ASSERT_TRUE(refusal->id.empty());
    }
    EXPECT_GT(ends, 2000u);
    EXPECT_GT(rights, 1000u);
}

// What nobody has said is what words of zeroes say.
TEST(Defaults, AreThoseOfCommandsOfZeroes) {
    const std::array<std::uint32_t, 20> zeroes{};
    EXPECT_EQ(Descriptor{}, decode_descriptor(std::span(zeroes).first(8)));
    const FrontEnd::FlushRequest flush, none = FrontEnd::flush_of(PipelineCommand{});
    EXPECT_EQ(flush.watermark, none.watermark);
    EXPECT_EQ(flush.flush_to_go, none.flush_to_go);
    EXPECT_EQ(flush.descriptor, none.descriptor);
    const SpawnerMessage message, end = decode_spawner_message(*std::make_unique<Message>());
    EXPECT_EQ(message.from_child, end.from_child);
    EXPECT_EQ(message.urb_handle, 0);
    EXPECT_EQ(message.rows, 0u);
    EXPECT_EQ(message.row_offset, 0u);
    EXPECT_EQ(message.descriptor_index, 0);

    const VfeState vfe, vfe_of_zeroes = decode_vfe_state(std::span(zeroes).first(9));
    const auto same_vfe = [&](auto member) { EXPECT_EQ(vfe.*member, vfe_of_zeroes.*member); };
    same_vfe(&VfeState::scratch_base);
    same_vfe(&VfeState::scratch_code);
    same_vfe(&VfeState::stack_code);
    same_vfe(&VfeState::reset_gateway_timer);
    same_vfe(&VfeState::max_threads);
    same_vfe(&VfeState::slice_disable);
    EXPECT_EQ(vfe.power_request, 0u);
    same_vfe(&VfeState::urb_entries);
    same_vfe(&VfeState::urb_entry_rows);
    same_vfe(&VfeState::curbe_rows);
    const auto same_scoreboard = [&](auto member) {
        EXPECT_EQ(vfe.scoreboard.*member, vfe_of_zeroes.scoreboard.*member);
    };
    same_scoreboard(&ScoreboardState::enable);
    same_scoreboard(&ScoreboardState::non_stalling);
    same_scoreboard(&ScoreboardState::mask);
    same_scoreboard(&ScoreboardState::deltas);

    const WalkerParameters walker,
        walker_of_zeroes = decode_walker(std::span(zeroes).first(15), {});
    const auto same_walker = [&](auto member) {
        EXPECT_EQ(walker.*member, walker_of_zeroes.*member);
    };
    same_walker(&WalkerParameters::descriptor_index);
    same_walker(&WalkerParameters::indirect_bytes);
    same_walker(&WalkerParameters::indirect_offset);
    same_walker(&WalkerParameters::thread_max);
    same_walker(&WalkerParameters::simd_width);
    same_walker(&WalkerParameters::start);
    same_walker(&WalkerParameters::resume);
    EXPECT_EQ(walker.resume_thread, 0u);
    same_walker(&WalkerParameters::dimensions);
    same_walker(&WalkerParameters::right_mask);
    same_walker(&WalkerParameters::bottom_mask);
    EXPECT_FALSE(walker.returns_to_zero);

    const MediaWalkerParameters loops,
        loops_of_zeroes = decode_media_walker(std::span(zeroes).first(17));
    const auto same_loops = [&](auto member) { EXPECT_EQ(loops.*member, loops_of_zeroes.*member); };
    same_loops(&MediaWalkerParameters::mask_pitch);
    same_loops(&MediaWalkerParameters::group_loop_select);
    same_loops(&MediaWalkerParameters::colors);
    same_loops(&MediaWalkerParameters::middle_extra_steps);
    same_loops(&MediaWalkerParameters::local_executions);
    same_loops(&MediaWalkerParameters::global_executions);
    same_loops(&MediaWalkerParameters::block);
    same_loops(&MediaWalkerParameters::global_inner);

    const MediaObject object;
    for (const auto command : {MediaCommand::Object, MediaCommand::ObjectGrpid,
                               MediaCommand::ObjectPrt, MediaCommand::ObjectWalker}) {
        const MediaObject of_zeroes = decode_media_object(command, std::span(zeroes).first(4));
        const auto same = [&](auto member) { EXPECT_EQ(object.*member, of_zeroes.*member); };
        same(&MediaObject::descriptor_index);
        same(&MediaObject::indirect_bytes);
        same(&MediaObject::indirect_offset);
        same(&MediaObject::synchronized);
        same(&MediaObject::children_present);
        same(&MediaObject::force_destination);
        same(&MediaObject::slice);
        same(&MediaObject::subslice);
        same(&MediaObject::group_id);
        same(&MediaObject::end_of_group);
        same(&MediaObject::fence_needed);
        same(&MediaObject::fence_vfe);
        same(&MediaObject::inline_data);
        const auto same_place = [&](auto member) {
            EXPECT_EQ(object.scoreboard.*member, of_zeroes.scoreboard.*member);
        };
        same_place(&ScoreboardRequest::use);
        same_place(&ScoreboardRequest::x);
        same_place(&ScoreboardRequest::y);
        same_place(&ScoreboardRequest::color);
        same_place(&ScoreboardRequest::mask);
    }
    EXPECT_FALSE(EuPools{}.enabled);
    EXPECT_FALSE(HeldGroup{}.open);
    EXPECT_EQ(HeldGroup{}.id, 0u);
    EXPECT_EQ(HeldGroup{}.threads, 0u);
    const ThreadFacts facts;
    EXPECT_EQ(facts.local_thread, 0u);
    EXPECT_EQ(facts.mask, 0u);
    EXPECT_EQ(facts.barrier | facts.slm_granule | facts.slm | facts.color, 0);
    const Walk walk;
    EXPECT_EQ(walk.registers, 0u);
    EXPECT_EQ(walk.context_start, 0);
    EXPECT_EQ(walk.number, 0u);
    EXPECT_FALSE(walk.indirect || walk.holds_entry);
    EXPECT_EQ(walk.urb_entry, 0u);
    EXPECT_EQ(walk.urb_handle, 0u);
    EXPECT_TRUE(WalkCursor{}.done());
    EXPECT_FALSE(WalkCursor{}.dealt_out());
    EXPECT_EQ(WalkCursor{}.local_thread(), 0u);
    EXPECT_EQ(WalkCursor{}.groups_left(), 0u);
    EXPECT_EQ(WalkCursor{}.segment(), 0u);
    EXPECT_FALSE(WalkCursor{}.given_up());
    EXPECT_TRUE(GroupCursor{}.done());
    EXPECT_TRUE(ThreadCursor{}.done());
    EXPECT_EQ(ThreadCursor{}.mask(), 0u);
    EXPECT_TRUE(MediaCursor{}.done());
    const MediaPoint point;
    EXPECT_EQ(point.counts, (LoopCounts{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(point.segment, 0u);
    EXPECT_EQ(point.at.x | point.at.y, 0);
    EXPECT_EQ(MediaGroupId{}, (MediaGroupId{0, 0}));
}

}  // namespace
}  // namespace gen9::media::test
