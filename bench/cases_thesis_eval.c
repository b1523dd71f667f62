/* The suite thesis-pso: evaluation alone, tables 5 to 8 of the thesis, one kernel launch for all particles.
 *
 * As there, each entry is the best of several block sizes, chosen before the samples. A CPU tries two. THREAD
 * and MOD have positions as structure of arrays, BLOCK particle by particle. Beside its mappings stand ours:
 * `lanes`, a few neighbouring work-items for each particle, and `rows`, which reads each row once for a group
 * of particles and sums runs of rows in a second launch. Host rows: the scalar code beside the mapping that
 * the thesis chose, the blocked one beside ours.
 */
#include "thesis_host.h"

#include <math.h>
#include <shoal/objective.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum mapping { THREAD, BLOCK, MOD, LANES, WARP_2, BLOCK_2, ROWS };

struct entry {
    struct thesis_size size;
    enum mapping mapping;
};

static const struct {
    const char *program, *kernel;
} kernels[] = {
    [THREAD] = {"objective.dimension", "eval_thread"}, [BLOCK] = {"objective.dimension", "eval_block"},
    [MOD] = {"objective.dimension", "eval_mod"},       [LANES] = {"objective.dimension", "eval_lanes"},
    [WARP_2] = {"objective.data", "data_warp2"},       [BLOCK_2] = {"objective.data", "data_block2"},
    [ROWS] = {"objective.rows", "rows_tiles"},
};

/* Rows of a tile of the table in fp64, points side by side, points of a work-item of `rows`. */
enum { ROW_TILE = 16, WARP = 32, POINTS = 8 };
enum { CHECKED = 64 };

struct evaluation {
    struct thesis_size size;
    enum mapping mapping;
    struct shoal_program *program;
    struct shoal_kernel *kernel, *sum; /* sum: the second launch of ROWS */
    struct shoal_buffer *x, *y, *rows, *partials;
    size_t tile;                              /* particles side by side in x */
    size_t group_points, splits, most_splits; /* of ROWS: runs of rows */
    double *host_rows, *host_x;               /* host_x: particle by particle, those that are checked */
};

static void destroy(struct bench *bench)
{
    struct evaluation *e = bench->state;
    if (!e)
        return;
    shoal_kernel_destroy(&e->sum);
    shoal_kernel_destroy(&e->kernel);
    shoal_program_destroy(&e->program);
    shoal_buffer_destroy(&e->x);
    shoal_buffer_destroy(&e->y);
    shoal_buffer_destroy(&e->rows);
    shoal_buffer_destroy(&e->partials);
    free(e->host_rows);
    free(e->host_x);
    free(e);
    bench->state = NULL;
}

/* Data ------------------------------------------------------------------------------------------------- */

static enum shoal_status no_memory(struct shoal_error *error)
{
    return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for the particles or rows");
}

static enum shoal_status upload(struct bench *bench, const double *numbers, size_t count,
                                struct shoal_buffer **out, struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_create(bench->device, count * sizeof(double), out, error);
    return status == SHOAL_OK
               ? shoal_buffer_write(bench->queue, *out, 0, numbers, count * sizeof(double), error)
               : status;
}

/* Particle i of those that are checked: the first and the last, and others between. */
static size_t checked(const struct thesis_size *size, size_t i)
{
    return size->particles <= CHECKED ? i : (size->particles - 1) * i / (CHECKED - 1);
}

static size_t checked_count(const struct thesis_size *size)
{
    return size->particles < CHECKED ? size->particles : CHECKED;
}

static enum shoal_status create_positions(struct bench *bench, struct evaluation *e,
                                          struct shoal_error *error)
{
    const size_t dim = e->size.dim, count = (e->size.particles + e->tile - 1) / e->tile * e->tile;
    const double lower = thesis_lower(&e->size), width = thesis_upper(&e->size) - lower;
    double *x = malloc(count * dim * sizeof *x);
    e->host_x = malloc(CHECKED * dim * sizeof *x);
    if (!x || !e->host_x) {
        free(x);
        return no_memory(error);
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < dim; d++)
            x[(i / e->tile * dim + d) * e->tile + i % e->tile] =
                lower +
                width * shoal_uniform_double(
                            shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, (uint32_t)d).x, 0);
    for (size_t k = 0; k < checked_count(&e->size); k++) {
        const size_t i = checked(&e->size, k);
        for (size_t d = 0; d < dim; d++)
            e->host_x[k * dim + d] = x[(i / e->tile * dim + d) * e->tile + i % e->tile];
    }
    enum shoal_status status = upload(bench, x, count * dim, &e->x, error);
    free(x);
    if (status == SHOAL_OK)
        status = shoal_buffer_create(bench->device, count * sizeof *x, &e->y, error);
    return status == SHOAL_OK ? shoal_buffer_fill(bench->queue, e->y, 0, count * sizeof *x, 0, error)
                              : status;
}

