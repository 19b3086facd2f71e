// SPDX-License-Identifier: Apache-2.0
// SystemC 2.3.4 tells AddressSanitizer of every change of stack, but gives no bounds for the stack
// of the main thread. From then on an exception there may be reported as an error of memory
// (sanitizers issue 189). This stands between the two and gives the bounds.
#ifdef GEN9_SANITIZED

#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>

namespace {

struct Bounds {
    void* bottom = nullptr;
    std::size_t size = 0;
};

Bounds this_threads_stack() {
    Bounds bounds;
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
    pthread_attr_getstack(&attributes, &bounds.bottom, &bounds.size);
    pthread_attr_destroy(&attributes);
    return bounds;
}

using Switch = void(void** fake_stack, const void* bottom, std::size_t size);

}  // namespace

extern "C" void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                               std::size_t size) {
    static const auto start =
        reinterpret_cast<Switch*>(dlsym(RTLD_NEXT, "__sanitizer_start_switch_fiber"));
    if (start == nullptr) return;  // another sanitizer
    static const Bounds main_stack = this_threads_stack();
    if (size == 0) return start(fake_stack, main_stack.bottom, main_stack.size);
    start(fake_stack, bottom, size);
}

#endif
