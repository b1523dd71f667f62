/* Private: the options of the thesis, as macros for the tables of options. In builds without theses the
 * macros are empty. */
#ifndef SHOAL_GAS_THESIS_OPTIONS_H
#define SHOAL_GAS_THESIS_OPTIONS_H

#include <shoal/theses.h>

#if SHOAL_THESES

struct shoal_program_desc;
struct thesis_params;

extern const struct shoal_program_desc gas_ladder_program, gas_limit_mean_program, gas_cells_far_program,
    gas_cells_near_program, gas_cells_sort_program;
extern const struct thesis_params gas_thesis_params;
extern const char *const gas_thesis_kernel_names[], *const gas_thesis_scheme_names[];
extern const char *const gas_thesis_far_names[], *const gas_thesis_adder_names[];
extern const char *const gas_thesis_sort_names[], *const gas_thesis_limiter_names[];
#define GAS_THESIS_METHOD_NAME      "cells",
#define GAS_THESIS_WALL_METHOD_NAME "w1",
#define GAS_THESIS_INTEGRATOR_NAME  "euler-in-place",
/* Parts of the texts of other options, for choices that only the thesis has. */
#define GAS_THESIS_WALL_METHOD_OR   "w1|"
#define GAS_THESIS_INTEGRATOR_HELP  "; euler-in-place is for the host alone"
#define GAS_THESIS_INTEGRATOR_NEEDS ", euler-in-place: thermostat=nve, euler-in-place: !equilibration"
/* A condition in the `needs` of options that have no effect on the kernels of the thesis. */
#define GAS_THESIS_WITHOUT_KERNEL ", !kernel"
#define GAS_THESIS_OR_METHOD      "|cells"
#define GAS_THESIS_PROGRAMS                                                                                  \
    &gas_ladder_program, &gas_limit_mean_program, &gas_cells_far_program, &gas_cells_near_program,           \
        &gas_cells_sort_program,
#define GAS_THESIS_CASES                                                                                     \
    {"thesis", "particles=400 potential=log method=cells scheme=tiled1 boundary-x=walls boundary-y=walls",   \
     SHOAL_CASE_VERIFY},
#define GAS_THESIS_EXAMPLES                                                                                  \
    {"shoal gas --potential log --attraction 0.001 --softening 1 --width 125 --height 125 "                  \
     "--boundary-x open --boundary-y open --particles 4096 --kernel unrolled --unroll 8 --steps 50",         \
     "the long-range potential of the thesis, with one of its kernels"},
#define GAS_THESIS_BENCH_EXAMPLES                                                                            \
    {"shoal bench thesis-gas", "the measurements of a thesis, beside its published figures"},
#define GAS_THESIS_PARAMS &gas_thesis_params
#define GAS_THESIS_SIZE   sizeof(struct shoal_gas_thesis)

/* Offset of a member of struct shoal_gas_thesis in a block of parameters, where this struct follows struct
 * shoal_gas_params. */
#define GAS_THESIS_FIELD(name) sizeof(struct shoal_gas_params) + offsetof(struct shoal_gas_thesis, name)

enum { GAS_THESIS_OPTIONS = 11 };

