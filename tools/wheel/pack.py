#!/usr/bin/env python3
"""Packs the Python package and the library of a build folder into a wheel, before auditwheel adds other libraries.

usage: pack.py BUILD README FOLDER

Prints the path of the wheel in FOLDER, then what drivers devices need. The package has no compiled modules, so the wheel suits every Python 3.9 and later
of this platform.
"""
import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

DRIVERS = ("Drivers are not in the package: an NVIDIA GPU needs NVIDIA's driver and NVRTC (pip: nvidia-cuda-nvrtc) or its "
           "OpenCL; other GPUs need the OpenCL driver of their vendor, processors pocl-opencl-icd; the device host needs none.")
METADATA = """Metadata-Version: 2.1
Name: shoal
Version: {version}
Summary: Searches, fits, tours, nets and molecular dynamics on any OpenCL or CUDA device
License: Apache-2.0
Requires-Python: >=3.9
Requires-Dist: cffi>=1.14
Requires-Dist: numpy>=1.19
Description-Content-Type: text/markdown

{drivers}

{readme}"""
WHEEL = """Wheel-Version: 1.0
Generator: shoal
Root-Is-Purelib: false
Tag: {tag}
"""


def recorded(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main():
    build, readme, folder = map(pathlib.Path, sys.argv[1:])
    package = build / "python" / "shoal"
    bindings = (package / "_bindings.py").read_text(encoding="ascii")
    version, library = (re.search(rf'^{name} = "(.*)"$', bindings, re.MULTILINE)[1] for name in ("VERSION", "LIBRARY"))
    tag = "py3-none-" + re.sub(r"\W", "_", sysconfig.get_platform())
    info = f"shoal-{version}.dist-info"
    files = {f"shoal/{path.relative_to(package)}": path.read_bytes() for path in sorted(package.rglob("*"))
             if path.suffix in (".py", ".pyi", ".typed")}
    files[f"shoal/lib/{library}"] = (build / library).read_bytes()
    text = METADATA.format(version=version, drivers=DRIVERS, readme=readme.read_text(encoding="utf-8"))
    files[f"{info}/METADATA"] = text.encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=tag).encode()
    record = "".join(recorded(name, data) for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = folder / f"shoal-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    print(path)
    print(DRIVERS)


if __name__ == "__main__":
    main()
