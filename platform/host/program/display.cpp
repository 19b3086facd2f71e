// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/display.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/check.h"
#include "platform/host/regular_file.h"

namespace gen9::platform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSocket = "wayland";
constexpr const char* kLog = "log";
constexpr std::size_t kMaxLogBytes = 64 << 20;
constexpr const char* kFrames = "frames";
constexpr const char* kX11Sockets = "/tmp/.X11-unix";
constexpr const char* kSettings = "weston.ini";
// Windows alone on black.
constexpr const char* kSettingsText = R"([shell]
panel-position=none
background-color=0xff000000
startup-animation=none
close-animation=none
animation=none
focus-animation=none
locking=false
[input-method]
path=
)";

bool is_in_path(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/bin:/bin");
    std::error_code error;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(folder + "/" + program, error)) return true;
    return false;
}

/// The rest of the line behind a word; empty when there is no such word or no end of the line yet.
std::string behind(const std::string& text, const std::string& word) {
    const auto found = text.find(word);
    if (found == std::string::npos) return {};
    const auto begin = found + word.size(), end = text.find('\n', begin);
    return end == std::string::npos ? std::string() : text.substr(begin, end - begin);
}

std::vector<std::string> compositor_words(const DisplayWish& wish, const std::string& folder) {
    return {"weston",
            "--backend=headless-backend.so",
            "--shell=desktop-shell.so",
            "--xwayland",
            "--config=" + folder + "/" + kSettings,
            "--idle-time=0",
            "--debug",  // allows pictures to be taken
            wish.composed_by_model ? "--use-gl" : "--use-pixman",
            "--width=" + std::to_string(wish.width),
            "--height=" + std::to_string(wish.height),
            std::string("--socket=") + kSocket};
}

}  // namespace

std::pair<unsigned, unsigned> display_size(const std::string& text) {
    constexpr unsigned kLargest = 16384;  // of a render target
    unsigned width = 0, height = 0;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, width);
    const bool has_x = first.ec == std::errc() && first.ptr != end && *first.ptr == 'x';
    const auto second = has_x ? std::from_chars(first.ptr + 1, end, height) : first;
    if (!has_x || second.ec != std::errc() || second.ptr != end || width == 0 || height == 0 ||
        width > kLargest || height > kLargest)
        throw UserError("--display '" + text + "' is not allowed: WIDTHxHEIGHT, each from 1 to " +
                        std::to_string(kLargest));
    return {width, height};
}

std::string renderer_in_log(const std::string& log) {
    return behind(log, "GL renderer: ");
}

void FrameCount::add(const std::string& words) {
    rest_ += words;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
        frames_ +=
            rest_.substr(begin, end - begin).find("\"core_repaint_posted\"") != std::string::npos;
    rest_.erase(0, begin);
}

std::string x_display_in_log(const std::string& log) {
    return behind(log, "xserver listening on display ");
}

Display::Display(const DisplayWish& wish, const Variables& of_model)
    : wish_(wish), times_(wish.every) {
    for (const auto& [program, package] : {std::pair{"weston", "weston"}, {"Xwayland", "xwayland"}})
        if (!is_in_path(program))
            throw UserError(std::string("--display needs ") + program +
                            "; install the Debian package " + package);
    // weston wants the folder of X11's sockets, which a container may not have.
    if (mkdir(kX11Sockets, 01777) == 0) chmod(kX11Sockets, 01777);
    std::error_code error;
    if (!wish.frames.empty() && !fs::is_directory(wish.frames) &&
        !fs::create_directories(wish.frames, error))
        throw UserError("cannot make the folder '" + wish.frames + "' of --frames" +
                        (error ? ": " + error.message() : ""));
    std::ofstream(folder_.path() + "/" + kSettings) << kSettingsText;
    Variables variables;
    if (wish.composed_by_model) {
        variables = of_model;
        // What chooses another driver of Mesa's is for the program.
        variables.emplace_back("LIBGL_ALWAYS_SOFTWARE", "0");
        variables.emplace_back("MESA_LOADER_DRIVER_OVERRIDE", "iris");
    }
    variables.emplace_back("XDG_RUNTIME_DIR", folder_.path());
    compositor_.emplace(compositor_words(wish, folder_.path()), variables,
                        folder_.path() + "/" + kLog);
}

Display::~Display() {
    camera_.reset();
    counter_.reset();
    compositor_.reset();
}

std::string Display::log() const {
    const auto bytes = bytes_of_regular(folder_.path() + "/" + kLog, kMaxLogBytes);
    return {bytes.begin(), bytes.end()};
}

std::string Display::last_words() const {
    constexpr std::size_t kLines = 5;
    std::string text = log();
    std::size_t begin = text.size();
    for (std::size_t line = 0; line <= kLines && begin != 0 && begin != std::string::npos; ++line)
        begin = text.rfind('\n', begin - 1);
    return begin == std::string::npos ? text : text.substr(begin);
}

