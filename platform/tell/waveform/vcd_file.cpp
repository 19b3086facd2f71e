// SPDX-License-Identifier: Apache-2.0
// VCD by IEEE 1364, with one addition that GTKWave and other viewers read: a variable of type
// `string`, whose values are words.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>

#include "platform/tell/waveform/wave_file.h"

namespace gen9::platform {
namespace {

constexpr std::size_t kBuffer = 1 << 18;
constexpr std::size_t kLongestLine = 128;

class VcdFile : public WaveFile {
  public:
    explicit VcdFile(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
        if (!file_) throw UserError("cannot write the waveform '" + path + "'");
        std::setvbuf(file_, nullptr, _IONBF, 0);
        text_.reserve(kBuffer + kLongestLine);
    }
    VcdFile(const VcdFile&) = delete;
    VcdFile& operator=(const VcdFile&) = delete;
    ~VcdFile() override { std::fclose(file_); }

    void declare(const std::vector<WaveVariable>& variables) override {
        std::string header = "$version gen9sim $end\n$timescale 1 ps $end\n";
        for (std::uint32_t i = 0; i < variables.size(); ++i) {
            Shown& shown = variables_.emplace_back();
            for (std::uint32_t left = i + 1; left != 0; left = (left - 1) / 94)
                shown.code += static_cast<char>('!' + (left - 1) % 94);
            shown.bit = variables[i].form == SignalForm::Bit;
            for (const char* word : variables[i].words) {
                std::string& line = shown.words.emplace_back(1, 's');
                line.append(wave_word(word)).append(1, ' ').append(shown.code).append(1, '\n');
            }
        }
        walk_scopes(
            variables,
            [&](const std::string& name) { header += "$scope module " + name + " $end\n"; },
            [&] { header += "$upscope $end\n"; },
            [&](std::uint32_t i) {
                const WaveVariable& variable = variables[i];
                const bool words = variable.form == SignalForm::Words;
                const unsigned width = words ? 1 : variable.width_bits;
                header += std::string("$var ") + (words ? "string " : "wire ") +
                          std::to_string(width) + " " + variables_[i].code + " " + variable.name;
                if (width > 1) header += " [" + std::to_string(width - 1) + ":0]";
                header += " $end\n";
            });
        header += "$enddefinitions $end\n";
        text_ += header;
        flush();
    }

    void time(std::uint64_t picoseconds) override { time_ = picoseconds; }

    void value(std::uint32_t variable, std::uint64_t value) override {
        write_time();
        const Shown& shown = variables_[variable];
        if (value < shown.words.size()) {
            text_ += shown.words[value];
            return;
        }
        char line[kLongestLine];
        char* end = line;
        if (shown.bit) {
            *end++ = static_cast<char>('0' + value);
        } else if (shown.words.empty()) {
            *end++ = 'b';
            for (int bit = std::max(1, static_cast<int>(std::bit_width(value))) - 1; bit >= 0;
                 --bit)
                *end++ = static_cast<char>('0' + (value >> bit & 1));
            *end++ = ' ';
        } else {
            *end++ = 's';
            end = std::to_chars(end, line + sizeof line, value).ptr;
            *end++ = ' ';
        }
        for (const char c : shown.code)
            *end++ = c;
        *end++ = '\n';
        text_.append(line, end);
    }

    void off(std::uint64_t picoseconds) override {
        time(picoseconds);
        write_time();
        text_ += "$dumpoff\n";
        for (const Shown& shown : variables_) {
            text_ += shown.bit ? "x" : shown.words.empty() ? "bx " : "sx ";
            text_ += shown.code + "\n";
        }
        text_ += "$end\n";
    }

    void close(std::uint64_t picoseconds) override {
        time(picoseconds);
        write_time();
        flush();
        if (failed_)
            throw UserError("cannot write the waveform '" + path_ +
                            "' to its end: is the disk full?");
    }

  private:
    struct Shown {
        std::string code;
        std::vector<std::string> words;  ///< whole lines
        bool bit = false;
    };

    void write_time() {
        if (text_.size() > kBuffer) flush();
        if (written_time_ == time_) return;
        written_time_ = time_;
        text_ += '#';
        number(time_);
        text_ += '\n';
    }
    void number(std::uint64_t value) {
        char digits[20];
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    void flush() {
        failed_ |= std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size();
        text_.clear();
    }

    std::string path_;
    std::FILE* file_;
    bool failed_ = false;  ///< something could not be written; the run goes on
    std::string text_;
    std::vector<Shown> variables_;
    std::uint64_t time_ = 0, written_time_ = ~std::uint64_t{0};
};

}  // namespace

std::unique_ptr<WaveFile> open_vcd(const std::string& path) {
    return std::make_unique<VcdFile>(path);
}

std::string wave_word(const char* word) {
    std::string text = word;
    for (char& c : text)
        if (c == ' ') c = '_';
    return text;
}

std::unique_ptr<WaveFile> open_wave_file(const std::string& path) {
    return path.ends_with(".fst") ? open_fst(path) : open_vcd(path);
}

}  // namespace gen9::platform
