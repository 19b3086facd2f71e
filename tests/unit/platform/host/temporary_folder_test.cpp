// SPDX-License-Identifier: Apache-2.0
#include "platform/host/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
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

}  // namespace
}  // namespace gen9::platform
