/* Native kernels as the library specialises them, and others as it does for CUDA devices alone: the
 * instructions that an architecture has for the purpose, none that it has not, and never a word in the log.
 * Skipped (77) without NVRTC. */
#include "test.h"

#include "compute/cuda/compile.h"
#include "compute/program/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, MOST_DEFINES = 16, MOST_EXPECTED = 5, NEVER = INT_MAX };

/* Compute capabilities x 10. */
static const int architectures[] = {75, 80, 90};

/* What the PTX holds from an architecture on, and not before. */
struct expectation {
    const char *text;
    int since;
};

struct specialisation {
    const char *file;
    int from; /* the first architecture it is for */
    const char *defines[MOST_DEFINES + 1];
    struct expectation expected[MOST_EXPECTED];
};

#define ROWS(mma_since, ...)                                                                                 \
    {                                                                                                        \
        .file = "objective/eval_rows.cu", .defines = {"SHIFTED=1", __VA_ARGS__}, .expected = {               \
            {"mma.sync", mma_since},                                                                         \
            {"cp.async", 80}                                                                                 \
        }                                                                                                    \
    }

/* A cluster has 257 particles in groups of 33 or 17, so that the last group has fewer. */
#define LIST_RUN(groups, particles, since, ...)                                                              \
    {                                                                                                        \
        .file = "gas/methods/list_run.cu", .from = (groups) > 1 ? 90 : 0,                                    \
        .defines = {"GROUPS=" #groups, "PARTICLES=" #particles, "LIST_TILE=32", "LOCAL=0", __VA_ARGS__},     \
        .expected = {                                                                                        \
            {"barrier.cluster", since},                                                                      \
            {"mapa", since},                                                                                 \
            {".reqnctapercluster", since}                                                                    \
        }                                                                                                    \
    }
#define ALONE(...) LIST_RUN(1, 256, NEVER, __VA_ARGS__)
/* Fewer work-items than groups. */
#define LONELY(...)  LIST_RUN(16, 16, 90, "ENTRIES=8", "LANES=4", "WG=4", __VA_ARGS__)
#define EIGHT(...)   LIST_RUN(8, 264, 90, __VA_ARGS__)
#define SIXTEEN(...) LIST_RUN(16, 272, 90, __VA_ARGS__)

#define SINGLE   "PRECISION=0", "REAL=32"
#define MIXED    "PRECISION=1", "REAL=32"
#define DOUBLE   "PRECISION=2", "REAL=64"
#define GROUP    "ENTRIES=8", "LANES=1", "WG=256"
#define CLUSTER  "ENTRIES=40", "LANES=4", "WG=128"
#define WIDE     "WIDE_ENTRIES=1"
#define PERIODIC "BOUNDARIES=0"
/* Thermal walls all round. */
#define FLAT_WALLS  "BOUNDARIES=5", "SIDES=85"
#define SOLID_WALLS "BOUNDARIES=21", "SIDES=1365"
#define LANGEVIN    "THERMOSTAT=1"

/* A swarm in a cluster. */
#define SWARM(...)                                                                                           \
    {                                                                                                        \
        .file = "pso/methods/fused.cu", .from = 90, .defines = {"ITEMS=1", __VA_ARGS__}, .expected = {       \
            {"st.async", 90},                                                                                \
            {"mbarrier.try_wait", 90},                                                                       \
            {".reqnctapercluster", 90}                                                                       \
        }                                                                                                    \
    }

/* A swarm in the local memory of all multiprocessors. Its groups wait for each other without fences. */
#define HELD_SWARM(...)                                                                                      \
    {                                                                                                        \
        .file = "pso/methods/fused.cu", .defines = {"ITEMS=1", "GROUPS=1", "DEPTH=2", __VA_ARGS__},          \
        .expected = {                                                                                        \
            {"pso_step_together", 0},                                                                        \
            {"pso_step_dynamic_local", 0},                                                                   \
            {"griddepcontrol", NEVER},                                                                       \
            {"membar", NEVER},                                                                               \
            {".reqnctapercluster", NEVER}                                                                    \
        }                                                                                                    \
    }

/* Lists of neighbours, each built by a warp. */
#define WARPED_LISTS(...)                                                                                    \
    {                                                                                                        \
        .file = "gas/methods/list_build.cl", .defines = {"WARPED=1", __VA_ARGS__}, .expected = {             \
            {"vote.sync.ballot", 0}                                                                          \
        }                                                                                                    \
    }

/* Islands on the chip: what the other tests build has one elite, tournament and bits. */
#define ISLANDS(...)                                                                                         \
    {                                                                                                        \
        .file = "ga/methods/onchip.cu", .defines = { "MEMBERS=33", "DIM=7", __VA_ARGS__ }                    \
    }
#define GENOMES(...)                                                                                         \
    {                                                                                                        \
        .file = "ga/methods/genes/genes_onchip.cu", .defines = { "MEMBERS=34", __VA_ARGS__ }                 \
    }

/* Generations of populations in memory. */
#define REALS_IN_MEMORY(...)                                                                                 \
    {                                                                                                        \
        .file = "ga/methods/fused.cu", .defines = {"DIM=7", __VA_ARGS__}, .expected = {                      \
            {"ga_fused_starts_early", 90},                                                                   \
            {"griddepcontrol.wait", 90}                                                                      \
        }                                                                                                    \
    }
#define REALS_BY_WARPS(...)                                                                                  \
    {                                                                                                        \
        .file = "ga/methods/fused.cu",                                                                       \
        .defines = {"REAL=32", "STRIDE=32", "WG=64", "GROUP_PAIRS=64", __VA_ARGS__}, .expected = {           \
            {"cp.async", 80},                                                                                \
            {"ga_fused_starts_early", 90},                                                                   \
            {"griddepcontrol.wait", 90}                                                                      \
        }                                                                                                    \
    }
#define GENOMES_IN_MEMORY(...)                                                                               \
    {                                                                                                        \
        .file = "ga/methods/genes/genes_fused.cu", .defines = {__VA_ARGS__}, .expected = {                   \
            {"ga_genes_fused_starts_early", 90},                                                             \
            {"griddepcontrol.wait", 90}                                                                      \
        }                                                                                                    \
    }

/* Kernels that may start before the launch before has ended. */
#define EARLY(name, kernel, ...)                                                                             \
    {                                                                                                        \
        .file = name, .defines = {__VA_ARGS__}, .expected = {                                                \
            {kernel "_starts_early", 90},                                                                    \
            {"griddepcontrol.launch_dependents", 90},                                                        \
            {"griddepcontrol.wait", 90}                                                                      \
        }                                                                                                    \
    }

#define CHAINS(kind, instruction)                                                                            \
    {                                                                                                        \
        .file = "measure/chains.cu", .defines = {"REAL=32", "KIND=" #kind}, .expected = { {instruction, 0} } \
    }
#define MATRIX(format, instruction)                                                                          \
    {                                                                                                        \
        .file = "measure/matrix.cu", .defines = {"FORMAT=" #format}, .expected = { {instruction, 80} }       \
    }

static const struct specialisation specialisations[] = {
    ROWS(80, "REAL=64", "DIM=4", "COLUMNS=5", "POINTS=2", "LANES=32", "WG=128", "STAGE=16", "LINEAR=1"),
    ROWS(80, "REAL=64", "DIM=8", "COLUMNS=9", "POINTS=2", "LANES=128", "WG=128", "STAGE=8", "LINEAR=2"),
    ROWS(80, "REAL=64", "DIM=17", "COLUMNS=18", "POINTS=1", "LANES=8", "WG=64", "STAGE=3", "LINEAR=1"),
    ROWS(NEVER, "REAL=64", "DIM=4", "COLUMNS=5", "POINTS=8", "LANES=8", "WG=128", "STAGE=16", "LINEAR=0"),
    ROWS(NEVER, "REAL=32", "DIM=4", "COLUMNS=5", "POINTS=8", "LANES=8", "WG=128", "STAGE=16", "LINEAR=1"),
    ALONE(SINGLE, GROUP, "DIM=2", PERIODIC),
    ALONE(MIXED, GROUP, "DIM=3", SOLID_WALLS),
    ALONE(DOUBLE, GROUP, "DIM=3", PERIODIC, LANGEVIN, WIDE),
    EIGHT(SINGLE, CLUSTER, "DIM=2", FLAT_WALLS, LANGEVIN, WIDE),
    EIGHT(MIXED, CLUSTER, "DIM=2", PERIODIC),
    EIGHT(MIXED, CLUSTER, "DIM=2", PERIODIC, WIDE),
    EIGHT(SINGLE, CLUSTER, "DIM=2", PERIODIC, "WINDOW_BITS=16"),
    EIGHT(SINGLE, CLUSTER, "DIM=3", PERIODIC, "SPECIES=3", "WINDOW_BITS=14"),
    EIGHT(SINGLE, CLUSTER, "DIM=3", PERIODIC, "SPECIES=3", "WINDOW_BITS=14", WIDE),
    EIGHT(DOUBLE, CLUSTER, "DIM=3", PERIODIC),
    SIXTEEN(SINGLE, CLUSTER, "DIM=3", PERIODIC, LANGEVIN, "SCHEDULE=1", WIDE),
    SIXTEEN(MIXED, CLUSTER, "DIM=3", PERIODIC),
    SIXTEEN(DOUBLE, CLUSTER, "DIM=2", FLAT_WALLS, WIDE),
    LONELY(SINGLE, "DIM=2", PERIODIC),
    LONELY(SINGLE, "DIM=2", PERIODIC, WIDE),
    SWARM("REAL=32", "GROUPS=16", "WG=512", "SLICES=8", "DEPTH=1", "RANDOM=1"),
    SWARM("REAL=32", "GROUPS=8", "WG=64", "SLICES=2", "DEPTH=4", "RANDOM=1", "BOUNDS=6", "BOX=1"),
    SWARM("REAL=32", "GROUPS=16", "WG=512", "SLICES=1", "DEPTH=1", "RANDOM=1"),
    SWARM("REAL=64", "GROUPS=16", "WG=512", "SLICES=16", "DEPTH=2", "RANDOM=0", "SCALAR_RANDOM=1"),
    HELD_SWARM("REAL=32", "HELD=30", "WG=512", "SLICES=1", "RANDOM=1"),
    HELD_SWARM("REAL=64", "HELD=17", "WG=512", "SLICES=4", "RANDOM=0", "BOUNDS=6", "BOX=1"),
    WARPED_LISTS(SINGLE, "DIM=2", PERIODIC, "LIST_TILE=32", "WG=128", "UNROLL=4", "FINE_X=2"),
    WARPED_LISTS(MIXED, "DIM=3", SOLID_WALLS, "LIST_TILE=32", "WG=32", "UNROLL=8", "FINE_X=6", "GROUPED=1"),
    WARPED_LISTS(DOUBLE, "DIM=3", PERIODIC, "LIST_TILE=32", "WG=128", "SPECIES=3", "WINDOW_BITS=14"),
    {.file = "lib/scan.cl", .defines = {"RANGES=2", "VOLATILE_READ=1"}},
    ISLANDS("REAL=32", "ELITES=0", "SELECTION=2"),
    ISLANDS("REAL=64", "ELITES=5", "SELECTION=0", "LANES=2"),
    ISLANDS("REAL=32", "ELITES=3", "SELECTION=4"),
    ISLANDS("REAL=64", "ELITES=1", "SELECTION=3"),
    {.file = "ga/methods/onchip.cu", .defines = {"MEMBERS=128", "DIM=2", "WG=32", "REAL=32", "ONE_RUN=1"}},
    REALS_IN_MEMORY("REAL=64"),
    REALS_IN_MEMORY("ELITES=0", "TOURNAMENT=3"),
    REALS_BY_WARPS("DIM=30", "BOX=1", "SELECTION=1"),
    REALS_BY_WARPS("DIM=32", "MUTATION=3", "BOUNDS=2", "ELITES=0"),
    GENOMES_IN_MEMORY("REAL=64"),
    GENOMES_IN_MEMORY("ELITES=0", "TOURNAMENT=3"),
    GENOMES("REAL=64", "GENOME_REALS=6", "GENOME_WHOLES=3", "GENOME_BITS=40", "GENOME_PLACES=9",
            "CROSSOVER=8", "MUTATION=2", "BOUNDS=2", "BOX=1", "ELITES=3"),
    GENOMES("REAL=32", "GENOME_REALS=5", "GENOME_BITS=0", "CROSSOVER=6", "WHOLE_CROSSOVER=10", "BOX=1",
            "SELECTION=3", "ELITES=0"),
    GENOMES("REAL=32", "GENOME_REALS=2", "GENOME_WHOLES=3", "GENOME_BITS=0", "WHOLE_CROSSOVER=9", "BOX=1",
            "SELECTION=6", "ELITES=2"),
    GENOMES("REAL=64", "GENOME_BITS=1024", "WG=64"),
    GENOMES("REAL=64", "GENOME_WHOLES=16", "GENOME_BITS=500", "WG=64", "REPAIRS=1", "ELITES=0"),
    EARLY("pso/methods/fused.cl", "pso_step", "WG=64"),
    EARLY("search/islands.cl", "search_argmin", "REAL=32"),
    EARLY("search/islands.cl", "search_settle", "REAL=64"),
    EARLY("lib/scan.cl", "scan_lookback", "ITEMS=32"),
    CHAINS(2, "fma.rn.f16x2"),
    CHAINS(3, "mul.rn.f16x2"),
    CHAINS(8, "dp4a."),
    MATRIX(0, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"),
    MATRIX(1, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
    MATRIX(2, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
    MATRIX(3, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"),
};

static struct nvrtc nvrtc;
static struct shoal_error error;

static void complain(const struct specialisation *s, int architecture, const char *what, const char *more)
{
    printf("%s for sm_%d with", s->file, architecture);
    for (size_t i = 0; s->defines[i]; i++)
        printf(" %s", s->defines[i]);
    printf(": %s%s%s\n", what, *more ? "\n" : "", more);
}

/* The PTX or the program of an architecture, NULL where it does not compile in silence. */
static char *compile(const struct specialisation *s, const char *text, int architecture, bool ptx)
{
    struct cuda_image image = {0};
    char *log = NULL;
    struct build_input input = {
        .text = text, .name = s->file, .defines = s->defines, .native = strstr(s->file, ".cu") != NULL};
    while (s->defines[input.define_count])
        input.define_count++;
    const struct cuda_target target = {.architecture = architecture, .ptx = ptx};
    enum shoal_status status = cuda_compile(&nvrtc, target, &input, &image, &log, &error);
    if (status)
        complain(s, architecture, error.message, error.log);
    else if (log)
        complain(s, architecture, "the log is not empty", log);
    if (log) {
        free(image.data);
        image.data = NULL;
    }
    free(log);
    return status ? NULL : image.data;
}

/* Whether a kernel that may start before the launch before has ended touches global memory before it waits.
 */
static bool is_too_early(const char *ptx)
{
    static const char *const accesses[] = {"ld.global",  "st.global", "atom.global",
                                           "red.global", "cp.async",  "prefetch"};
    for (const char *wait = ptx; (wait = strstr(wait, "griddepcontrol.wait")); wait++) {
        const char *entry = ptx;
        for (const char *at = ptx; (at = strstr(at, ".entry")) && at < wait; at++)
            entry = at;
        for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
            const char *access = strstr(entry, accesses[i]);
            if (access && access < wait)
                return true;
        }
    }
    return false;
}

/* with_program: also compiles the program of the architecture, which takes longest. */
static int check(const struct specialisation *s, const char *text, int architecture, bool with_program)
{
    char *ptx = compile(s, text, architecture, true);
    char *program = with_program ? compile(s, text, architecture, false) : NULL;
    int failures = !ptx + (with_program && !program);
    for (size_t i = 0; ptx && i < MOST_EXPECTED && s->expected[i].text; i++) {
        const bool expected = architecture >= s->expected[i].since;
        if (expected != (strstr(ptx, s->expected[i].text) != NULL)) {
            complain(s, architecture, expected ? "the PTX lacks" : "the PTX holds", s->expected[i].text);
            failures++;
        }
    }
    if (ptx && is_too_early(ptx)) {
        complain(s, architecture, "a kernel touches global memory before griddepcontrol.wait", "");
        failures++;
    }
    free(ptx);
    free(program);
    return failures;
}

int main(void)
{
    const struct shoal_program_params params = {.size = sizeof params};
    char reason[LOAD_REASON_SIZE];
    int failures = 0;
    const struct test_share turn = test_read_share("SHOAL_TEST_TURN");
    if (is_too_early(".entry a()\ngriddepcontrol.wait;\nld.global.u32 %r1, [%rd1];\n.entry b()\nret;") ||
        !is_too_early(".entry a()\nret;\n.entry b()\nld.global.nc.u32 %r1, [%rd1];\ngriddepcontrol.wait;")) {
        printf("the search for accesses before griddepcontrol.wait is wrong\n");
        return 1;
    }
    if (!nvrtc_load(&nvrtc, 0, reason)) {
        printf("skipped: %s\n", reason);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof specialisations / sizeof *specialisations; i++) {
        const struct specialisation *s = &specialisations[i];
        char *text = NULL;
        if (!test_is_of_quick((unsigned)i))
            continue;
        if (source_flatten(NULL, s->file, &params, &text, &error)) {
            printf("%s\n", error.message);
            failures++;
            continue;
        }
        /* Programs of the newest architecture, and of each other one the first of each file. Where shares of
         * cases are asked for ($SHOAL_TEST_SHARE), and of texts that are not in the share $SHOAL_TEST_TURN,
         * the newest alone, and the first program of each file. */
        const size_t count = sizeof architectures / sizeof *architectures;
        const bool is_share = getenv("SHOAL_TEST_SHARE") || !test_is_of_mixed(turn, (unsigned)i);
        const bool is_first = i == 0 || strcmp(s->file, s[-1].file) != 0;
        for (size_t a = is_share ? count - 1 : 0; a < count; a++)
            if (architectures[a] >= s->from)
                failures += check(s, text, architectures[a], is_first || (!is_share && a == count - 1));
        free(text);
    }
    nvrtc_unload(&nvrtc);
    return failures ? 1 : 0;
}
