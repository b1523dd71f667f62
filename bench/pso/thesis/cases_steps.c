/* The suite thesis-pso: single steps of an iteration (tables 3 and 4 of the thesis).
 *
 * Table 3 is on the least number of an array and its index: in each pass a group of B work-items reduces 2 B
 * values to one, until a single value is left. The cases are the thesis's variants for the end of the work of
 * a group, each at the best B, and the library's own reduction. Table 4 is on the move alone, of the
 * particles' positions and velocities. The cases are the thesis's two methods to keep the state of its
 * generator, and random numbers by a counter. The thesis does not say how many dimensions it used; here there
 * are 256, as in its charts.
 *
 * Host rows: the scalar code is compared with each variant of the thesis, the blocked code with the library's
 * variant. Both codes draw the random numbers of table 4 by the counter.
 */
#include "bench/pso/host.h"
#include "bench/runner/group.h"

#include <math.h>
#include <shoal/primitives.h>
#include <shoal/pso.h>
#include <shoal/rng.h>
#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>

#include "cl/search/layout.clh"

#define SHOAL_XORWOW_HOST
#include "cl/pso/layout.clh"
#include "cl/pso/thesis/xorwow.clh"
#undef SHOAL_XORWOW_HOST

/* Table 3 ---------------------------------------------------------------------------------------------- */

/* OURS is the library's reduction; the others are values of ARGMIN in pso/thesis/argmin.clh. */
enum { OURS = -1, SHARED, SHFL, VOL, WARP_FIRST };

struct array {
    uint32_t count;
    int variant;
};

struct search {
    struct bench_group group;
    struct shoal_reduce *reduce;
    struct shoal_buffer *values, *passes[2],
        /* places of the values; passes use the two buffers in turn, and the result is in buffer `last` */
        *places[2];
    double *host_values;
    uint32_t count;
    int last;
    /* The following members are used on the host. */
    const struct thesis_twin *twin;
    size_t place;
};

static void search_destroy(struct bench *bench)
{
    struct search *s = bench->state;
    if (!s)
        return;
    bench_group_release(&s->group);
    shoal_reduce_destroy(&s->reduce);
    shoal_buffer_destroy(&s->values);
    for (int k = 0; k < 2; k++) {
        shoal_buffer_destroy(&s->passes[k]);
        shoal_buffer_destroy(&s->places[k]);
    }
    free(s->host_values);
    free(s);
    bench->state = NULL;
}

static enum shoal_status search_run(struct bench *bench, struct shoal_error *error)
{
    struct search *s = bench->state;
    const struct shoal_reduce_args reduced = {
        .data = s->values, .n = s->count, .result = s->passes[0], .index = s->places[0]};
    if (s->reduce)
        return shoal_reduce_run(s->reduce, bench->queue, &reduced, error);
    const uint32_t length = 2 * shoal_kernel_work_group(s->group.kernel);
    struct shoal_buffer *values = s->values, *places = NULL;
    uint32_t count = s->count;
    enum shoal_status status = SHOAL_OK;
    s->last = 1;
    do {
        const uint32_t groups = (count + length - 1) / length;
        s->last = !s->last;
        const struct shoal_arg args[] = {
            shoal_arg_buffer(values),
            shoal_arg_buffer(places),
            shoal_arg_buffer(s->passes[s->last]),
            shoal_arg_buffer(s->places[s->last]),
            shoal_arg_uint(places != NULL),
            shoal_arg_uint(count),
            shoal_arg_uint(length),
            shoal_arg_uint(groups),
        };
        status = shoal_launch(bench->queue, s->group.kernel, groups, args, sizeof args / sizeof *args, NULL,
                              error);
        values = s->passes[s->last];
        places = s->places[s->last];
        count = groups;
    } while (count > 1 && status == SHOAL_OK);
    return status;
}