/* clang-format off */
#define GAS_THESIS_OPTION_ROWS \
    {.name = "kernel", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(kernel), \
     .unit = "NAME", \
     .choices = gas_thesis_kernel_names, \
     .help = "kernel of the all-pairs method; naive, rsqrt, unrolled and semi-blocked are kernels of the " \
             "thesis", \
     .needs = "method=auto|allpairs, naive|rsqrt|unrolled|semi-blocked: potential=log|log-repulsion|real|gravity", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_OF_DEVICE}, \
    {.name = "unroll", \
     .max = 16, \
     .type = SHOAL_OPTION_UINT, \
     .offset = GAS_THESIS_FIELD(unroll), \
     .unit = "N", \
     .help = "pairs per iteration of the inner loop: 2, 4, 8 or 16; 0: 8", \
     .needs = "kernel=unrolled", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_OF_DEVICE}, \
    {.name = "scheme", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(scheme), \
     .unit = "NAME", \
     .choices = gas_thesis_scheme_names, \
     .help = "cell scheme; tiled1 to tiled3 are schemes of the thesis", \
     .needs = "method=auto|cells, !kernel", \
     .flags = SHOAL_OPTION_THESIS}, \
    {.name = "far", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(far), \
     .unit = "NAME", \
     .choices = gas_thesis_far_names, \
     .help = "kernel of the far zone", \
     .needs = "method=auto|cells, !kernel, scheme=tiled1|tiled11|tiled2|tiled3", \
     .flags = SHOAL_OPTION_THESIS}, \
    {.name = "adder", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(adder), \
     .unit = "NAME", \
     .choices = gas_thesis_adder_names, \
     .help = "sums of the far zone: for each particle (nadder) or for each cell (kadder)", \
     .needs = "method=auto|cells, !kernel, scheme=tiled1|tiled11|tiled2|tiled3", \
     .flags = SHOAL_OPTION_THESIS}, \
    {.name = "sort", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(sort), \
     .unit = "NAME", \
     .choices = gas_thesis_sort_names, \
     .help = "place where particles are sorted into cells: the device, or the host as in the thesis (v1, " \
             "v2)", \
     .needs = "method=auto|cells, !kernel", \
     .flags = SHOAL_OPTION_THESIS}, \
    {.name = "cells", \
     .max = 4096, \
     .type = SHOAL_OPTION_UINT, \
     .offset = GAS_THESIS_FIELD(cells), \
     .unit = "N", \
     .help = "number of cells along x; 0: 50, or fewer for a large cutoff", \
     .needs = "method=auto|cells, !kernel"}, \
    {.name = "near-radius", \
     .max = 4096, \
     .type = SHOAL_OPTION_REAL, \
     .offset = GAS_THESIS_FIELD(near_radius), \
     .unit = "R", \
     .help = "radius R1 of the zone that is summed pair by pair, in widths of a cell; default 2", \
     .needs = "method=auto|cells, !kernel"}, \
    {.name = "middle-radius", \
     .max = 4096, \
     .type = SHOAL_OPTION_REAL, \
     .offset = GAS_THESIS_FIELD(middle_radius), \
     .unit = "R", \
     .help = "radius R2 of the zone in which a particle interacts with whole cells, in widths of a cell; default 10", \
     .needs = "method=auto|cells, !kernel"}, \
    {.name = "limiter", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GAS_THESIS_FIELD(limiter), \
     .unit = "NAME", \
     .choices = gas_thesis_limiter_names, \
     .help = "guard of the thesis against numerical instability: l1 limits the energy of a particle, l2 changes of its speed", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_STAGE}, \
    {.name = "limit", \
     .min = 1, \
     .max = 1e12, \
     .type = SHOAL_OPTION_REAL, \
     .offset = GAS_THESIS_FIELD(limit), \
     .unit = "X", \
     .help = "threshold of the limiter; default 15 times the mean energy for l1, 100 times the speed for l2", \
     .needs = "limiter=l1|l2", \
     .flags = SHOAL_OPTION_THESIS | SHOAL_OPTION_STAGE},
/* clang-format on */
#define GAS_THESIS_ABSENT    NULL
#define GAS_THESIS_REMAINING NULL

#else

enum { GAS_THESIS_OPTIONS = 0 };
#define GAS_THESIS_METHOD_NAME
#define GAS_THESIS_WALL_METHOD_NAME
#define GAS_THESIS_INTEGRATOR_NAME
#define GAS_THESIS_WALL_METHOD_OR   ""
#define GAS_THESIS_INTEGRATOR_HELP  ""
#define GAS_THESIS_INTEGRATOR_NEEDS ""
#define GAS_THESIS_WITHOUT_KERNEL   ""
#define GAS_THESIS_OR_METHOD        ""
#define GAS_THESIS_PROGRAMS
#define GAS_THESIS_CASES
#define GAS_THESIS_EXAMPLES
#define GAS_THESIS_BENCH_EXAMPLES
#define GAS_THESIS_PARAMS NULL
#define GAS_THESIS_SIZE   0
#define GAS_THESIS_OPTION_ROWS
#define GAS_THESIS_REMAINING                                                                                 \
    (const struct shoal_option[])                                                                            \
    {                                                                                                        \
        REMAINS("kernel", "auto", "tiled"), REMAINS("scheme", "corrected"), REMAINS("far", "2k"),            \
            REMAINS("adder", "nadder"), REMAINS("sort", "device"), REMAINS("limiter", "none"),               \
        {                                                                                                    \
            .name = NULL                                                                                     \
        }                                                                                                    \
    }
#define GAS_THESIS_ABSENT                                                                                    \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "method=cells", "kernel=naive", "kernel=rsqrt", "kernel=unrolled", "kernel=semi-blocked", "unroll",  \
            "scheme=tiled1", "scheme=tiled11", "scheme=tiled2", "scheme=tiled3", "far=ha1", "far=ha3",       \
            "adder=kadder", "sort=v1", "sort=v2", "cells", "near-radius", "middle-radius", "limiter=l1",     \
            "limiter=l2", "limit", "wall-method=w1", "integrator=euler-in-place", NULL                       \
    }

#endif

#endif
