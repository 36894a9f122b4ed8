#!/usr/bin/env python3
"""Makes a wheel of compiled files: after `pip install alesia-*.whl`, without cargo or a compiler,
there are the programs `alesia` and `alesia-lab`, and `import alesia`.

    tools/release/wheel.py TARGET BUILT LICENCES OUT

TARGET is Rust's name of the machine, BUILT the folder with both programs and the extension for
Python, stripped, LICENCES a text with those of the libraries in them, OUT the folder that gets the
wheel. The same files give the same bytes; their time
is SOURCE_DATE_EPOCH, if it is set. Needs Python 3.11.
"""

import base64
import hashlib
import os
import re
import sys
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "tools/python"
# Of each machine: the tag of its wheels (of Linux without the version of glibc), how names of
# programs end, and what the extension is called when it is compiled and in the package.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("manylinux_{}_x86_64", "", "libalesia_python.so", "_native.abi3.so"),
    "aarch64-unknown-linux-gnu": ("manylinux_{}_aarch64", "", "libalesia_python.so", "_native.abi3.so"),
    "x86_64-pc-windows-gnu": ("win_amd64", ".exe", "alesia_python.dll", "_native.pyd"),
    "i686-pc-windows-gnu": ("win32", ".exe", "alesia_python.dll", "_native.pyd"),
}
# Python 3.10 and later, as the feature of pyo3 in tools/python/Cargo.toml says.
PYTHON = "cp310-abi3"
EARLIEST = 315532800  # 1980, the first year of a zip file


def fail(reason):
    sys.exit(f"wheel.py: {reason}")


def metadata(project, version):
    """What pip knows of the package, from pyproject.toml."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
    ]
    lines += [f"Classifier: {line}" for line in project["classifiers"]]
    for extra, needs in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {need} ; extra == '{extra}'" for need in needs]
    return "\n".join([*lines, ""])


def newest_glibc(files):
    """The version of glibc that the files need, as 2_34."""
    versions = {int(n) for data in files for n in re.findall(rb"GLIBC_2\.(\d+)", data)}
    return f"2_{max(versions, default=17)}"


def main():
    if len(sys.argv) != 5:
        fail("expected TARGET BUILT LICENCES OUT")
    target, (built, licences, out) = sys.argv[1], map(Path, sys.argv[2:])
    if target not in TARGETS:
        fail(f"TARGET: found {target}, expected one of {', '.join(TARGETS)}")
    tag, suffix, compiled, extension = TARGETS[target]
    with open(ROOT / "Cargo.toml", "rb") as file:
        version = tomllib.load(file)["workspace"]["package"]["version"]
    with open(PACKAGE / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    binaries = {f"alesia/{extension}": compiled}
    for program in ("alesia", "alesia-lab"):
        binaries[f"alesia-{version}.data/scripts/{program}{suffix}"] = program + suffix
    files = {}
    for name, own in binaries.items():
        if not (built / own).is_file():
            fail(f"BUILT: found no {own} in {built}")
        files[name] = (built / own).read_bytes()
    tag = f"{PYTHON}-{tag.format(newest_glibc(files.values()))}"
    for path in sorted((PACKAGE / "python/alesia").rglob("*")):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            files[path.relative_to(PACKAGE / "python").as_posix()] = path.read_bytes()
    info = f"alesia-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: alesia\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/licenses/{licences.name}"] = licences.read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    moment = time.gmtime(max(EARLIEST, int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST))))[:6]
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"alesia-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in binaries else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    print(f"{wheel.stat().st_size} {wheel}")


main()