/* Makes the numbers on the host. */
static enum shoal_status search_begin(struct bench *bench, struct shoal_error *error)
{
    const size_t count = ((const struct array *)bench->data)->count;
    struct search *s = bench->state = calloc(1, sizeof *s);
    if (s)
        s->host_values = malloc(count * sizeof *s->host_values);
    if (!s || !s->host_values)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu numbers", count);
    s->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        s->host_values[i] =
            shoal_uniform_double(shoal_random_words(1, SHOAL_STREAM_TEST, 0, (uint32_t)i, 0).x, 0);
    return SHOAL_OK;
}

static enum shoal_status search_create(struct bench *bench, struct shoal_error *error)
{
    const struct array *array = bench->data;
    const size_t count = array->count;
    enum shoal_status status = search_begin(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct search *s = bench->state;
    bench->roof_work = (double)(count * sizeof *s->host_values);
    status = shoal_buffer_create(bench->device, count * sizeof(double), &s->values, error);
    if (status == SHOAL_OK)
        status =
            shoal_buffer_write(bench->queue, s->values, 0, s->host_values, count * sizeof(double), error);
    for (int k = 0; k < 2 && status == SHOAL_OK; k++) {
        status = shoal_buffer_create(bench->device, count * sizeof(double), &s->passes[k], error);
        if (status == SHOAL_OK)
            status = shoal_buffer_create(bench->device, count * sizeof(uint32_t), &s->places[k], error);
    }
    if (status != SHOAL_OK)
        return status;
    if (array->variant == OURS) {
        status = shoal_reduce_create(bench->device, SHOAL_ARGMIN, SHOAL_TYPE_DOUBLE, count, bench->variant,
                                     &s->reduce, error);
        if (status == SHOAL_OK)
            bench_uses(bench, shoal_reduce_program(s->reduce, 0));
        return status;
    }
    const struct shoal_define defines[] = {{"REAL", 64}, {"ARGMIN", array->variant}};
    struct bench_group_build build = {
        .program = "pso.thesis-islands", .entry = "search_argmin", .defines = defines, .define_count = 2};
    shoal_program_params_init(&build.params);
    return bench_group_choose(bench, &build, search_run, &s->group, error);
}

/* Checks the least number and its place; of equal numbers the first counts as the least. */
static void compare_least(const struct search *s, double value, uint32_t place, struct bench_check *check)
{
    uint32_t wanted = 0;
    for (uint32_t i = 1; i < s->count; i++)
        if (s->host_values[i] < s->host_values[wanted])
            wanted = i;
    check->passed = place == wanted && value == s->host_values[wanted];
    snprintf(check->detail, sizeof check->detail, "the least is %.9g at %u, not %.9g at %u", value,
             (unsigned)place, s->host_values[wanted], (unsigned)wanted);
}

static enum shoal_status search_check(struct bench *bench, struct bench_check *check,
                                      struct shoal_error *error)
{
    const struct search *s = bench->state;
    uint32_t place = 0;
    double value = 0;
    enum shoal_status status =
        shoal_buffer_read(bench->queue, s->passes[s->last], 0, &value, sizeof value, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_read(bench->queue, s->places[s->last], 0, &place, sizeof place, error);
    if (status == SHOAL_OK)
        compare_least(s, value, place, check);
    return status;
}

/* There is no share of the memory's rate, because these numbers stay in the caches of a processor. */
static enum shoal_status search_create_host(struct bench *bench, struct shoal_error *error)
{
    enum shoal_status status = search_begin(bench, error);
    if (status != SHOAL_OK)
        return status;
    struct search *s = bench->state;
    s->twin = ((const struct array *)bench->data)->variant == OURS ? thesis_blocked() : &thesis_scalar;
    s->place = SIZE_MAX; /* no place is known yet */
    bench->compiler = s->twin->compiler;
    return SHOAL_OK;
}

static enum shoal_status search_run_host(struct bench *bench, struct shoal_error *error)
{
    (void)error;
    struct search *s = bench->state;
    s->place = thesis_least(s->twin, s->host_values, s->count);
    return SHOAL_OK;
}

static enum shoal_status search_check_host(struct bench *bench, struct bench_check *check,
                                           struct shoal_error *error)
{
    (void)error;
    const struct search *s = bench->state;
    compare_least(s, s->place < s->count ? s->host_values[s->place] : NAN, (uint32_t)s->place, check);
    return SHOAL_OK;
}

static const struct bench_ops search_ops = {search_create, NULL, search_run, search_check, search_destroy},
                              search_host_ops = {search_create_host, NULL, search_run_host, search_check_host,
                                                 search_destroy};

/* Table 4 ---------------------------------------------------------------------------------------------- */

enum { DIM = 256, CHECKED = 4 };

static const double inertia = 0.7298, pull = 1.49618, lower = -5.12, upper = 5.12;
static const uint64_t seed = 1;

struct swarm_size {
    uint32_t particles;
    int32_t random; /* of enum shoal_pso_random */
};

struct move {
    struct bench_group group;
    struct shoal_buffer *x, *v, *p, *leader, *states, *outside, *words, *settings;
    struct swarm_size size;
    uint32_t step; /* step of the next launch; step 0 draws the particles */
};

static void move_destroy(struct bench *bench)
{
    struct move *m = bench->state;
    if (!m)
        return;
    bench_group_release(&m->group);
    struct shoal_buffer **const buffers[] = {&m->x,      &m->v,       &m->p,     &m->leader,
                                             &m->states, &m->outside, &m->words, &m->settings};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    free(m);
    bench->state = NULL;
}

static bool has_counter(const struct move *m)
{
    return m->size.random == SHOAL_PSO_PHILOX;
}

static enum shoal_status move_run(struct bench *bench, struct shoal_error *error)
{
    struct move *m = bench->state;
    const uint32_t particles = m->size.particles;
    const struct search_shape shape = {
        .seed = seed, .members = particles, .run_islands = 1, .islands = 1, .dim = DIM, .tile = particles};
    const struct pipeline_links links = {.neighbours = 2, .columns = 1};
    const struct pipeline_batch batch = {.count = particles, .step = m->step, .lanes = 1};
    const size_t group = shoal_kernel_work_group(m->group.kernel), groups = (particles + group - 1) / group;
    /* A work-item of pso_move handles four dimensions, one of pso_move_whole handles all of them. */
    const struct shoal_arg by_counter[] = {
        shoal_arg_buffer(m->x),
        shoal_arg_buffer(m->v),
        shoal_arg_buffer(m->p),
        shoal_arg_buffer(m->leader),
        shoal_arg_buffer(NULL),
        shoal_arg_buffer(NULL),
        shoal_arg_buffer(m->outside),
        shoal_arg_buffer(m->words),
        shoal_arg_buffer(m->settings),
        shoal_arg_struct(&shape, sizeof shape),
        shoal_arg_struct(&links, sizeof links),
        shoal_arg_struct(&batch, sizeof batch),
    };
    const struct shoal_arg by_state[] = {
        shoal_arg_buffer(m->x),
        shoal_arg_buffer(m->v),
        shoal_arg_buffer(m->p),
        shoal_arg_buffer(m->leader),
        shoal_arg_buffer(m->states),
        shoal_arg_buffer(m->outside),
        shoal_arg_buffer(m->words),
        shoal_arg_buffer(m->settings),
        shoal_arg_struct(&shape, sizeof shape),
        shoal_arg_struct(&batch, sizeof batch),
    };
    m->step++;
    return has_counter(m) ? shoal_launch(bench->queue, m->group.kernel, groups * (DIM / 4), by_counter,
                                         sizeof by_counter / sizeof *by_counter, NULL, error)
                          : shoal_launch(bench->queue, m->group.kernel, groups, by_state,
                                         sizeof by_state / sizeof *by_state, NULL, error);
}

static enum shoal_status move_buffers(struct bench *bench, struct move *m, struct shoal_error *error)
{
    const size_t particles = m->size.particles, coordinates = sizeof(double) * particles * DIM;
    const double settings[SET_BOX] = {[SET_INERTIA] = inertia, [SET_COGNITIVE] = pull, [SET_SOCIAL] = pull,
                                      [SET_LOWER] = lower,     [SET_UPPER] = upper,    [SET_SIGN] = 1};
    const struct {
        struct shoal_buffer **buffer;
        size_t bytes;
    } buffers[] = {
        {&m->x, coordinates},
        {&m->v, coordinates},
        {&m->p, coordinates},
        {&m->leader, sizeof(uint32_t)},
        {&m->states, sizeof(uint32_t) * XORWOW_WORDS * particles},
        {&m->outside, sizeof(uint32_t) * particles},
        {&m->words, sizeof(uint32_t) * ISLAND_WORDS},
        {&m->settings, sizeof settings},
    };
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && status == SHOAL_OK; i++) {
        status = shoal_buffer_create(bench->device, buffers[i].bytes, buffers[i].buffer, error);
        if (status == SHOAL_OK)
            status = shoal_buffer_fill(bench->queue, *buffers[i].buffer, 0, buffers[i].bytes, 0, error);
    }
    return status == SHOAL_OK
               ? shoal_buffer_write(bench->queue, m->settings, 0, settings, sizeof settings, error)
               : status;
}

/* Bytes of a move: x and v are read and written, p is read. */
static double move_bytes(const struct swarm_size *size)
{
    return 5.0 * sizeof(double) * DIM * (double)size->particles;
}

static enum shoal_status move_create(struct bench *bench, struct shoal_error *error)
{
    struct move *m = bench->state = calloc(1, sizeof *m);
    if (!m)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the swarm");
    m->size = *(const struct swarm_size *)bench->data;
    const struct shoal_define defines[] = {
        {"REAL", 64}, {"RANDOM", m->size.random}, {"BOUNDS", SHOAL_PSO_UNBOUNDED}};
    struct bench_group_build build = {.program = has_counter(m) ? "pso.move" : "pso.thesis-move",
                                      .entry = has_counter(m) ? "pso_move" : "pso_move_whole",
                                      .defines = defines,
                                      .define_count = 3};
    shoal_program_params_init(&build.params);
    enum shoal_status status = move_buffers(bench, m, error);
    if (status == SHOAL_OK)
        status = bench_group_choose(bench, &build, move_run, &m->group, error);
    const size_t coordinates = sizeof(double) * m->size.particles * DIM;
    /* The particles are drawn anew by the kernel that is measured; each particle's best position is its
     * first. */
    m->step = 0;
    if (status == SHOAL_OK)
        status = move_run(bench, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_copy(bench->queue, m->x, 0, m->p, 0, coordinates, error);
    bench->roof_work = move_bytes(&m->size);
    return status;
}

/* A particle on the host: its position and velocity, and the generator that moves it. */
struct particle {
    double x[DIM], v[DIM], p[DIM];
    struct xorwow state; /* used where the random numbers are not by the counter */
};

/* What the check has to know of a swarm, whether it is on a device or belongs to a twin. */
struct mover {
    enum shoal_status (*get)(struct bench *bench, size_t i, struct particle *particle,
                             struct shoal_error *error);
    enum shoal_status (*run)(struct bench *bench, struct shoal_error *error);
    struct swarm_size size;
    uint32_t step; /* step of the next run */
    double goal[DIM];
};

static enum shoal_status get_particle(struct bench *bench, size_t i, struct particle *particle,
                                      struct shoal_error *error)
{
    const struct move *m = bench->state;
    enum shoal_status status = SHOAL_OK;
    for (size_t d = 0; d < DIM && status == SHOAL_OK; d++) {
        const size_t at = (d * m->size.particles + i) * sizeof(double);
        status = shoal_buffer_read(bench->queue, m->x, at, &particle->x[d], sizeof(double), error);
        if (status == SHOAL_OK)
            status = shoal_buffer_read(bench->queue, m->v, at, &particle->v[d], sizeof(double), error);
        if (status == SHOAL_OK)
            status = shoal_buffer_read(bench->queue, m->p, at, &particle->p[d], sizeof(double), error);
    }
    for (size_t k = 0; k < XORWOW_WORDS && status == SHOAL_OK; k++)
        status = shoal_buffer_read(bench->queue, m->states, (k * m->size.particles + i) * sizeof(uint32_t),
                                   &particle->state.s[k], sizeof(uint32_t), error);
    return status;
}

/* Makes one step of a particle as docs/pso.md describes it. */
static void move_particle(const struct mover *m, size_t i, struct particle *particle)
{
    if (m->size.random == SHOAL_PSO_REG)
        particle->state = xorwow_start(seed, (uint32_t)i, m->step);
    for (uint32_t d = 0; d < DIM; d++) {
        const struct shoal_words w =
            shoal_random_words(seed, SHOAL_STREAM_PSO_MOVE, m->step, (uint32_t)i, d / 2);
        uint32_t own = d % 2 ? w.z : w.x, other = d % 2 ? w.w : w.y;
        if (m->size.random != SHOAL_PSO_PHILOX) {
            own = xorwow_next(&particle->state);
            other = xorwow_next(&particle->state);
        }
        particle->v[d] = inertia * particle->v[d] +
                         pull * shoal_uniform_double(own, 0) * (particle->p[d] - particle->x[d]) +
                         pull * shoal_uniform_double(other, 0) * (m->goal[d] - particle->x[d]);
        particle->x[d] += particle->v[d];
    }
}

/* Makes one more run, and compares some particles with the expected result. */
static enum shoal_status check_mover(struct bench *bench, const struct mover *m, struct bench_check *check,
                                     struct shoal_error *error)
{
    struct particle before[CHECKED], after;
    enum shoal_status status = SHOAL_OK;
    bool passed = true; /* coordinates are some 10, with a few roundings each */
    for (size_t k = 0; k < CHECKED && status == SHOAL_OK; k++) {
        const size_t i = k * (m->size.particles - 1) / (CHECKED - 1);
        status = m->get(bench, i, &before[k], error);
        if (status == SHOAL_OK)
            move_particle(m, i, &before[k]);
    }
    if (status == SHOAL_OK)
        status = m->run(bench, error);
    for (size_t k = 0; k < CHECKED && status == SHOAL_OK; k++) {
        status = m->get(bench, k * (m->size.particles - 1) / (CHECKED - 1), &after, error);
        for (size_t d = 0; d < DIM && status == SHOAL_OK; d++) {
            const double off = fmax(fabs(after.x[d] - before[k].x[d]), fabs(after.v[d] - before[k].v[d]));
            check->error = fmax(check->error, off);
            passed = passed && off <= 1e-12 && isfinite(after.x[d]) && isfinite(after.v[d]);
        }
    }
    check->passed = passed;
    snprintf(check->detail, sizeof check->detail, "a coordinate is %.3g off", check->error);
    return status;
}

/* The goal is particle 0's best position. */
static enum shoal_status move_check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct move *m = bench->state;
    struct mover mover = {.get = get_particle, .run = move_run, .size = m->size, .step = m->step};
    struct particle leader;
    enum shoal_status status = get_particle(bench, 0, &leader, error);
    if (status != SHOAL_OK)
        return status;
    memcpy(mover.goal, leader.p, sizeof leader.p);
    return check_mover(bench, &mover, check, error);
}

static enum shoal_status move_create_host(struct bench *bench, struct shoal_error *error)
{
    const struct swarm_size *swarm = bench->data;
    /* The function's box is the one above; the function only determines the goal, and is not evaluated
     * again. */
    const struct thesis_size size = {.function = "f4", .dim = DIM, .particles = swarm->particles};
    bench->roof_work = move_bytes(swarm);
    return thesis_host_create(bench, &size,
                              swarm->random == SHOAL_PSO_PHILOX ? thesis_blocked() : &thesis_scalar, error);
}

static enum shoal_status get_host_particle(struct bench *bench, size_t i, struct particle *particle,
                                           struct shoal_error *error)
{
    (void)error;
    const struct thesis_host *host = bench->state;
    host->twin->particle(host->swarm, i, particle->x, particle->v, particle->p);
    return SHOAL_OK;
}

static enum shoal_status move_check_host(struct bench *bench, struct bench_check *check,
                                         struct shoal_error *error)
{
    const struct thesis_host *host = bench->state;
    struct mover mover = {.get = get_host_particle,
                          .run = thesis_host_move,
                          .size = {(uint32_t)host->size.particles, SHOAL_PSO_PHILOX},
                          .step = host->moves + 1};
    host->twin->best(host->swarm, mover.goal);
    return check_mover(bench, &mover, check, error);
}

static const struct bench_ops move_ops = {move_create, NULL, move_run, move_check, move_destroy},
                              move_host_ops = {move_create_host, NULL, thesis_host_move, move_check_host,
                                               thesis_host_destroy};

/* Cases ------------------------------------------------------------------------------------------------ */

#define SEARCH(name_of, how, n, t, us, host_rows)                                                            \
    {                                                                                                        \
        .name = "thesis-pso.table3." name_of "-" #n, .help = t, .unit = "s", .precision = "fp64",            \
        .roof = SHOAL_ROOF_COPY_BYTES, .data = &(const struct array){n, how}, .published = us * 1e-6,        \
        .published_on = "GTX660Ti", .device = &search_ops, .host = host_rows                                 \
    }
#define SEARCHES(n, shared, shfl, vol)                                                                       \
    SEARCH("shared", SHARED, n, "least of " #n " numbers and its index, SHARED", shared, &search_host_ops),  \
        SEARCH("shfl", SHFL, n, "the same, SHFL", shfl, &search_host_ops),                                   \
        SEARCH("vol", VOL, n, "the same, VOL", vol, &search_host_ops),                                       \
        SEARCH("warp-first", WARP_FIRST, n, "the same, sections of 32 first (no figure published)", 0,       \
               NULL),                                                                                        \
        SEARCH("ours", OURS, n, "the same by the library's reduction; published: SHFL", shfl,                \
               &search_host_ops)

#define MOVE(name_of, how, n, t, us, big)                                                                    \
    {                                                                                                        \
        .name = "thesis-pso.table4." name_of "-" #n, .help = t, .unit = "s", .precision = "fp64",            \
        .roof = SHOAL_ROOF_COPY_BYTES, .data = &(const struct swarm_size){n, how}, .published = us * 1e-6,   \
        .published_on = "GTX660Ti", .large = big, .device = &move_ops, .host = &move_host_ops                \
    }
#define MOVES(n, glob, reg, big)                                                                             \
    MOVE("glob", SHOAL_PSO_GLOB, n,                                                                          \
         "moves " #n " particles in 256 dimensions (the thesis does not say how many), GLOB", glob, big),    \
        MOVE("reg", SHOAL_PSO_REG, n, "the same, REG", reg, big),                                            \
        MOVE("philox", SHOAL_PSO_PHILOX, n, "the same, numbers by a counter, four dimensions a work-item",   \
             reg, big)

static const struct bench_case cases[] = {
    SEARCHES(16384, 12, 8, 9),      SEARCHES(65536, 27, 18, 20),
    SEARCHES(262144, 79, 51, 54),   SEARCHES(1048576, 281, 177, 189),
    MOVES(65536, 1589, 1551, true), MOVES(2048, 0, 0, false), /* this size is for CPUs */
};

const struct bench_case_list bench_thesis_step_cases = {cases, sizeof cases / sizeof *cases};