/* Row j, number c at (j / ROW_TILE * columns + c) * ROW_TILE + j % ROW_TILE: objective/rows.clh. */
static enum shoal_status create_rows(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    enum shoal_status status = thesis_rows(&e->size, &e->host_rows, error);
    if (status != SHOAL_OK)
        return status;
    const size_t columns = e->size.dim + 1,
                 count = (e->size.rows + ROW_TILE - 1) / ROW_TILE * ROW_TILE * columns;
    double *rows = calloc(count, sizeof *rows);
    if (!rows)
        return no_memory(error);
    for (size_t j = 0; j < e->size.rows; j++)
        for (size_t c = 0; c < columns; c++)
            rows[(j / ROW_TILE * columns + c) * ROW_TILE + j % ROW_TILE] = e->host_rows[j * columns + c];
    status = upload(bench, rows, count, &e->rows, error);
    free(rows);
    return status;
}

/* Launches --------------------------------------------------------------------------------------------- */

static size_t groups_of(size_t count, size_t each)
{
    return (count + each - 1) / each;
}

static enum shoal_status launch_dimensions(struct bench *bench, const struct evaluation *e,
                                           struct shoal_error *error)
{
    const size_t particles = e->size.particles;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(e->x),
        shoal_arg_buffer(NULL),
        shoal_arg_buffer(e->y),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint((uint32_t)e->size.dim),
        shoal_arg_uint((uint32_t)e->tile),
    };
    return shoal_launch(bench->queue, e->kernel, groups_of(particles, e->group_points), args,
                        sizeof args / sizeof *args, NULL, error);
}

static enum shoal_status launch_data(struct bench *bench, const struct evaluation *e,
                                     struct shoal_error *error)
{
    const size_t particles = e->size.particles;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(e->x),
        shoal_arg_buffer(NULL),
        shoal_arg_buffer(e->y),
        shoal_arg_buffer(e->rows),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint((uint32_t)e->tile),
        shoal_arg_uint((uint32_t)e->size.rows),
        shoal_arg_uint(0),
    };
    return shoal_launch(bench->queue, e->kernel, groups_of(particles, e->group_points), args,
                        sizeof args / sizeof *args, NULL, error);
}

static enum shoal_status launch_rows(struct bench *bench, const struct evaluation *e,
                                     struct shoal_error *error)
{
    const size_t particles = e->size.particles, point_groups = groups_of(particles, e->group_points);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(e->x),
        shoal_arg_buffer(NULL),
        shoal_arg_buffer(e->rows),
        shoal_arg_buffer(e->splits == 1 ? e->y : e->partials),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint((uint32_t)e->tile),
        shoal_arg_uint((uint32_t)e->size.rows),
        shoal_arg_uint((uint32_t)point_groups),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint(0),
    };
    enum shoal_status status = shoal_launch(bench->queue, e->kernel, point_groups * e->splits, args,
                                            sizeof args / sizeof *args, NULL, error);
    if (status != SHOAL_OK || e->splits == 1)
        return status;
    /* Particles side by side in a group; the rest of it shares the runs, four for each work-item at least. */
    size_t lanes = shoal_kernel_work_group(e->sum);
    for (size_t sharers = 1; sharers * 4 < e->splits && lanes > 1; sharers *= 2)
        lanes /= 2;
    const struct shoal_arg sum_args[] = {
        shoal_arg_buffer(e->partials),
        shoal_arg_buffer(e->y),
        shoal_arg_uint(0),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint((uint32_t)particles),
        shoal_arg_uint((uint32_t)e->splits),
        shoal_arg_uint((uint32_t)lanes),
    };
    return shoal_launch(bench->queue, e->sum, groups_of(particles, lanes), sum_args,
                        sizeof sum_args / sizeof *sum_args, NULL, error);
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    return e->mapping == ROWS ? launch_rows(bench, e, error)
           : e->rows          ? launch_data(bench, e, error)
                              : launch_dimensions(bench, e, error);
}

/* The best block size ---------------------------------------------------------------------------------- */

