"""Writes launches.h: for each kernel entry a struct of its arguments and a function that launches it.

Part of embed.py; src/compute/launch.h describes the structs.
"""
import os

from kernel_text import KernelError

NUMBERS = {"int": "int32_t", "uint": "uint32_t", "long": "int64_t", "ulong": "uint64_t", "float": "float",
           "double": "double", "real": "double"}


def struct_of(argument):
    return "struct " + argument.type.removeprefix("struct ")


def member(argument):
    if argument.is_pointer:
        return f"struct shoal_buffer *{argument.name};" + " /* or NULL */" * argument.or_null
    if argument.is_struct:
        return f"const {struct_of(argument)} *{argument.name};"
    return f"{NUMBERS[argument.type]} {argument.name};"


def kind(argument):
    return "BUFFER" if argument.is_pointer else "STRUCT" if argument.is_struct else argument.type.upper()


def launch_lines(entry):
    """The struct and the function for `entry`, which has at least one argument."""
    name = entry.name
    yield f"struct {name}_args {{"
    for argument in entry.args:
        yield f"    {member(argument)}"
    yield "} LAUNCH_BY_NAME;"
    yield f"""SHOAL_MUST_CHECK static inline enum shoal_status
launch_{name}(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
    const struct {name}_args *values, struct shoal_event **event, struct shoal_error *error)
{{
    static const struct launch_member members[] = {{"""
    for argument in entry.args:
        or_null = "true" if argument.or_null else "false"
        yield f"        {{offsetof(struct {name}_args, {argument.name}), SHOAL_TYPE_{kind(argument)}, {or_null}}},"
    names = "".join(argument.name + " " for argument in entry.args)
    yield f"""    }};
    static const struct launch_args args = {{"{name}", "{names}", members, {len(entry.args)}}};
    return launch_with(queue, kernel, groups, &args, values, event, error);
}}"""


def launches_text(contracts):
    """The text of launches.h. contracts: (embedded name, entries) of each .cl file. Entries of the same name, in files
    that are alternatives to one another, must have the same arguments."""
    lines, written, structs = [], {}, set()
    for name, entries in contracts:
        lines += ["", f"/* {name} */"]
        for entry in entries.values():
            other = written.setdefault(entry.name, entry)
            if other is not entry and entry.difference(other):
                raise KernelError(entry.file, entry.line, f"{entry.difference(other)} as in {os.path.basename(other.file.path)}")
            if other is entry and entry.args:
                structs.update(struct_of(argument) for argument in entry.args if argument.is_struct)
                lines += launch_lines(entry)
    return "\n".join(["/* Made by tools/embed.py: compute/launch.h says what it holds. */",
                      *(f"{struct};" for struct in sorted(structs)), *lines]) + "\n"
