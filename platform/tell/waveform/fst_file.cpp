// SPDX-License-Identifier: Apache-2.0
// FST, GTKWave's compressed format, by GTKWave's own writer.
#include <fstapi.h>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <map>

#include "common/bus_errors.h"
#include "platform/tell/waveform/wave_file.h"

namespace {

// The writer does not look at what the disk takes, so it is looked at from outside.
volatile std::sig_atomic_t writing = 0, lost = 0;

/// The writer maps its files into memory, where a full disk is a signal. What is touched while the
/// writer runs is such a page, and the waveform is lost.
bool may_lose_page(const void*) {
    if (writing == 0) return false;
    lost = 1;
    return true;
}

}  // namespace

/// The writer's `fclose`: a file remembers that something could not be written.
extern "C" int gen9_fst_close(std::FILE* file) {
    if (std::fflush(file) != 0 || std::ferror(file) != 0) lost = 1;
    return std::fclose(file);
}

namespace gen9::platform {
namespace {

class Writing {
  public:
    Writing() { writing = 1; }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    ~Writing() { writing = 0; }
};

class FstFile : public WaveFile {
  public:
    explicit FstFile(const std::string& path)
        : path_(path), context_(fstWriterCreate(path.c_str(), 1)) {
        if (!context_) throw UserError("cannot write the waveform '" + path + "'");
        gen9::add_page_loser(may_lose_page);
        fstWriterSetVersion(context_, "gen9sim");
        fstWriterSetDate(context_, "");
        fstWriterSetTimescale(context_, -12);
        fstWriterSetPackType(context_, FST_WR_PT_LZ4);
    }
    FstFile(const FstFile&) = delete;
    FstFile& operator=(const FstFile&) = delete;
    ~FstFile() override { end(); }

    void declare(const std::vector<WaveVariable>& variables) override {
        const Writing guard;
        variables_.resize(variables.size());
        walk_scopes(
            variables,
            [&](const std::string& name) {
                fstWriterSetScope(context_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
            },
            [&] { fstWriterSetUpscope(context_); },
            [&](std::uint32_t i) {
                const WaveVariable& variable = variables[i];
                if (variable.form == SignalForm::Words)
                    fstWriterEmitEnumTableRef(context_, table_of(variable));
                std::string name = variable.name;
                if (variable.width_bits > 1)
                    name += " [" + std::to_string(variable.width_bits - 1) + ":0]";
                variables_[i] = {fstWriterCreateVar(context_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                                                    variable.width_bits, name.c_str(), 0),
                                 variable.width_bits};
            });
    }
    void time(std::uint64_t picoseconds) override { time_ = picoseconds; }
    void value(std::uint32_t variable, std::uint64_t value) override {
        if (lost != 0) return;
        const Writing guard;
        write_time();
        const auto [handle, width] = variables_[variable];
        fstWriterEmitValueChange64(context_, handle, width, value);
    }
    void off(std::uint64_t picoseconds) override {
        if (lost != 0) return;
        const Writing guard;
        time(picoseconds);
        write_time();
        const std::string unknown(64, 'x');
        for (const auto& variable : variables_)
            fstWriterEmitValueChange(context_, variable.handle, unknown.c_str());
    }
    void close(std::uint64_t picoseconds) override {
        time(picoseconds);
        end();
        if (lost != 0)
            throw UserError("cannot write the waveform '" + path_ +
                            "' to its end: is the disk full?");
    }

  private:
    struct Variable {
        fstHandle handle = 0;
        std::uint32_t width_bits = 1;
    };
    void end() {
        if (!context_) return;
        const Writing guard;
        if (lost == 0) {
            write_time();
            fstWriterClose(context_);
        } else {
            std::remove((path_ + ".hier").c_str());  // the writer's own; the rest is left as it is
        }
        context_ = nullptr;
    }
    void write_time() {
        if (written_time_ == time_) return;
        written_time_ = time_;
        fstWriterEmitTimeChange(context_, time_);
    }
    /// Lists of words are declared once.
    fstEnumHandle table_of(const WaveVariable& variable) {
        fstEnumHandle& table = tables_[variable.words.data()];
        if (table != 0) return table;
        std::vector<std::string> names, values;
        for (std::size_t word = 0; word < variable.words.size(); ++word) {
            names.push_back(wave_word(variable.words[word]));
            std::string& digits = values.emplace_back(variable.width_bits, '0');
            for (unsigned bit = 0; bit < variable.width_bits; ++bit)
                if (word >> bit & 1) digits[variable.width_bits - 1 - bit] = '1';
        }
        std::vector<const char*> name_list, value_list;
        for (std::size_t word = 0; word < names.size(); ++word) {
            name_list.push_back(names[word].c_str());
            value_list.push_back(values[word].c_str());
        }
        table =
            fstWriterCreateEnumTable(context_, ("words" + std::to_string(tables_.size())).c_str(),
                                     static_cast<std::uint32_t>(names.size()), variable.width_bits,
                                     name_list.data(), value_list.data());
        return table;
    }

    std::string path_;
    void* context_;
    std::vector<Variable> variables_;
    std::map<const void*, fstEnumHandle> tables_;
    std::uint64_t time_ = 0, written_time_ = ~std::uint64_t{0};
};

}  // namespace

std::unique_ptr<WaveFile> open_fst(const std::string& path) {
    return std::make_unique<FstFile>(path);
}

}  // namespace gen9::platform