/* Builds for work-groups of `group`. False in `*fits`: the device takes no such group. */
static enum shoal_status build(struct bench *bench, struct evaluation *e, int64_t group, bool *fits,
                               struct shoal_error *error)
{
    const bool cpu = shoal_device_get_info(bench->device)->is_cpu,
               thread_rows = e->rows && e->mapping == THREAD;
    const char *program = thread_rows ? "objective.data" : kernels[e->mapping].program,
               *entry = thread_rows ? "data_thread" : kernels[e->mapping].kernel;
    struct shoal_define defines[8] = {{"REAL", 64}, {"WG", group}};
    struct shoal_program_params params;
    const struct shoal_kernel_text text = {.file = "objective/snippet.clh",
                                           .text = e->rows ? "#include \"objective/least_squares.clh\"\n"
                                                           : "#include \"objective/sphere.clh\"\n"};
    size_t count = 2, lanes = 1;
    if (e->rows) {
        defines[count++] = (struct shoal_define){"DIM", (int64_t)e->size.dim};
        defines[count++] = (struct shoal_define){"COLUMNS", (int64_t)e->size.dim + 1};
    }
    if (e->mapping == LANES)
        defines[count++] = (struct shoal_define){"LANES", WARP};
    if (e->mapping == ROWS) {
        while (lanes < (size_t)group && lanes * POINTS < e->size.particles)
            lanes *= 2;
        defines[count++] = (struct shoal_define){"POINTS", POINTS};
        defines[count++] = (struct shoal_define){"LANES", (int64_t)lanes};
        defines[count++] = (struct shoal_define){"STAGE", cpu ? 0 : 8};
        defines[count++] = (struct shoal_define){"LINEAR", 1};
    }
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = count;
    params.texts = &text;
    params.text_count = 1;
    params.variant = bench_program(program)->native ? bench->variant : SHOAL_VARIANT_AUTO;
    enum shoal_status status =
        shoal_program_create(bench->device, bench_program(program), &params, &e->program, error);
    if (status == SHOAL_OK)
        status = shoal_kernel_create(e->program, entry, &e->kernel, error);
    if (status == SHOAL_OK && e->mapping == ROWS)
        status = shoal_kernel_create(e->program, "rows_sum", &e->sum, error);
    if (status != SHOAL_OK)
        return status;
    *fits = shoal_kernel_work_group(e->kernel) == group;
    const size_t warp = group < WARP ? (size_t)group : WARP;
    e->group_points = e->mapping == THREAD                          ? (size_t)group
                      : e->mapping == MOD                           ? warp
                      : e->mapping == LANES || e->mapping == WARP_2 ? (size_t)group / warp
                      : e->mapping == ROWS                          ? lanes * POINTS
                                                                    : 1;
    return SHOAL_OK;
}

static void release(struct evaluation *e)
{
    shoal_kernel_destroy(&e->sum);
    shoal_kernel_destroy(&e->kernel);
    shoal_program_destroy(&e->program);
}

/* Seconds of one evaluation, from some milliseconds of them. */
static enum shoal_status time_run(struct bench *bench, double *seconds, struct shoal_error *error)
{
    enum shoal_status status = run(bench, error);
    if (status == SHOAL_OK)
        status = shoal_queue_finish(bench->queue, error);
    for (unsigned count = 1; status == SHOAL_OK; count *= 4) {
        const double start = bench_seconds();
        for (unsigned i = 0; i < count && status == SHOAL_OK; i++)
            status = run(bench, error);
        if (status == SHOAL_OK)
            status = shoal_queue_finish(bench->queue, error);
        const double spent = bench_seconds() - start;
        *seconds = spent / count;
        if (spent > 2e-3)
            break;
    }
    return status;
}

/* The best number of runs of rows for the kernel that is built: a few for each compute unit. */
static enum shoal_status choose_splits(struct bench *bench, struct evaluation *e, double *seconds,
                                       struct shoal_error *error)
{
    const size_t units = shoal_device_get_info(bench->device)->units,
                 point_groups = groups_of(e->size.particles, e->group_points);
    size_t best = 1;
    enum shoal_status status = SHOAL_OK;
    *seconds = (double)INFINITY;
    for (size_t each = 1; each <= 16 && status == SHOAL_OK; each *= 2) {
        double taken;
        e->splits = (units * each + point_groups - 1) / point_groups;
        if (e->splits > e->most_splits)
            break;
        status = time_run(bench, &taken, error);
        if (status == SHOAL_OK && taken < *seconds) {
            *seconds = taken;
            best = e->splits;
        }
        if (e->splits == 1 && each * units >= 2 * point_groups)
            break;
    }
    e->splits = best;
    return status;
}

