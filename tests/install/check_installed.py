#!/usr/bin/env python3
"""Installs the build into a temporary folder and uses it as other programs would.

usage: check_installed.py MESON SOURCE BUILD PREFIX INCLUDEDIR LIBDIR DATADIR BINDIR VERSION PYTHON PACKAGES CC...

PYTHON: that of the package, which is in the folder PACKAGES; empty: it is not built.
"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import tap

ALLOWED_LIBRARIES = re.compile(r"^(libOpenCL|libz|libcjson|libm|libc|libdl|libpthread|libgomp|libomp|ld-linux[-\w]*)\.so(\.\d+)*$")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
# Links of pages; measurements and what is for those who change shoal are in the source tree alone.
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
SOURCE_ONLY = re.compile(r"^(?:CONTRIBUTING\.md$|bench/)")
# By the compiler of the build.
STANDARDS = {"gcc": [("gcc", "c11"), ("g++", "c++17")], "clang": [("clang", "c11"), ("clang++", "c++17")]}


class Tree:
    """Where the parts of an installation are."""

    def __init__(self, destination, prefix, include, lib, data, bin_):
        self.prefix = destination + prefix
        self.include = os.path.join(self.prefix, include)
        self.lib = os.path.join(self.prefix, lib)
        self.kernels = os.path.join(self.prefix, data, "shoal", "cl")
        self.doc = os.path.join(self.prefix, data, "doc", "shoal")
        self.man = os.path.join(self.prefix, data, "man", "man1")
        self.command = os.path.join(self.prefix, bin_, "shoal")
        self.library = os.path.join(self.lib, "libshoal.so")
        # Installed below a temporary folder, hence two hints that a real installation does not need.
        # The examples run for longer than they compile their kernels, so these are optimised in every setup.
        self.env = dict(os.environ, LD_LIBRARY_PATH=self.lib, PKG_CONFIG_PATH=os.path.join(self.lib, "pkgconfig"))
        self.env.pop("POCL_EXTRA_BUILD_FLAGS", None)

    def pkg_config(self, *words):
        out, problem = tap.run(["pkg-config", f"--define-variable=prefix={self.prefix}", *words, "shoal"],
                               env=self.env)
        return (out or "").split(), problem


def files_below(folder, endings):
    return sorted(os.path.relpath(os.path.join(at, name), folder)
                  for at, _, names in os.walk(folder) for name in names if name.endswith(endings))


def difference(wanted, found):
    return "\n".join([f"missing: {name}" for name in sorted(set(wanted) - set(found))] +
                     [f"should not be there: {name}" for name in sorted(set(found) - set(wanted))])


def check_files(tree, source, version):
    headers = files_below(os.path.join(source, "include", "shoal"), (".h",)) + ["philox.clh"]
    tap.case("public headers", difference(headers, files_below(os.path.join(tree.include, "shoal"), ("",))))
    kernels = files_below(os.path.join(source, "cl"), (".cl", ".clh"))
    tap.case("kernel files", difference(kernels, files_below(tree.kernels, ("",))))
    words, problem = tree.pkg_config("--variable=cldir")
    tap.case("pkg-config: cldir", problem or difference([tree.kernels], words))
    words, problem = tree.pkg_config("--modversion")
    tap.case("pkg-config: version", problem or difference([version], words))
    words, problem = tree.pkg_config("--libs")
    tap.case("pkg-config: shared link names libshoal alone",
             problem or difference(["-lshoal"], [word for word in words if word.startswith("-l")]))
    words, problem = tree.pkg_config("--static", "--libs")
    tap.case("pkg-config: static link names what libshoal needs",
             problem or difference({"-lshoal", "-lOpenCL", "-lz"}, {"-lshoal", "-lOpenCL", "-lz"} & set(words)))


def dead_links(folder, pages):
    """Those of installed pages to files that are not installed, nor left to the source tree."""
    dead = []
    for page in pages:
        with open(os.path.join(folder, page), encoding="utf-8") as file:
            links = LINK.findall(file.read())
        for link in sorted(set(links)):
            path = os.path.normpath(os.path.join(os.path.dirname(page), link))
            if not (re.match(r"[a-z]+:", link) or SOURCE_ONLY.match(path) or os.path.exists(os.path.join(folder, path))):
                dead.append(f"{page}: {link}")
    return "\n".join(dead)


def check_documents(tree, source):
    pages = ["README.md"] + [f"docs/{name}" for name in files_below(os.path.join(source, "docs"), (".md",))]
    pictures = [f"docs/{name}" for name in files_below(os.path.join(source, "docs"), (".svg", ".png"))]
    examples = [f"examples/{name}" for name in files_below(os.path.join(source, "examples"), (".c", ".clh", ".ini", ".ipynb"))]
    found = files_below(tree.doc, ("",))
    tap.case("documents and examples", difference(pages + pictures + examples + ["LICENSE"], found))
    tap.case("links between documents", dead_links(tree.doc, [name for name in found if name.endswith(".md")]))


def check_library(tree, build):
    symbols, problem = tap.run(["nm", "-D", "--defined-only", tree.library])
    names = [line.split()[-1] for line in (symbols or "").splitlines()]
    strangers = [name for name in names if not name.startswith("shoal_")]
    tap.case("exported symbols begin with shoal_", problem or "\n".join(strangers))
    declared = set()
    for header in files_below(os.path.join(tree.include, "shoal"), (".h",)):
        with open(os.path.join(tree.include, "shoal", header), encoding="ascii") as file:
            declared |= set(re.findall(r"\bSHOAL_API\b.*?\b(shoal_\w+)\(", file.read(), re.DOTALL))
    tap.case("every declared function is exported, and nothing else", problem or difference(declared, names))

    dynamic, problem = tap.run(["readelf", "-d", tree.library])
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic or "")
    tap.case("libshoal needs only the ICD loader, zlib, cJSON, libc and OpenMP",
             problem or "\n".join(name for name in needed if not ALLOWED_LIBRARIES.match(name)))
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", dynamic or "")
    tap.case("soname", problem or difference(["libshoal.so.0.1"], soname))
    # clang adds one to its OpenMP library.
    tap.case("no run path leads into the build folder", build if build in (dynamic or "") else None)


def check_run_paths(name, program, wanted):
    """A relative one would be looked for in whatever folder the program is called in."""
    dynamic, problem = tap.run(["readelf", "-d", program])
    paths = [path for paths in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic or "") for path in paths.split(":")]
    # A compiler may add the folder of its OpenMP, as clang does.
    more = [path for path in paths[len(wanted):] if not path.startswith("/")]
    tap.case(f"run path of the {name} command", problem or difference(wanted, paths[:len(wanted)] + more))


def check_headers(tree, used, folder):
    headers = files_below(os.path.join(tree.include, "shoal"), (".h",))
    for compiler, standard in STANDARDS["clang" if "clang" in os.path.basename(used[-1]) else "gcc"]:
        if not tap.have(compiler):
            tap.skip(f"headers with {compiler} as {standard}", f"{compiler} is not installed")
            continue
        for header in headers:
            file = os.path.join(folder, "header.c" if standard == "c11" else "header.cpp")
            with open(file, "w", encoding="ascii") as out:
                # Twice: include guards. An empty translation unit is no C.
                out.write(f"#include <shoal/{header}>\n#include <shoal/{header}>\nextern int something;\n")
            _, problem = tap.run([compiler, f"-std={standard}", *WARNINGS, "-I", tree.include, "-fsyntax-only", file])
            tap.case(f"{header} alone with {compiler} as {standard}", problem)


def check_command(tree, version):
    out, problem = tap.run([tree.command, "--generate", "man"], env=tree.env)
    pages = ["shoal"] + [name.replace("\\-", "-") for name in re.findall(r"^\.BR (\S+) \(1\)", out or "", re.MULTILINE)]
    tap.case("man pages", problem or difference([name + ".1" for name in pages], files_below(tree.man, ("",))))
    out, problem = tap.run([tree.command, "--version"], env=tree.env)
    tap.case("shoal --version", problem or (None if version in out else f"no {version} in: {out}"))
    out, problem = tap.run([tree.command, "devices"], env=tree.env)
    tap.case("shoal devices", problem or (None if re.search(r"\bhost\b", out) else f"no host device in: {out}"))


def build_example(tree, compiler, folder, name, words):
    program = os.path.join(folder, name)
    example = os.path.join(tree.doc, "examples", name.split("-")[0] + ".c")
    _, problem = tap.run([*compiler, "-std=c11", *WARNINGS, example, "-o", program, *words], env=tree.env)
    tap.case(f"build {name}", problem)
    return None if problem else program


def check_run(name, program, env, wanted):
    if program is None:
        return
    out, problem = tap.run([program] if isinstance(program, str) else program, env=env)
    tap.case(name, problem or (None if re.search(wanted, out) else f"unexpected output: {out}"))


def check_embedding(tree, compiler, folder):
    flags, _ = tree.pkg_config("--cflags", "--libs")
    shared = build_example(tree, compiler, folder, "embed-shared", flags)
    # The linker prefers a shared library of the same name, so the static link gets a folder without one.
    static_only = os.path.join(folder, "static")
    os.mkdir(static_only)
    os.symlink(os.path.join(tree.lib, "libshoal.a"), os.path.join(static_only, "libshoal.a"))
    flags, _ = tree.pkg_config("--static", "--cflags", "--libs")
    static = build_example(tree, compiler, folder, "embed-static",
                           ["-L" + static_only, *[word for word in flags if word != "-L" + tree.lib]])
    if static:
        out, problem = tap.run(["readelf", "-d", static])
        tap.case("embed-static holds libshoal", problem or (out if "libshoal" in out else None))
    # Without a driver the first device is the host.
    hosts = dict(tree.env, OCL_ICD_VENDORS="/nonexistent", CUDA_VISIBLE_DEVICES="")
    for name, program in [("shared", shared), ("static", static)]:
        check_run(f"embed-{name} on the first device", program, tree.env, r"best value found: \d")
        check_run(f"embed-{name} on the host", program, hosts, r"best value found: \d")


def check_own_prefix(tree, folder):
    """The lines of docs/embedding.md for a prefix of one's own, without the setting of any variable but theirs. The
    pkg-config file knows the prefix without the temporary folder, so a script of that name adds it."""
    with open(os.path.join(tree.doc, "docs", "embedding.md"), encoding="utf-8") as file:
        shown = re.search(r"^(export PKG_CONFIG_PATH=)\S+\n(cc embed\.c .*\n)(\./embed\n)", file.read(), re.MULTILINE)
    tap.case("docs/embedding.md says what a prefix of one's own needs", None if shown else "its lines are not there")
    if not shown:
        return
    at = os.path.join(folder, "own")
    os.mkdir(at)
    with open(os.path.join(at, "pkg-config"), "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nexec {shutil.which("pkg-config")} --define-variable=prefix={tree.prefix} "$@"\n')
    os.chmod(os.path.join(at, "pkg-config"), 0o755)
    shutil.copy(os.path.join(tree.doc, "examples", "embed.c"), at)
    env = {name: value for name, value in tree.env.items() if name not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH")}
    env["PATH"] = at + os.pathsep + env["PATH"]
    lines = f"cd {at} && {shown[1]}{os.path.join(tree.lib, 'pkgconfig')}\n{shown[2]}"
    _, problem = tap.run(["sh", "-ec", lines], env=env)
    tap.case("a program is built as docs/embedding.md says", problem)
    if not problem:
        check_run("it finds the library by its run path", os.path.join(at, "embed"), env, r"best value found: \d")


def check_optimisers(tree, compiler, folder):
    flags, _ = tree.pkg_config("--cflags", "--libs")
    for name, wanted in [("optimise", r"^portfolio: target after \d+ evaluations: least value \S+ at 1\.0000"),
                         ("ask_tell", r"^iterations after 2020 evaluations: least value \d"),
                         ("tell_values", r"^target after \d+ evaluations: least value \S+ at "),
                         ("tsp", r"\nfrom city \d+ to city \d+ and on: \d"),
                         ("mlp", r"^score of rows that the net has not seen: 0\.\d+\na row of one bit is of class \d"),
                         # It follows the stream before and after its change, which the loss between them shows.
                         ("mlp_trainer", r"update 2000: mean loss 0\.003\d+\nupdate 2500: mean loss 0\.01\d+\n"
                                         r"(?:.*\n)+update 4000: mean loss 0\.003\d+\n161 weights")]:
        check_run(f"{name} finds its optimum", build_example(tree, compiler, folder, name, [*flags, "-lm"]),
                  tree.env, wanted)
    check_run("gemm multiplies matrices", build_example(tree, compiler, folder, "gemm", flags), tree.env,
              r"^1\.25 0\n2\.25 0\n0 3\n0\.25 3\.5$")


def check_python(tree, python, folder):
    if not python:
        tap.skip("the Python package", "it is not built: no Python with cffi and NumPy")
        return
    # The package finds the library of its own tree, without help of the environment.
    env = {name: value for name, value in tree.env.items() if name not in ("LD_LIBRARY_PATH", "SHOAL_LIBRARY")}
    env.update(PYTHONPATH=folder, PYTHONDONTWRITEBYTECODE="1")
    out, problem = tap.run([python, "-c", "import shoal\nprint(shoal._library._name_of_library())\n"
                            "print(shoal.minimise('sphere', dim=2, evaluations=99).fun)"], env=env)
    wanted = rf"{re.escape(os.path.realpath(tree.lib))}/libshoal\.so\.\S+\n\d\.?\d*"
    tap.case("the installed Python package minimises by the library of its tree", problem or (None if re.match(wanted, out) else out))


def check_dumped_kernel(tree, compiler, folder):
    dump = os.path.join(folder, "kernels")
    _, problem = tap.run([tree.command, "kernels", "--dump", dump], env=tree.env)
    kernel = os.path.join(dump, "lib", "reduce.cl")
    tap.case("shoal kernels --dump", problem or (None if os.path.exists(kernel) else f"there is no {kernel}"))
    program = build_example(tree, compiler, folder, "plain_opencl", ["-lOpenCL"])
    if program:
        check_run("plain_opencl runs the dumped kernel", [program, kernel], tree.env, r"^sum 4500000$")


def main():
    meson, source, build, prefix, include, lib, data, bin_, version, python, python_folder, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="shoal-install-") as folder:
        destination = os.path.join(folder, "root")
        _, problem = tap.run([meson, "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", destination])
        tap.case("meson install", problem)
        if not problem:
            tree = Tree(destination, prefix, include, lib, data, bin_)
            tree.env["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
            check_files(tree, source, version)
            check_documents(tree, source)
            check_library(tree, build)
            installed = os.path.join(prefix, lib)
            check_run_paths("built", os.path.join(build, "tools", "shoal"), ["$ORIGIN/..", installed])
            check_run_paths("installed", tree.command, [installed])
            check_headers(tree, compiler, folder)
            check_command(tree, version)
            check_embedding(tree, compiler, folder)
            check_own_prefix(tree, folder)
            check_optimisers(tree, compiler, folder)
            check_dumped_kernel(tree, compiler, folder)
            check_python(tree, python, destination + python_folder)
    tap.done()


main()
