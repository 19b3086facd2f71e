// SPDX-License-Identifier: Apache-2.0
#include "platform/host/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "common/check.h"

namespace gen9::platform {
namespace {

namespace fs = std::filesystem;

/// Sets TMPDIR for a test, or takes it away.
class TemporaryFolderTest : public testing::Test {
  protected:
    TemporaryFolderTest() {
        if (const char* value = std::getenv("TMPDIR")) before_ = value;
        unsetenv("TMPDIR");
    }
    ~TemporaryFolderTest() override {
        before_ ? setenv("TMPDIR", before_->c_str(), 1) : unsetenv("TMPDIR");
    }

  private:
    std::optional<std::string> before_;
};

TEST_F(TemporaryFolderTest, LivesAsLongAsItsObjectWithAllThatIsInIt) {
    std::string path;
    {
        const TemporaryFolder folder("gen9sim-test-"), other("gen9sim-test-");
        path = folder.path();
        EXPECT_NE(path, other.path());
        EXPECT_TRUE(fs::is_directory(path));
        fs::create_directory(path + "/a");
        std::ofstream(path + "/a/b") << "text";
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, IsWhereTheUserWantsIt) {
    const TemporaryFolder chosen("gen9sim-test-");
    setenv("TMPDIR", chosen.path().c_str(), 1);
    const TemporaryFolder folder("inner-");
    EXPECT_EQ(folder.path().find(chosen.path() + "/inner-"), 0u);
    setenv("TMPDIR", (chosen.path() + "/none").c_str(), 1);
    EXPECT_THROW(TemporaryFolder("inner-"), UserError);
}

/// A folder whose owner is killed; its path. `holder`: a process that the owner has forked, and
/// that lives on until it is killed.
std::string abandoned(const std::string& prefix, pid_t* holder = nullptr) {
    struct Told {
        pid_t holder;
        char path[256];
    };
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t owner = fork();
    if (owner == 0) {
        const TemporaryFolder folder(prefix);
        std::ofstream(folder.path() + "/file") << "text";
        Told told{};
        if (holder) told.holder = fork();
        if (holder && told.holder == 0)
            for (;;)
                pause();
        std::strncpy(told.path, folder.path().c_str(), sizeof told.path - 1);
        [[maybe_unused]] const auto written = write(ends[1], &told, sizeof told);
        raise(SIGKILL);
    }
    Told told{};
    EXPECT_EQ(read(ends[0], &told, sizeof told), static_cast<ssize_t>(sizeof told));
    close(ends[0]);
    close(ends[1]);
    waitpid(owner, nullptr, 0);
    if (holder) *holder = told.holder;
    return told.path;
}

TEST_F(TemporaryFolderTest, TheNextRemovesThoseWhoseOwnersWereKilled) {
    const TemporaryFolder chosen("gen9sim-test-");
    setenv("TMPDIR", chosen.path().c_str(), 1);
    const TemporaryFolder alive("inner-");
    const std::string other = abandoned("other-"), path = abandoned("inner-");
    ASSERT_TRUE(fs::exists(path + "/file"));
    const TemporaryFolder next("inner-");
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(alive.path()));
    EXPECT_TRUE(fs::exists(other)) << "it has another prefix";
}

TEST_F(TemporaryFolderTest, AFolderStaysWhileAProcessOfItsOwnerLives) {
    const TemporaryFolder chosen("gen9sim-test-");
    setenv("TMPDIR", chosen.path().c_str(), 1);
    pid_t holder = 0;
    const std::string path = abandoned("inner-", &holder);
    { const TemporaryFolder next("inner-"); }
    EXPECT_TRUE(fs::exists(path + "/file"));
    ASSERT_EQ(kill(holder, SIGKILL), 0);
    for (unsigned i = 0; i < 500 && fs::exists(path); ++i) {
        const TemporaryFolder next("inner-");
        usleep(10'000);
    }
    EXPECT_FALSE(fs::exists(path));
}

// A link to a folder, a file, a folder without a lock, and one whose lock is a link.
TEST_F(TemporaryFolderTest, WhatIsNoFolderOfARunStays) {
    const TemporaryFolder chosen("gen9sim-test-");
    setenv("TMPDIR", chosen.path().c_str(), 1);
    const std::string in = chosen.path() + "/";
    fs::create_directory(in + "target");
    std::ofstream(in + "target/.lock") << "";
    fs::create_symlink("target", in + "inner-link");
    std::ofstream(in + "inner-file") << "text";
    fs::create_directory(in + "inner-bare");
    fs::create_directory(in + "inner-linked");
    fs::create_symlink("../target/.lock", in + "inner-linked/.lock");
    { const TemporaryFolder next("inner-"); }
    for (const char* name : {"target/.lock", "inner-file", "inner-bare", "inner-linked/.lock"})
        EXPECT_TRUE(fs::exists(in + name)) << name;
    EXPECT_TRUE(fs::is_symlink(in + "inner-link"));
}

}  // namespace
}  // namespace gen9::platform
