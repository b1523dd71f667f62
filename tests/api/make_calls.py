#!/usr/bin/env python3
"""Writes calls.c: each function of the public headers as a call with arguments that can be left out one by one.

usage: make_calls.py BINDINGS INCLUDE VALUES OUT DEPFILE HEADER...

BINDINGS is the folder of bindings.py, which reads the headers in INCLUDE, each HEADER and what it includes. VALUES, values.h, declares what stands for a
valid argument: valid_X() for a `struct X *` of the library, fill_X() for the members that a struct needs beside its
defaults, call_X() for a function type X. Numbers and texts have values by their names, below.
"""
import copy
import re
import sys

from pycparser import c_ast, c_generator, c_parser

TYPEDEFS = """typedef int bool; typedef unsigned long size_t; typedef int int32_t; typedef unsigned uint32_t;
typedef long int64_t; typedef unsigned long uint64_t; typedef unsigned char uint8_t; typedef unsigned short uint16_t;
typedef struct _cl_command_queue *cl_command_queue; typedef struct _cl_mem *cl_mem;
"""

# Types of OpenCL that are pointers.
HANDLES = ("cl_command_queue", "cl_mem")

# Values of numbers, texts and memory by the names of arguments, and by those of a function and an argument.
VALUES = {
    "path": 'valid_path()', "layout": "NULL", "name": '"sphere"', "selector": '"cpu"', "expression": '"sum(x[i]^2)"',
    "variables": '"x1-x2 real -1 1"', "text": "valid_text()", "function": '"sphere"', "file": '"lib/reduce.cl"',
    "columns": '"1"', "program": '"lib.reduce"', "define": '"WG"', "entry": "valid_entry()", "list": '"x1-x2 real -1 1"',
    "form": "NULL", "dim": "2", "capacity": "4096", "value": "64", "upper": "1", "lower": "-1", "steps": "1",
    "points": "1", "word": "0", "size": "4096", "bytes": "64", "queue": "valid_shoal_queue()", "max_n": "64", "n": "8",
    "groups": "1", "arg_count": "3", "end": "1", "count": "1", "items": "64", "most": "1", "neighbours": "5",
    "target_offset": "128", "threads": "1", "rows": "2", "pieces": "1", "real": "SHOAL_TYPE_FLOAT", "type": "SHOAL_TYPE_FLOAT", "variant": "SHOAL_VARIANT_CL",
    "shoal_build_ahead.runs": "valid_planned_run()",
    "shoal_table_choose.table": "valid_new_table()", "shoal_checkpoint_match.on_host": "1",
    "shoal_checkpoint_open.path": "valid_checkpoint_path()", "shoal_solver_load.path": "valid_checkpoint_path()",
    "shoal_evaluator_run.y": "valid_result_buffer()", "shoal_evaluator_run_changes.y": "valid_result_buffer()",
    "shoal_link_path_name.path": "SHOAL_LINK_HOST", "shoal_measure_link.from": "valid_host_device()",
    "shoal_measure_copies.from": "valid_host_device()", "shoal_measure_copies.samples": "3",
    "shoal_launch.arg_count": "valid_shoal_program_desc()->entries[0].arg_count",
    "shoal_mlp_model_save.path": "valid_model_path()", "shoal_mlp_save.path": "valid_model_path()",
    "shoal_mlp_preparation_can_save.path": "valid_model_path()",
    "shoal_mlp_trainer_update_buffers.trainer": "valid_device_trainer()", "shoal_objective_from_instance.function": '"tour"',
    "shoal_objective_with_constraints.objective": 'shoal_objective_find("sphere")',
    "shoal_objective_from_bbob.function": '"bbob-f1"', "shoal_objective_from_bbob.instance": "1",
    "shoal_objective_from_bbob_instances.functions": '&(const char *const){"bbob-f1"}', "shoal_objective_from_bbob_instances.instances": "&(const uint64_t){1}",
    "shoal_objective_from_instance.path": "valid_points_path()", "shoal_objective_from_instance.dim": "0",
    "shoal_objective_from_points.count": "4", "shoal_objective_from_text_table.text": "valid_table_text()",
    "shoal_objective_from_text_table.rows": "4", "shoal_objective_from_text_table.columns": "3",
    "shoal_optimise_choose.params": "valid_optimise_params()", "shoal_optimiser_load.path": "valid_optimiser_path()", "shoal_optimiser_load.optimiser": "valid_fitted_optimiser()", "shoal_optimiser_load_memory.optimiser": "valid_fitted_optimiser()", "shoal_optimiser_load_memory.bytes": "valid_optimiser_bytes()",
    "shoal_optimiser_load_memory.size": "valid_optimiser_size()", "shoal_optimiser_set_algorithm.name": '"pso"',
    "shoal_optimiser_fit.optimiser": "valid_fitted_optimiser()", "shoal_optimiser_tell.optimiser": "valid_asked_optimiser()",
    "shoal_optimiser_tell_ask.optimiser": "valid_asked_optimiser()", "shoal_optimiser_tell_ask.told": "valid_asked_count()",
    "shoal_optimiser_tell_value.optimiser": "valid_asked_optimiser()", "shoal_optimiser_tell_value.index": "0",
    "shoal_optimiser_tell_constrained.optimiser": "valid_constrained_optimiser()",
    "shoal_optimiser_tell_constrained.count": "valid_asked_count()",
    "shoal_optimiser_tell_value_constrained.optimiser": "valid_constrained_optimiser()",
    "shoal_optimiser_tell_value_constrained.index": "0", "violation": "0",
    "shoal_optimiser_missing.optimiser": "valid_asked_optimiser()",
    "shoal_optimiser_tell.count": "valid_asked_count()", "shoal_solver_end_stage.solver": 'valid_shoal_solver("gas")',
    "shoal_solver_follow.solver": "valid_new_gas_solver()", "shoal_gas_set_particles.solver": "valid_new_gas_solver()",
    "shoal_gas_set_particles.position": "valid_positions()", "shoal_gas_write_particles.solver": "valid_device_gas_solver()",
    "shoal_gas_get_quantity.name": '"temperature"',
    "shoal_gas_change.name": '"temperature"', "shoal_gas_change.value": "2", "shoal_gas_get_schedule.schedule": "valid_memory()",
    "shoal_opencl_queue_wrap.native": "shoal_opencl_queue_unwrap(valid_shoal_queue())",
    "shoal_opencl_buffer_wrap.native": "shoal_opencl_buffer_unwrap(valid_shoal_buffer())",
    "shoal_cuda_queue_wrap.native": "NULL", "shoal_cuda_buffer_wrap.native": "4096",
    "shoal_ranks_abort.ranks": "NULL",  # ends the process
    "shoal_dataset_from_memory.block_count": "1", "shoal_tsp_check.tour": "valid_tour()",
    "shoal_tsp_check.count": "8", "shoal_tsp_improve.tours": "valid_tour()", "shoal_tsp_improver_set.tours": "valid_tour()",
    "shoal_tsp_write_tour.tour": "valid_tour()", "shoal_tsp_read_tour.path": "valid_tour_path()",
    "shoal_tsp_read_tours.path": "valid_tour_path()",
    "shoal_tsp_read_tour_file.path": "valid_tour_path()", "shoal_tsp_write_history.solver": "valid_history_solver()",
}


