/* The suite thesis-pso: evaluation alone (tables 5 to 8 of the thesis), by one kernel launch for all
 * particles.
 *
 * As in the thesis, an entry for one of the thesis's mappings is the best of several block sizes; the size is
 * chosen before the samples are taken (a CPU tries two). THREAD and MOD have positions as structure of
 * arrays, BLOCK particle by particle. Besides these there are the library's own mappings, with the sizes that
 * the library chooses: `lanes`, a few neighbouring work-items for each particle, and `rows`, which reads each
 * row once for many particles. Host rows: the scalar code is compared with the mapping that the thesis chose,
 * the blocked code with the library's mappings.
 */
#include "bench/objective/points.h"
#include "bench/runner/group.h"

#include <stdlib.h>

enum mapping { THREAD, BLOCK, MOD, WARP_2, BLOCK_2, LANES, ROWS };

struct entry {
    struct thesis_size size;
    enum mapping mapping;
};

/* ROW_TILE: rows in a tile of the fp64 table, whose particles are side by side. */
enum { ROW_TILE = 16, WARP = 32 };

struct evaluation {
    struct bench_points points;
    enum mapping mapping;
    /* The following members are used by the mappings of the thesis. */
    struct bench_group group;
    struct shoal_buffer *rows;
    size_t tile;
};

static void destroy(struct bench *bench)
{
    struct evaluation *e = bench->state;
    if (!e)
        return;
    bench_group_release(&e->group);
    shoal_buffer_destroy(&e->rows);
    bench_points_destroy(&e->points);
    free(e);
    bench->state = NULL;
}

/* Launches --------------------------------------------------------------------------------------------- */

/* Returns the number of particles of a work-group. */
static size_t group_points(const struct evaluation *e)
{
    const size_t group = shoal_kernel_work_group(e->group.kernel), warp = group < WARP ? group : WARP;
    return e->mapping == THREAD ? group : e->mapping == MOD ? warp : e->mapping == WARP_2 ? group / warp : 1;
}

static enum shoal_status launch(struct bench *bench, const struct evaluation *e, const struct shoal_arg *args,
                                size_t count, struct shoal_error *error)
{
    const size_t each = group_points(e), groups = (e->points.size.particles + each - 1) / each;
    return shoal_launch(bench->queue, e->group.kernel, groups, args, count, NULL, error);
}

static enum shoal_status launch_dimensions(struct bench *bench, const struct evaluation *e,
                                           struct shoal_error *error)
{
    const struct thesis_size *size = &e->points.size;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(e->points.x),
        shoal_arg_buffer(NULL), /* no shift */
        shoal_arg_buffer(e->points.y),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)size->particles),
        shoal_arg_uint((uint32_t)size->dim),
        shoal_arg_uint((uint32_t)e->tile),
    };
    return launch(bench, e, args, sizeof args / sizeof *args, error);
}

static enum shoal_status launch_rows(struct bench *bench, const struct evaluation *e,
                                     struct shoal_error *error)
{
    const struct thesis_size *size = &e->points.size;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(e->points.x),
        shoal_arg_buffer(NULL), /* no shift */
        shoal_arg_buffer(e->points.y),
        shoal_arg_buffer(e->rows),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)size->particles),
        shoal_arg_uint((uint32_t)e->tile),
        shoal_arg_uint((uint32_t)size->rows),
        shoal_arg_uint(0), /* what y holds is not added */
    };
    return launch(bench, e, args, sizeof args / sizeof *args, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    if (e->points.evaluator)
        return bench_points_evaluate(&e->points, error);
    return e->rows ? launch_rows(bench, e, error) : launch_dimensions(bench, e, error);
}

/* Mappings of the thesis ------------------------------------------------------------------------------- */

/* Uploads the rows; number c of row j is at (j / ROW_TILE * columns + c) * ROW_TILE + j % ROW_TILE, see
 * objective/rows.clh. */
static enum shoal_status upload_rows(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    const struct thesis_size *size = &e->points.size;
    const size_t columns = size->dim + 1, count = (size->rows + ROW_TILE - 1) / ROW_TILE * ROW_TILE * columns;
    double *rows = calloc(count, sizeof *rows);
    if (!rows)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for %zu rows", size->rows);
    for (size_t j = 0; j < size->rows; j++)
        for (size_t c = 0; c < columns; c++)
            rows[(j / ROW_TILE * columns + c) * ROW_TILE + j % ROW_TILE] = e->points.rows[j * columns + c];
    enum shoal_status status = shoal_buffer_create(bench->device, count * sizeof *rows, &e->rows, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_write(bench->queue, e->rows, 0, rows, count * sizeof *rows, error);
    free(rows);
    return status;
}

static const char *entry_name(const struct evaluation *e)
{
    switch (e->mapping) {
    case BLOCK:
        return "eval_block";
    case MOD:
        return "eval_mod";
    case WARP_2:
        return "data_warp2";
    case BLOCK_2:
        return "data_block2";
    default:
        return e->rows ? "data_thread" : "eval_thread";
    }
}

static enum shoal_status choose_group(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    const struct thesis_size *size = &e->points.size;
    const struct shoal_kernel_text text = {.file = "objective/snippet.clh",
                                           .text = e->rows ? "#include \"objective/least_squares.clh\"\n"
                                                           : "#include \"objective/builtin/sphere.clh\"\n"};
    const struct shoal_define defines[] = {
        {"REAL", 64}, {"DIM", (int64_t)size->dim}, {"COLUMNS", (int64_t)size->dim + 1}};
    struct bench_group_build build = {.program = e->rows ? "objective.data" : "objective.dimension",
                                      .entry = entry_name(e),
                                      .defines = defines,
                                      .define_count = e->rows ? 3 : 1};
    shoal_program_params_init(&build.params);
    build.params.texts = &text;
    build.params.text_count = 1;
    return bench_group_choose(bench, &build, run, &e->group, error);
}

static enum shoal_status create_theirs(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    e->tile = e->mapping == BLOCK ? 1 : (e->points.size.particles + WARP - 1) / WARP * WARP;
    if (e->points.rows)
        status = upload_rows(bench, e, error);
    if (status == SHOAL_OK)
        status = bench_points_create(bench, &e->points, e->tile, error);
    return status == SHOAL_OK ? choose_group(bench, e, error) : status;
}

/* Cases ------------------------------------------------------------------------------------------------ */

static bool is_ours(enum mapping mapping)
{
    return mapping == LANES || mapping == ROWS;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct entry *entry = bench->data;
    struct evaluation *e = bench->state = calloc(1, sizeof *e);
    if (!e)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the points");
    e->mapping = entry->mapping;
    enum shoal_status status = bench_points_rows(&e->points, &entry->size, error);
    if (status == SHOAL_OK)
        status = !is_ours(e->mapping) ? create_theirs(bench, e, error)
                 : e->mapping == ROWS
                     ? bench_points_evaluator(bench, &e->points, SHOAL_EVALUATOR_ROWS, error)
                     : bench_points_evaluator(bench, &e->points, SHOAL_EVALUATOR_LANES, error);
    bench->roof_work = bench_points_roof_work(&e->points);
    return status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    return bench_points_check(bench, &e->points, check, error);
}

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    const struct entry *entry = bench->data;
    return thesis_host_create(bench, &entry->size,
                              is_ours(entry->mapping) ? thesis_blocked() : &thesis_scalar, error);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};
