# SPDX-License-Identifier: Apache-2.0
"""advertised_page.py GEN9SIM SOURCE: docs/drawing.md names every extension and feature that anv advertises on the model (vulkaninfo), as
used or as unused, and no other; what it says uses them is there. Status 77 without vulkaninfo."""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, source = sys.argv[1], pathlib.Path(sys.argv[2])
if not shutil.which("vulkaninfo"):
    print("skipped: vulkaninfo is not installed")
    sys.exit(77)

done = run(gen9sim, "run", "--timing", "functional", "--", "vulkaninfo",
           environment={"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/intel_icd.x86_64.json"})
expect(done.returncode == 0 and "INTEL_OPEN_SOURCE_MESA" in done.stdout, f"status {done.returncode}: {done.stderr[-500:]}")
# Layers have lists of extensions, too; the device's has no tab before its title.
listed = re.search(r"^Device Extensions: count = (\d+)\n(.*?)\n\n", done.stdout, re.MULTILINE | re.DOTALL)
extensions = set(re.findall(r"^\s+(VK_\w+)", listed[2], re.MULTILINE)) if listed else set()
expect(listed and len(extensions) == int(listed[1]) > 100, f"{len(extensions)} extensions")
features = set(re.findall(r"^\t(\w+) += true$", done.stdout[done.stdout.index("\nVkPhysicalDeviceFeatures:"):], re.MULTILINE))
expect(len(features) > 150 and "geometryShader" in features, f"{len(features)} features")

page = (source / "docs" / "drawing.md").read_text()
begin = page.index("\n## Vulkan\n")
middle, end = page.index("**Used by no program of ours**", begin), page.index("\nanv forgets to send", begin)
rows = re.findall(r"^\| (.*?) \| (.*?) \|$", page[begin:middle], re.MULTILINE)
used = {word for named, _ in rows for word in re.findall(r"VK_\w+|\b[a-z]+[A-Z0-9]\w*|\bmultiview\b", named)}
unused = set(re.findall(r"VK_\w+|\b[a-z]+[A-Z0-9]\w*", re.sub(r"`[^`]*`", "", page[middle:end])))
named = used | unused
for what, offered in (("extension", extensions), ("feature", features)):
    for name in sorted(offered - named):
        expect(False, f"docs/drawing.md has no {what} {name}")
for name in sorted(named - extensions - features):
    expect(False, f"docs/drawing.md names {name}, which anv does not offer")
for name in sorted(used & unused):
    expect(False, f"docs/drawing.md calls {name} used and unused")

# What uses them: scenes, cases and tests.
texts = "".join(file.read_text() for folder in ("vulkan", "vulkan/advertised") for file in (source / "tests" / "system" / folder).glob("*.cpp"))
programs = set(re.findall(r'\{\s*"(\w+)"', texts)) | set(re.findall(r"gen9_system_test\(([\w.]+)", (source / "tests" / "system" / "CMakeLists.txt").read_text()))
for _, users in rows:
    for user in re.findall(r"`([^`]+)`", users):
        expect(any(program.startswith(user) for program in programs), f"docs/drawing.md: there is no scene, case or test {user}")
print(f"{len(extensions)} extensions, {len(features)} features; unused: {len(unused)}")
finish()
