// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <optional>

#include "platform/tell/recording/block_player.h"
#include "sc_main/command.h"
#include "sc_main/simulation_options.h"

namespace gen9::program {
namespace {

constexpr const char* kReplaySocketHelp =
    R"(Plays what was recorded at a socket (--record-socket of run, serve and replay) into the block
behind it, alone, and compares the bytes and the cycle of every answer. Blocks: slm, alu, dram, llc
with the dram behind it, and l3.bank, in any model (--set slm.model=rtl).

  gen9sim replay --record-socket subslice0.slm.mem_in=slm.txt traces/local_atomics/stream.aub.zst
  gen9sim replay-socket slm.txt

A bank of L3 is played with what was recorded at its way to memory behind it:

  gen9sim replay --record-socket l3.bank0.mem_in=bank.txt --record-socket l3.bank0.mem_out=behind.txt ...
  gen9sim replay-socket --behind behind.txt bank.txt

Exit status
  0        every answer as recorded
  1        an answer differs, or did not come: request, recorded and found are reported
  2        wrong usage, or not a recording that can be played
  3        the block reported an error
)";

}  // namespace

int replay_socket_command(const Arguments& arguments) {
    CommandLine line("replay-socket [options] FILE", kReplaySocketHelp);
    line.take_operand("FILE");
    line.group("Recording")
        .add_options()("behind", boost::program_options::value<std::string>()->value_name("FILE"),
                       "of a bank of L3: what was recorded at its mem_out");
    add_setting_options(line);
    if (!line.parse(arguments)) return kSuccess;
    Config config;
    read_settings(line, config);
    platform::RecordingFile file(line.operand());
    std::optional<platform::RecordingFile> behind;
    if (line.has("behind")) behind.emplace(line.text("behind"));
    platform::BlockPlayer player(config, file, behind ? &*behind : nullptr);
    player.play();
    for (const std::string& text : player.said())
        std::fprintf(stderr, "gen9sim: %s\n", text.c_str());
    std::fprintf(stderr,
                 "gen9sim: %s: %" PRIu64 " requests, %" PRIu64 " answers with other bytes, %" PRIu64
                 " in another cycle, %" PRIu64 " missing\n",
                 file.target.c_str(), player.requests(), player.wrong_data(), player.wrong_cycle(),
                 player.unanswered());
    if (behind)
        std::fprintf(stderr, "gen9sim: %s: %" PRIu64 " requests differ from the recording\n",
                     behind->socket.c_str(), player.wrong_behind());
    if (player.wrong_data() + player.wrong_cycle() + player.unanswered() + player.wrong_behind())
        return kMismatch;
    return player.failed() ? kEngineError : kSuccess;
}

}  // namespace gen9::program
