// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

/// First line of a test: the ledger rows (docs/ledger.csv) whose rule it would catch being broken.
#define GEN9_COVERS(rows) ::testing::Test::RecordProperty("covers", rows)
