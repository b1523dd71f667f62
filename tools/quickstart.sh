#!/usr/bin/env bash
# Installs what is missing, builds shoal and compares every device of this machine.
set -euo pipefail

usage() {
    cat <<'END'
usage: tools/quickstart.sh [--build-dir DIR] [--no-install] [-- COMPARE-OPTION...]

Installs missing Debian or Ubuntu packages (as root or through sudo), builds shoal
and runs `shoal compare` on every device found, with a page of charts in the build
folder. Safe to run again at any time.

  --build-dir DIR   build there (default: build)
  --no-install      use what is installed, never call apt-get
  -h, --help        this text

What follows -- goes to `shoal compare`, for example: -- --device gpu --size large
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/packages.sh
. "$root/tools/packages.sh"

build=$root/build
install=yes
while [ $# -gt 0 ]; do
    case $1 in
    --build-dir)
        [ $# -ge 2 ] || { echo "--build-dir needs a folder" >&2; exit 2; }
        build=$(realpath -m -- "$2")
        shift
        ;;
    --no-install) install=no ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    *) echo "unknown option $1; see tools/quickstart.sh --help" >&2; exit 2 ;;
    esac
    shift
done
[ $install = yes ] || needs_programs meson ninja pkg-config
mkdir -p "$build"

echo "[1/3] packages"
if [ $install = yes ]; then
    install_packages "$build/packages.log" "${build_packages[@]}" "${run_packages[@]}"
else
    echo "    left as they are"
fi

echo "[2/3] build in $build"
if [ ! -e "$build/build.ninja" ]; then
    quietly "$build/setup.log" meson setup -Dtests=false "$build" "$root"
elif [ ! -e "$build/python/shoal" ]; then
    # The folder was set up before cffi and NumPy were installed.
    quietly "$build/setup.log" meson setup --reconfigure "$build" "$root"
fi
began=$SECONDS
quietly "$build/build.log" ninja --quiet -C "$build"

echo "[3/3] shoal compare (the first run also compiles the kernels)"
[ $((SECONDS - began)) -lt 10 ] || echo "    The load that it shows is that of the build; run this again for one without it."
echo
page=$build/compare.html
case " $* " in *" --html"*) page= ;; esac
"$build/tools/shoal" compare ${page:+--html "$page"} "$@"
cat <<END

Done in $SECONDS s.${page:+ The same as a page with charts: $page}
Next:
    $build/tools/shoal devices        what was found, and why something was not
    $build/tools/shoal pso --help     one workload on a device of your choice
    PYTHONPATH=$build/python python3  then \`import shoal\`: docs/python.md
    meson install -C $build           install command, library, headers and kernels
END
