// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/timeline.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace gen9::platform {
namespace {

constexpr const char* kWords[] = {"idle", "at work", "done"};

struct Signals : SignalSet {
    using SignalSet::SignalSet;
    Signal bit{*this, "bit", "."};
    Signal number{*this, "number", 8, SignalForm::Decimal, "."};
    Signal word{*this, "word", kWords, "."};
};

/// A file that keeps what it is given as text: "time name=value".
class TextFile : public WaveFile {
  public:
    std::vector<std::string> lines;
    void declare(const std::vector<WaveVariable>& variables) override { variables_ = variables; }
    void time(std::uint64_t picoseconds) override {
        EXPECT_GE(picoseconds, time_);
        time_ = picoseconds;
    }
    void value(std::uint32_t variable, std::uint64_t value) override {
        line(variables_.at(variable).name + "=" + std::to_string(value));
    }
    void off(std::uint64_t picoseconds) override {
        time(picoseconds);
        line("off");
    }
    void close(std::uint64_t picoseconds) override {
        time(picoseconds);
        line("end");
    }

  private:
    void line(const std::string& text) { lines.push_back(std::to_string(time_) + " " + text); }
    std::vector<WaveVariable> variables_;
    std::uint64_t time_ = 0;
};

using Lines = std::vector<std::string>;

struct Bench {
    TextFile file;
    std::uint64_t now = 0;
    Signals signals{"top.block"};
    Timeline timeline;
    explicit Bench(Timeline::Settings settings = {.picoseconds = 10, .clock = false})
        : timeline(file, settings, [this] { return now; }) {
        for (Signal* signal : signals.signals())
            timeline.watch(signals, *signal);
        timeline.begin("top");
    }
    /// What has been written but for the values at the beginning.
    Lines written() {
        Lines lines;
        for (const std::string& line : file.lines)
            if (!line.starts_with("0 ")) lines.push_back(line);
        return lines;
    }
};

TEST(Timeline, WritesChangesInTheOrderOfTheirCyclesAsTimesOfTheClock) {
    Bench b;
    b.signals.number.set(7, Cycles(5));
    b.signals.bit.set(1, Cycles(3));
    b.signals.number.set(2, Cycles(4));  // replaces the 7 of cycle 5
    b.signals.number.set(9, Cycles(6));
    b.timeline.finish(8);
    EXPECT_EQ(b.file.lines, (Lines{"0 bit=0", "0 number=0", "0 word=0", "30 bit=1", "40 number=2",
                                   "60 number=9", "90 end"}));
}

TEST(Timeline, OfSeveralValuesInACycleTheLastIsWrittenAndNoneIfItIsTheOldOne) {
    Bench b;
    b.signals.number.set(7, Cycles(5));
    b.signals.number.set(8, Cycles(5));
    b.signals.bit.set(1, Cycles(6));
    b.signals.bit.set(0, Cycles(6));
    b.timeline.finish(8);
    EXPECT_EQ(b.written(), (Lines{"50 number=8", "90 end"}));
}

TEST(Timeline, AddsUpWhatIsAdded) {
    Bench b;
    b.signals.number.add(-1, Cycles(9));
    b.signals.number.add(3, Cycles(2));
    b.signals.number.add(2, Cycles(5));
    b.signals.number.add(-2, Cycles(5));
    b.timeline.finish(9);
    EXPECT_EQ(b.written(), (Lines{"20 number=3", "90 number=2", "100 end"}));
}

TEST(Timeline, ASumThatDoesNotFitIsAnErrorOfTheModel) {
    Bench below, above;
    below.signals.number.add(-1, Cycles(2));
    EXPECT_THROW(below.timeline.finish(3), InternalError);
    above.signals.number.add(256, Cycles(2));
    EXPECT_THROW(above.timeline.finish(3), InternalError);
}

TEST(Timeline, WhatIsMarkedDoesNotReplaceWhatIsMarkedForLater) {
    Bench b;
    b.signals.number.mark(7, Cycles(5));
    b.signals.number.mark(4, Cycles(3));
    b.timeline.finish(8);
    EXPECT_EQ(b.written(), (Lines{"30 number=4", "50 number=7", "90 end"}));
}

TEST(Timeline, AMarkThatDoesNotFitIsAnErrorOfTheModel) {
    Bench b;
    b.signals.number.mark(256, Cycles(2));
    EXPECT_THROW(b.timeline.finish(3), InternalError);
}

// In a run of many changes what is past is written on the way; nothing may be told of it any more,
// and what is yet to come may still be replaced.
TEST(Timeline, WritesWhatIsPastAndKeepsWhatIsToCome) {
    Bench b;
    Lines expected;
    for (std::uint64_t cycle = 1; cycle <= 100'000; ++cycle) {
        b.now = cycle;
        b.signals.number.set(1, Cycles(cycle));
        b.signals.number.set(cycle & 1, Cycles(cycle + 20));  // replaced by the next
        b.signals.bit.set(cycle & 1, Cycles(cycle));
        expected.push_back(std::to_string(10 * cycle) + " bit=" + std::to_string(cycle & 1));
    }
    EXPECT_GT(b.file.lines.size(), 50'000u);
    b.timeline.finish(100'000);
    expected.insert(expected.begin(), "10 number=1");
    expected.push_back("1000010 end");
    EXPECT_EQ(b.written(), expected);
}

TEST(Timeline, AChangeInThePastIsAnErrorOfTheModel) {
    Bench b;
    b.now = 1000;
    for (unsigned i = 0; i < 40'000; ++i)
        b.signals.bit.set(i & 1, Cycles(1000));
    b.signals.number.set(1, Cycles(999));
    EXPECT_THROW(b.timeline.finish(1000), InternalError);
}

TEST(Timeline, WritesAClockAndItsCycles) {
    Bench b({.picoseconds = 10});
    b.signals.bit.set(1, Cycles(2));
    b.timeline.finish(2);
    EXPECT_EQ(b.file.lines,
              (Lines{"0 clock=1", "0 cycle=0", "0 bit=0", "0 number=0", "0 word=0", "5 clock=0",
                     "10 clock=1", "10 cycle=1", "15 clock=0", "20 clock=1", "20 cycle=2",
                     "20 bit=1", "25 clock=0", "30 end"}));
}

TEST(Timeline, WritesOnlyTheRangeAskedFor) {
    Bench b({.picoseconds = 10, .from = 4, .to = 8, .clock = false});
    for (unsigned cycle = 1; cycle <= 10; ++cycle)
        b.signals.number.set(cycle, Cycles(cycle));
    b.timeline.finish(10);
    EXPECT_EQ(b.file.lines, (Lines{"40 bit=0", "40 number=4", "40 word=0", "50 number=5",
                                   "60 number=6", "70 number=7", "80 off", "110 end"}));
}

TEST(Timeline, WritesOnlyThePartsThatAreOpenedAndWithinThemOnlyTheRange) {
    Bench b({.picoseconds = 10, .from = 3, .clock = false, .only_opened = true});
    b.signals.number.set(1, Cycles(1));
    b.timeline.open(2);
    b.signals.bit.set(1, Cycles(4));
    b.timeline.close(6);
    b.signals.bit.set(0, Cycles(7));
    b.timeline.open(9);
    b.timeline.finish(9);
    EXPECT_EQ(b.file.lines, (Lines{"30 bit=0", "30 number=1", "30 word=0", "40 bit=1", "60 off",
                                   "90 bit=0", "90 number=1", "90 word=0", "100 end"}));
}

TEST(Timeline, OverlappingPartsAreOnePart) {
    Bench b({.picoseconds = 10, .clock = false, .only_opened = true});
    b.timeline.open(2);
    b.timeline.open(4);
    b.timeline.close(5);
    b.signals.bit.set(1, Cycles(6));
    b.timeline.close(7);
    b.timeline.finish(9);
    EXPECT_EQ(b.file.lines,
              (Lines{"20 bit=0", "20 number=0", "20 word=0", "60 bit=1", "70 off", "100 end"}));
}

// IEEE 1364-2005, 18.2; values of the variable of words as GTKWave reads them.
TEST(Vcd, IsWrittenByTheStandard) {
    const std::string path = testing::TempDir() + "waveform_test.vcd";
    {
        const auto file = open_wave_file(path);
        std::uint64_t now = 0;
        Timeline timeline(*file, {.picoseconds = 10, .clock = false}, [&] { return now; });
        Signals signals("top.block"), other("top.other.inner");
        for (SignalSet* set : {static_cast<SignalSet*>(&signals), static_cast<SignalSet*>(&other)})
            for (Signal* signal : set->signals())
                timeline.watch(*set, *signal);
        timeline.begin("top");
        signals.number.set(5, Cycles(1));
        signals.word.set(1, Cycles(1));
        other.bit.set(1, Cycles(3));
        timeline.finish(3);
    }
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(text.str(), R"($version gen9sim $end
$timescale 1 ps $end
$scope module top $end
$scope module block $end
$var wire 1 ! bit $end
$var wire 8 " number [7:0] $end
$var string 1 # word $end
$upscope $end
$scope module other $end
$scope module inner $end
$var wire 1 $ bit $end
$var wire 8 % number [7:0] $end
$var string 1 & word $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b0 "
sidle #
0$
b0 %
sidle &
#10
b101 "
sat_work #
#30
1$
#40
)");
    std::remove(path.c_str());
}

TEST(Vcd, AFileThatCannotBeWrittenIsAUserError) {
    EXPECT_THROW(open_wave_file("/nowhere/at/all.vcd"), UserError);
}

}  // namespace
}  // namespace gen9::platform