static enum shoal_status choose_group(struct bench *bench, struct evaluation *e, struct shoal_error *error)
{
    static const int64_t gpu_groups[] = {32, 64, 128, 256, 512, 1024, 0}, cpu_groups[] = {16, 64, 0},
                         rows_groups[] = {128, 256, 0}, cpu_rows[] = {1, 0};
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    const int64_t *groups = e->mapping == ROWS ? (info->is_cpu ? cpu_rows : rows_groups)
                                               : (info->is_cpu ? cpu_groups : gpu_groups);
    int64_t best = 0;
    size_t best_splits = 1;
    double least = (double)INFINITY, build_s = 0;
    bool fits = false;
    enum shoal_status status = SHOAL_OK;
    for (; *groups && status == SHOAL_OK; groups++) {
        double seconds = (double)INFINITY;
        if ((uint64_t)*groups > info->max_work_group)
            continue;
        status = build(bench, e, *groups, &fits, error);
        build_s += status == SHOAL_OK ? shoal_program_build_seconds(e->program) : 0;
        if (status == SHOAL_OK && fits)
            status = e->mapping == ROWS ? choose_splits(bench, e, &seconds, error)
                                        : time_run(bench, &seconds, error);
        if (status == SHOAL_OK && seconds < least) {
            least = seconds;
            best = *groups;
            best_splits = e->splits;
        }
        release(e);
    }
    if (status == SHOAL_OK && !best)
        status = bench_fail(error, SHOAL_UNSUPPORTED, "the device takes none of the work-group sizes");
    if (status == SHOAL_OK)
        status = build(bench, e, best, &fits, error);
    if (status != SHOAL_OK)
        return status;
    e->splits = best_splits;
    bench_uses(bench, e->program);
    bench->build_s += build_s;
    return SHOAL_OK;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct entry *entry = bench->data;
    struct evaluation *e = bench->state = calloc(1, sizeof *e);
    if (!e)
        return no_memory(error);
    if (!shoal_device_get_info(bench->device)->fp64)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the device has no double precision");
    e->size = entry->size;
    e->mapping = entry->mapping;
    e->splits = 1;
    const size_t particles = e->size.particles;
    e->tile = e->mapping == BLOCK || e->mapping == LANES ? 1 : groups_of(particles, WARP) * WARP;
    enum shoal_status status = thesis_has_rows(&e->size) ? create_rows(bench, e, error) : SHOAL_OK;
    if (status == SHOAL_OK)
        status = create_positions(bench, e, error);
    if (status == SHOAL_OK && e->mapping == ROWS) {
        /* Not below a tile of rows, and not beyond what a small part of the memory holds. */
        e->most_splits = e->size.rows / ROW_TILE < 4096 ? e->size.rows / ROW_TILE : 4096;
        while (e->most_splits > 1 && e->most_splits * particles > ((size_t)32 << 20))
            e->most_splits /= 2;
        status = shoal_buffer_create(bench->device, e->most_splits * particles * sizeof(double), &e->partials,
                                     error);
    }
    if (status == SHOAL_OK)
        status = choose_group(bench, e, error);
    bench->roof_work =
        e->rows ? thesis_row_flops(&e->size) : sizeof(double) * (double)(particles * e->size.dim);
    return status;
}

/* The terms are added in an order of the device's, some 1e6 of them at most. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct evaluation *e = bench->state;
    const size_t dim = e->size.dim;
    check->passed = true;
    for (size_t k = 0; k < checked_count(&e->size); k++) {
        const double *x = e->host_x + k * dim;
        const size_t i = checked(&e->size, k);
        double value, wanted = e->rows ? thesis_rows_value(&e->size, e->host_rows, x)
                                       : shoal_objective_value(shoal_objective_find("sphere"), x, dim);
        enum shoal_status status =
            shoal_buffer_read(bench->queue, e->y, i * sizeof value, &value, sizeof value, error);
        if (status != SHOAL_OK)
            return status;
        const double off = fabs(value - wanted) / fmax(1, fabs(wanted));
        check->error = fmax(check->error, off);
        if (!(off <= 1e-11)) {
            check->passed = false;
            snprintf(check->detail, sizeof check->detail, "particle %zu has %.12g, not %.12g", i, value,
                     wanted);
        }
    }
    return SHOAL_OK;
}

static enum shoal_status create_host(struct bench *bench, struct shoal_error *error)
{
    const struct entry *entry = bench->data;
    const bool ours = entry->mapping == LANES || entry->mapping == ROWS;
    return thesis_host_create(bench, &entry->size, ours ? thesis_blocked() : &thesis_scalar, error);
}

static const struct bench_ops ops = {create, NULL, run, check, destroy};
static const struct bench_ops host_ops = {create_host, NULL, thesis_host_evaluate, thesis_host_check,
                                          thesis_host_destroy};

/* One entry. `us`: of the thesis, on its GTX660Ti; host: &host_ops or NULL. */
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