static const struct bench_ops host_ops = {create_host, NULL, thesis_host_evaluate, thesis_host_check,
                                          thesis_host_destroy};

/* Makes one entry. `us`: time published by the thesis, on its GTX660Ti; host_rows: &host_ops or NULL. */
#define ENTRY(n, t, bound, f, n_dim, n_rows, m, how, us, big, host_rows)                                     \
    {                                                                                                        \
        .name = "thesis-pso." n, .help = t, .unit = "s", .precision = "fp64", .roof = SHOAL_ROOF_##bound,    \
        .data = &(const struct entry){{f, n_dim, n_rows, m}, how}, .published = us * 1e-6,                   \
        .published_on = "GTX660Ti", .large = big, .device = &ops, .host = host_rows                          \
    }
#define DIMENSIONS(m, n, thread, block, mod, big)                                                            \
    ENTRY("table5.thread-" #m "x" #n, "f4 of " #m " particles in " #n " dimensions, THREAD", COPY_BYTES,     \
          "f4", n, 0, m, THREAD, thread, big, NULL),                                                         \
        ENTRY("table5.block-" #m "x" #n, "the same, BLOCK", COPY_BYTES, "f4", n, 0, m, BLOCK, block, big,    \
              NULL),                                                                                         \
        ENTRY("table5.mod-" #m "x" #n, "the same, MOD", COPY_BYTES, "f4", n, 0, m, MOD, mod, big,            \
              &host_ops),                                                                                    \
        ENTRY("table5.lanes-" #m "x" #n, "the same, a few work-items for each particle; published: MOD",     \
              COPY_BYTES, "f4", n, 0, m, LANES, mod, big, &host_ops)
#define DATA(table, m, P, thread, warp2, block2, big)                                                        \
    ENTRY("table" #table ".thread-8x" #P, "f5<8," #P "> of " #m " particles, THREAD", FP64_FLOPS, "f5", 8,   \
          P, m, THREAD, thread, big, NULL),                                                                  \
        ENTRY("table" #table ".warp2-8x" #P, "the same, WARP_2", FP64_FLOPS, "f5", 8, P, m, WARP_2, warp2,   \
              big, NULL),                                                                                    \
        ENTRY("table" #table ".block2-8x" #P, "the same, BLOCK_2", FP64_FLOPS, "f5", 8, P, m, BLOCK_2,       \
              block2, big, &host_ops),                                                                       \
        ENTRY("table" #table ".rows-8x" #P, "the same, each row read once for a group; published: BLOCK_2",  \
              FP64_FLOPS, "f5", 8, P, m, ROWS, block2, big, &host_ops)

static const struct bench_case cases[] = {
    DIMENSIONS(128, 128, 18, 4, 4, false),
    DIMENSIONS(256, 256, 42, 8, 9, false),
    DIMENSIONS(512, 512, 87, 27, 30, false),
    DIMENSIONS(64, 4096, 633, 30, 49, false),
    DIMENSIONS(131072, 256, 2404, 2516, 2391, true),
    DATA(6, 64, 4096, 2431, 128, 89, false),
    DATA(6, 64, 16384, 13149, 510, 297, false),
    DATA(6, 64, 65536, 47905, 1980, 1029, false),
    DATA(6, 64, 131072, 96554, 3943, 2017, false),
    DATA(7, 1024, 64, 59, 25, 29, false),
    DATA(7, 1024, 256, 151, 86, 109, false),
    DATA(7, 1024, 1024, 659, 263, 594, false),
    DATA(7, 1024, 65536, 47029, 15506, 14430, true),
    DATA(8, 131072, 64, 1949, 2894, 3134, false),
    DATA(8, 131072, 256, 7139, 8508, 12500, false),
    DATA(8, 131072, 1024, 28408, 29984, 66270, true),
    DATA(8, 131072, 4096, 112201, 112993, 151662, true),
};

const struct bench_case_list bench_thesis_eval_cases = {cases, sizeof cases / sizeof *cases};