std::string Display::renderer() const {
    return wish_.composed_by_model ? renderer_in_log(log()) : "the processor";
}

bool Display::ready() {
    if (compositor_->ended())
        throw UserError("the display does not come up. weston says:\n" + last_words());
    const std::string text = log();
    if (x_display_in_log(text).empty()) return false;
    if (wish_.composed_by_model && renderer().find("Intel") == std::string::npos)
        throw UserError("the display does not draw by Intel's driver, but by '" + renderer() + "'");
    // Frames count from here on, and those of the empty display do not come again.
    if (!wish_.frames.empty()) start(counter_, {"weston-debug", "timeline"}, kFrames);
    return true;
}

Variables Display::variables(Variables of_model) const {
    std::erase_if(of_model, [](const auto& variable) { return variable.first == "EGL_PLATFORM"; });
    of_model.emplace_back("WAYLAND_DISPLAY", folder_.path() + "/" + kSocket);
    of_model.emplace_back("DISPLAY", x_display_in_log(log()));
    if (!std::getenv("XDG_RUNTIME_DIR")) of_model.emplace_back("XDG_RUNTIME_DIR", folder_.path());
    return of_model;
}

bool Display::look_after() {
    if (ending_) return true;
    if (compositor_->ended()) return false;
    if (wish_.frames.empty()) return true;
    count_frames();
    if (camera_ && camera_->ended()) {
        keep_picture();
        camera_.reset();
        times_.taken(count_.frames());
    } else if (!camera_ && times_.due(count_.frames())) {
        start(camera_, {"weston-screenshooter"}, kLog);
    }
    return true;
}

void Display::count_frames() {
    struct stat status {};
    const FileDescriptor file = open_regular(folder_.path() + "/" + kFrames, status);
    char piece[4096];
    while (file && counted_ < status.st_size) {
        const ssize_t count = pread(file.get(), piece, sizeof piece, counted_);
        if (count <= 0) break;
        counted_ += count;
        count_.add(std::string(piece, static_cast<std::size_t>(count)));
    }
}

void Display::start(std::optional<ChildProgram>& program, const std::vector<std::string>& words,
                    const char* output) const {
    program.emplace(words,
                    Variables{{"WAYLAND_DISPLAY", folder_.path() + "/" + kSocket},
                              {"XDG_RUNTIME_DIR", folder_.path()},
                              {"XDG_PICTURES_DIR", folder_.path()}},
                    folder_.path() + "/" + output);
}

void Display::keep_picture() {
    constexpr int kDigits = 4;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_.path(), error)) {
        if (entry.path().extension() != ".png") continue;
        std::string number = std::to_string(pictures_.size() + 1);
        number.insert(0, kDigits - std::min<std::size_t>(kDigits, number.size()), '0');
        const std::string name = wish_.frames + "/frame-" + number + ".png";
        if (fs::copy_file(entry.path(), name, fs::copy_options::overwrite_existing, error))
            pictures_.push_back(name);
        fs::remove(entry.path(), error);
        return;
    }
}

std::string Display::frames_text(bool in_vain) const {
    std::error_code error;
    if (in_vain)
        for (const std::string& picture : pictures_)
            fs::remove(picture, error);
    if (in_vain)
        return "no frame is kept: something that the compositor asked for is not modelled; "
               "--compositor processor composes without the model";
    if (pictures_.empty()) return "no frame came: the program ended before the first was taken";
    return "frames in '" + wish_.frames + "': " + std::to_string(pictures_.size());
}

void Display::terminate() {
    ending_ = true;
    if (camera_) camera_->terminate();
    if (counter_) counter_->terminate();
    compositor_->terminate();
}

bool Display::ended() {
    const bool pictures = !camera_ || camera_->ended();
    const bool counted = !counter_ || counter_->ended();
    return compositor_->ended() && pictures && counted;
}

ProgramOnDisplay::ProgramOnDisplay(std::vector<std::string> words, Variables variables,
                                   const std::optional<DisplayWish>& wish)
    : words_(std::move(words)), variables_(std::move(variables)) {
    if (wish)
        display_.emplace(*wish, variables_);
    else
        program_.emplace(words_, variables_);
}

bool ProgramOnDisplay::ended() {
    if (!display_) return program_->ended();
    if (!program_ && !stopping_ && display_->ready()) {
        std::fprintf(stderr, "gen9sim: the display is composed by %s\n",
                     display_->renderer().c_str());
        program_.emplace(words_, display_->variables(variables_));
    }
    if (program_ && !display_lost_ && !display_->look_after()) {
        display_lost_ = true;
        std::fprintf(stderr, "gen9sim: the display has ended. weston said:\n%s\n",
                     display_->last_words().c_str());
        program_->terminate();
    }
    if (program_ ? !program_->ended() : !stopping_) return false;
    display_->terminate();
    return display_->ended();
}

void ProgramOnDisplay::terminate() {
    stopping_ = true;
    if (program_) program_->terminate();
}

}  // namespace gen9::platform
