# SPDX-License-Identifier: Apache-2.0
"""How a kernel is built for the model: the compiler's options, and what the generator must know of them."""
from typing import NamedTuple

ALWAYS = "-cl-fp32-correctly-rounded-divide-sqrt"
STANDARD = {"host": "-cl-std=CL1.2", "memory": "-cl-std=CL1.2", "half": "-cl-std=CL1.2", "sub-groups": "-cl-std=CL3.0", "images": "-cl-std=CL1.2"}


class Build(NamedTuple):
    extra: str = ""  # options besides those that every kernel is built with

    def options(self, kind):
        """What Intel's compiler is told."""
        return " ".join(filter(None, [*self.plain(kind).split(), *(o for o in self.extra.split() if not o.startswith("-cl-std="))]))

    def plain(self, kind):
        """What the compiler is told that it is compared with: the language only."""
        standard = [o for o in self.extra.split() if o.startswith("-cl-std=")]
        return f"{standard[-1] if standard else STANDARD[kind]} {ALWAYS}"

    @property
    def unoptimised(self):
        """D-13: of a negated vector of floats and of a converted vector of constants the first element only is made."""
        return "-cl-opt-disable" in self.extra.split()

    @property
    def integers_only(self):
        """With these options a float's value is no longer defined to the bit."""
        return bool({"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-cl-mad-enable", "-cl-finite-math-only",
                     "-cl-denorms-are-zero"} & set(self.extra.split()))