def text_of(node):
    return c_generator.CGenerator().visit(node)


class Api:
    """The functions of the headers, and the structs that begin with their size."""

    def __init__(self, text):
        tree = c_parser.CParser().parse(TYPEDEFS + text)
        self.functions = []
        self.sized = set()
        self.whole = set()
        self.init = {}
        for item in tree.ext:
            if not isinstance(item, c_ast.Decl):
                continue
            if isinstance(item.type, c_ast.FuncDecl):
                self.functions.append(item)
            elif isinstance(item.type, c_ast.Struct) and item.type.decls:
                self.whole.add(item.type.name)
                if item.type.decls[0].name == "size" and not pointers_of(item.type.decls[0].type):
                    self.sized.add(item.type.name)
        self.destroy = {}
        self.release = {}
        for function in self.functions:
            arguments = arguments_of(function)
            if len(arguments) == 1 and function.name.endswith("_init"):
                self.init[struct_of(arguments[0])] = function.name
            if len(arguments) == 1 and pointers_of(arguments[0].type) == 2:
                self.destroy[struct_of(arguments[0])] = function.name
            if len(arguments) == 1 and function.name.endswith(("_free", "_clear")):
                self.release[struct_of(arguments[0])] = function.name


def arguments_of(function):
    found = function.type.args.params if function.type.args else []
    return [a for a in found if not (isinstance(a, c_ast.Typename) and text_of(a) == "void")]


