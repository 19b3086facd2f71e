// SPDX-License-Identifier: Apache-2.0
// A plugin of a version that there never was; adding its models would end the test.
extern "C" const char* gen9_plugin_version() {
    return "gen9sim 0.1 plugin 3";
}
extern "C" void gen9_plugin_register(void*) {
    __builtin_trap();
}
