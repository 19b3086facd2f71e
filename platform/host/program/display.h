// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <ios>
#include <optional>
#include <string>
#include <vector>

#include "platform/host/program/child_program.h"
#include "platform/host/temporary_folder.h"

namespace gen9::platform {

/// The person wishes for such a display.
struct DisplayWish {
    unsigned width = 0, height = 0;
    /// Windows are composed by Intel's OpenGL driver on the model, or else by the processor.
    bool composed_by_model = true;
    std::string frames;   ///< a folder for pictures of the display; empty: none are taken
    unsigned every = 60;  ///< frames from one picture to the next; there is one of the first
};

/// "640x480". Throws UserError, naming the option, for what is no size of a display.
std::pair<unsigned, unsigned> display_size(const std::string& text);

/// The line of a compositor's log that names what draws: empty when there is none (yet).
std::string renderer_in_log(const std::string& log);
/// The X11 display that a compositor's log says it listens on (":0"); empty when none (yet).
std::string x_display_in_log(const std::string& log);

/// Counts the frames that a compositor says it has shown, as its words come in (JSON, a line each).
class FrameCount {
  public:
    void add(const std::string& words);
    unsigned frames() const { return frames_; }

  private:
    std::string rest_;  ///< the beginning of a line
    unsigned frames_ = 0;
};

/// When pictures are due: of the first frame, and of each Nth after a picture. To take one makes
/// frames: those that are shown meanwhile do not count.
class PictureTimes {
  public:
    explicit PictureTimes(unsigned every) : every_(every) {}
    bool due(unsigned frames) const { return frames >= next_; }
    void taken(unsigned frames) { next_ = frames + every_; }

  private:
    unsigned every_, next_ = 1;
};

/// A display in memory for programs that want one: weston without a screen, with Xwayland. All its
/// processes and files go with it.
class Display {
  public:
    /// `of_model`: variables that lead a program to the model. Throws UserError without weston.
    Display(const DisplayWish& wish, const Variables& of_model);
    ~Display();
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    /// Looks whether programs can come; does not wait. Throws UserError when it has ended, or draws
    /// by another driver than Intel's.
    bool ready();
    /// Tells the person watching what draws.
    std::string renderer() const;
    /// Variables for a program on it.
    Variables variables(Variables of_model) const;
    /// Takes pictures. False: the display is gone.
    bool look_after();
    void terminate();
    bool ended();

    pid_t process() const { return compositor_->process(); }
    /// Says what came of the pictures. `in_vain`: the model could not compose them.
    std::string frames_text(bool in_vain) const;
    /// The compositor said this last.
    std::string last_words() const;

  private:
    std::string log() const;
    void keep_picture();
    void count_frames();
    /// Starts a program of weston's that speaks to it; its output goes to a file of our folder.
    void start(std::optional<ChildProgram>& program, const std::vector<std::string>& words,
               const char* output) const;

    DisplayWish wish_;
    TemporaryFolder folder_{"gen9sim-display-"};
    std::optional<ChildProgram> compositor_, counter_, camera_;
    FrameCount count_;
    std::streamoff counted_ = 0;  ///< bytes of the compositor's words
    PictureTimes times_;
    std::vector<std::string> pictures_;
    bool ending_ = false;
};

/// A program and, where it wants one, the display that it is started on.
class ProgramOnDisplay {
  public:
    /// Throws UserError when either cannot be started.
    ProgramOnDisplay(std::vector<std::string> words, Variables variables,
                     const std::optional<DisplayWish>& wish);
    /// Whether both have ended; does not wait. Throws UserError when the display does not come up.
    bool ended();
    void terminate();
    /// The program has this status once it has ended.
    int exit_status() const { return program_->exit_status(); }
    int end_signal() const { return program_->end_signal(); }
    const std::optional<Display>& display() const { return display_; }
    /// The display ended before the program.
    bool display_lost() const { return display_lost_; }

  private:
    std::vector<std::string> words_;
    Variables variables_;
    std::optional<Display> display_;
    std::optional<ChildProgram> program_;
    bool stopping_ = false, display_lost_ = false;
};

}  // namespace gen9::platform