def pointers_of(kind):
    if isinstance(kind, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        return 1 + pointers_of(kind.type)
    return 0


def base_of(kind):
    while isinstance(kind, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        kind = kind.type
    return kind


def struct_of(argument):
    base = base_of(argument.type)
    return base.type.name if isinstance(base, c_ast.TypeDecl) and isinstance(base.type, c_ast.Struct) else None


def main():
    folder, include, values, out, depfile, *headers = sys.argv[1:]
    sys.path.insert(0, folder)
    import bindings
    seen = set()
    api = Api("".join(bindings.declarations(include, header, seen) for header in headers))
    with open(values, encoding="ascii") as file:
        known = set(re.findall(r"\b(?:valid|fill|call|fresh)_\w+", file.read()))
    text = [f'/* Made by {sys.argv[0].rsplit("/", 1)[-1]} from the public headers. */\n#include "values.h"\n\n']
    rows = []
    for function in sorted(api.functions, key=lambda f: f.name):
        text.append(call(api, known, function))
        rows.append(f'    {{"{function.name}", run_{function.name}, arguments_{function.name}, '
                    f'{len(arguments_of(function))}}},\n')
    text.append("const struct call calls[] = {\n" + "".join(rows) + "};\nconst size_t call_count = "
                "sizeof calls / sizeof *calls;\n")
    with open(out, "w", encoding="ascii") as file:
        file.write("".join(text))
    with open(depfile, "w", encoding="utf-8") as file:
        file.write(f"{out}: {folder}/bindings.py {' '.join(f'{include}/shoal/{name}' for name in sorted(seen))}\n")


def result_of(function):
    """The kind of result, and how the C text takes it."""
    kind = function.type.type
    if pointers_of(kind):
        return "GIVES_POINTER", "outcome->pointer = "
    name = text_of(kind).split()
    if name[0] == "void":
        return "GIVES_NOTHING", ""
    if name[0] == "struct":
        return "GIVES_NOTHING", "(void)"
    if name[:2] == ["enum", "shoal_status"]:
        return "GIVES_STATUS", "outcome->status = "
    if name[0] == "double":
        return "GIVES_REAL", "outcome->real = "
    return "GIVES_NUMBER", "outcome->number = (int64_t)"


def call(api, known, function):
    """The C text of one function: its arguments, and the call for one turn."""
    lines, after, names, kinds = [], [], [], []
    for index, argument in enumerate(arguments_of(function)):
        name = argument.name
        own = f"a{index}"
        kind = []
        struct = struct_of(argument)
        own_value = VALUES.get(f"{function.name}.{name}")
        depth = pointers_of(argument.type)
        declaration = declared(argument.type, own)
        if depth == 2 and struct and not own_value:
            lines.append(f"    void *slot{index} = NULL;\n    struct {struct} **{own} = (struct {struct} **)(void *)&slot{index};\n")
            if struct in api.destroy and not function.name.endswith(("_destroy", "_close")):
                after.append(f"    {api.destroy[struct]}((struct {struct} **)(void *)&slot{index});\n")
        elif depth == 2 and name in ("text", "bytes", "notes"):
            lines.append(f"    void *slot{index} = NULL;\n    {declaration} = (void *)&slot{index};\n")
            after.append(f"    free(slot{index});\n")
        elif own_value:
            lines.append(f"    {declaration} = {own_value};\n")
        elif struct == "shoal_error":
            lines.append(f"    {declaration} = &outcome->error;\n")
        elif struct in api.sized and f"valid_{struct}" not in known and not function.name.endswith("_init"):
            kind.append("TAKES_STRUCT" if struct in api.init else "FILLS_STRUCT")
            if struct in api.release:
                after.append(f"    {api.release[struct]}({own});\n")
            lines.append(f"    struct {struct} *full{index} = valid_struct(sizeof *full{index});\n")
            lines.append(f"    {api.init[struct]}(full{index});\n" if struct in api.init
                         else f"    full{index}->size = sizeof *full{index};\n")
            if f"fill_{struct}" in known:
                lines.append(f"    fill_{struct}(full{index});\n")
            lines.append(f"    {declaration} = resized(turn, {index}, full{index}, sizeof *full{index});\n")
        elif struct in api.whole and f"valid_{struct}" not in known:
            lines.append(f"    struct {struct} *full{index} = valid_struct(sizeof *full{index});\n")
            if f"fill_{struct}" in known and not function.name.endswith("_init"):
                lines.append(f"    fill_{struct}(full{index});\n")
            lines.append(f"    {declaration} = full{index};\n")
        elif struct == "shoal_solver":
            workload = re.match(r"shoal_(gas|tsp|mlp)_", function.name)
            lines.append(f'    {declaration} = valid_shoal_solver("{workload[1] if workload else "pso"}");\n')
        elif struct and depth == 1:
            lines.append(f"    {declaration} = valid_{struct}();\n")
        elif depth == 1 and name == "params" and base_name(argument) == "void":
            kind.append("TAKES_STRUCT")
            lines.append(f"    {declaration} = resized(turn, {index}, valid_workload_params(), valid_workload_params_size());\n")
        elif is_function(argument):
            type_name = base_name(argument) or name
            lines.append(f"    {declaration} = call_{type_name};\n")
        elif depth and base_name(argument) == "char" and "const" in text_of(argument):
            lines.append(f"    {declaration} = {VALUES.get(name, chr(34) + 'x' + chr(34))};\n")
        elif depth:
            lines.append(f"    {declaration} = valid_memory();\n")
        else:
            value = VALUES.get(name, "0")
            lines.append(f"    {declaration} = {value if value[0] != chr(34) else 2};\n")
        if depth or is_function(argument) or base_name(argument) in HANDLES:
            kind.append("IS_POINTER")
            lines.append(f"    if (turn->kind == TURN_NULL && turn->argument == {index})\n        {own} = NULL;\n")
        names.append(own)
        kinds.append(f'    {{"{name}", {" | ".join(kind) or "0"}}},\n')
    gives, taken = result_of(function)
    return (f"static const struct argument arguments_{function.name}[] = {{\n{''.join(kinds) or '    {NULL, 0},'}}};\n\n"
            f"static void run_{function.name}(const struct turn *turn, struct outcome *outcome)\n{{\n"
            f"    (void)turn;\n    outcome->gives = {gives};\n" + "".join(lines) +
            f"    {taken}{function.name}({', '.join(names)});\n" + "".join(after) + "}\n\n")


def is_function(argument):
    if isinstance(argument.type, c_ast.PtrDecl) and isinstance(argument.type.type, c_ast.FuncDecl):
        return True
    name = base_name(argument)
    return bool(name) and name.endswith(("_fn", "_callback", "_progress"))


def base_name(argument):
    base = base_of(argument.type)
    if isinstance(base, c_ast.TypeDecl) and isinstance(base.type, c_ast.IdentifierType):
        return " ".join(base.type.names)
    return None


def declared(kind, name):
    """The declaration of `name` with that type; an array is a pointer, as it is for the function."""
    kind = copy.deepcopy(kind)
    if isinstance(kind, c_ast.ArrayDecl):
        kind = c_ast.PtrDecl(quals=[], type=kind.type)
    inner = kind
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = name
    return text_of(c_ast.Decl(name=name, quals=[], align=[], storage=[], funcspec=[], type=kind, init=None, bitsize=None))


if __name__ == "__main__":
    main()
