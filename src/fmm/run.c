/* The fast multipole method on a device: the launches of a sum. The host waits for none of them. */
#include "base/params.h"
#include "compute/launch.h"
#include "fmm/device.h"

/* A sum, after the check of its arguments. */
struct job {
    struct shoal_fmm *fmm;
    struct shoal_queue *queue;
    struct shoal_fmm_args args;
    struct shoal_kernel *const *kernels; /* with potentials, if they are wanted */
    uint32_t source_count, target_count;
    const struct fmm_points_on_device *targets; /* those of the sources, where they are the targets */
};

static size_t groups_at_most(const struct job *job, size_t groups)
{
    return groups < job->fmm->most_groups ? groups : job->fmm->most_groups;
}

static size_t groups_for(const struct job *job, enum fmm_kernel kernel, size_t items)
{
    return groups_at_most(job, shoal_kernel_groups(job->kernels[kernel], items));
}

/* The level whose cells are full, if points are spread evenly. */
static uint32_t even_level(const struct job *job)
{
    const uint64_t most = job->source_count > job->target_count ? job->source_count : job->target_count;
    uint32_t level = 0;
    while (level < FMM_DEPTH && ((uint64_t)job->fmm->plan.points << 2 * level) < most)
        level++;
    return level;
}

/* Groups of a launch for the cells of a level, with `items` work-items each. Launches for levels that are far
 * below that of even points mostly find no cells. With few groups they end sooner then; else their items take
 * more turns. */
static size_t groups_of_level(const struct job *job, enum fmm_kernel kernel, uint32_t level, size_t items)
{
    const struct shoal_fmm *const fmm = job->fmm;
    const uint64_t cells = UINT64_C(1) << 2 * level;
    const size_t groups = groups_for(job, kernel, (cells < fmm->room ? (size_t)cells : fmm->room) * items);
    const size_t few = div_up(fmm->most_groups, 16);
    return level > even_level(job) + 3 && few < groups ? few : groups;
}

static enum shoal_status write_nodes(struct shoal_fmm *fmm, struct shoal_queue *queue,
                                     struct shoal_error *error)
{
    enum { MOST = FMM_MOST_NODES * (1 + 3 * FMM_MOST_NODES) };
    struct fmm_nodes nodes;
    double numbers[MOST];
    float singles[MOST];
    size_t count = 0;
    const unsigned n = fmm->plan.nodes;
    fmm_nodes_set(&nodes, n, fmm->plan.degree);
    for (unsigned i = 0; i < n; i++)
        numbers[count++] = nodes.place[i];
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++)
            numbers[count++] = nodes.factor[k][i];
    for (unsigned half = 0; half < 2; half++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned i = 0; i < n; i++)
                numbers[count++] = nodes.shift[half][j][i];
    for (size_t i = 0; i < count; i++)
        singles[i] = (float)numbers[i];
    enum shoal_status status = shoal_buffer_write(
        queue, fmm->buffers.nodes, 0, fmm->params.real == SHOAL_TYPE_DOUBLE ? (const void *)numbers : singles,
        count * fmm->real_bytes, error);
    fmm->has_nodes = !status;
    return status;
}

/* Groups that find the bounds of `points` points, of which one group then finds the bounds: about twice the
 * root of the number of points, so that neither takes long. */
static size_t groups_for_bounds(const struct job *job, uint32_t points)
{
    const size_t groups = groups_for(job, FMM_BOUNDS, points), few = (size_t)ceil(2 * sqrt(points));
    return job->fmm->goes_by_levels || groups < few ? groups : few;
}

static enum shoal_status make_root(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    size_t bounds = groups_for_bounds(job, job->source_count);
    enum shoal_status status =
        LAUNCH(fmm_bounds, job->queue, job->kernels[FMM_BOUNDS], bounds, error, .points = job->args.sources,
               .bounds = b->bounds, .n = job->source_count, .first_bound = 0);
    if (!status && job->args.targets) {
        const size_t groups = groups_for_bounds(job, job->target_count);
        status = LAUNCH(fmm_bounds, job->queue, job->kernels[FMM_BOUNDS], groups, error,
                        .points = job->args.targets, .bounds = b->bounds, .n = job->target_count,
                        .first_bound = (uint32_t)bounds);
        bounds += groups;
    }
    return status ? status
                  : LAUNCH(fmm_root, job->queue, job->kernels[FMM_ROOT], 1, error, .bounds = b->bounds,
                           .square = b->square, .cells = b->cells, .ranges = b->ranges, .counts = b->counts,
                           .bound_count = (uint32_t)bounds, .source_count = job->source_count,
                           .target_count = job->target_count);
}

static enum shoal_status sort_points(const struct job *job, struct shoal_buffer *points,
                                     const struct fmm_points_on_device *to, uint32_t n,
                                     struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    enum shoal_status status = LAUNCH(
        fmm_keys, job->queue, job->kernels[FMM_KEYS], shoal_kernel_groups(job->kernels[FMM_KEYS], n), error,
        .points = points, .square = fmm->buffers.square, .keys = to->keys, .order = to->order, .n = n);
    const struct shoal_sort_args sort = {.keys = to->keys,
                                         .values = to->order,
                                         .keys_out = to->keys,
                                         .values_out = to->order,
                                         .n = n,
                                         .end_bit = 2 * FMM_DEPTH};
    if (!status)
        status = shoal_sort_run(fmm->sort, job->queue, &sort, error);
    return status ? status
                  : LAUNCH(fmm_sorted, job->queue, job->kernels[FMM_SORTED],
                           shoal_kernel_groups(job->kernels[FMM_SORTED], n), error, .points = points,
                           .charges = to->charges ? job->args.charges : NULL, .fine = job->args.fine,
                           .sorted_fine = to->fine, .square = fmm->buffers.square, .order = to->order,
                           .sorted = to->places, .sorted_charges = to->charges, .n = n);
}

static enum shoal_status make_tree(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    enum shoal_status status = SHOAL_OK;
    for (uint32_t level = 0; level <= FMM_DEPTH && !status; level++)
        status =
            LAUNCH(fmm_divide, job->queue, job->kernels[FMM_DIVIDE],
                   groups_of_level(job, FMM_DIVIDE, level, 1), error, .source_keys = b->sources.keys,
                   .target_keys = job->targets->keys, .cells = b->cells, .ranges = b->ranges, .near = b->near,
                   .counts = b->counts, .level = level, .points = fmm->plan.points, .room = fmm->room);
    return status ? status
                  : LAUNCH(fmm_leaves, job->queue, job->kernels[FMM_LEAVES],
                           groups_for(job, FMM_LEAVES, fmm->room), error, .cells = b->cells,
                           .ranges = b->ranges, .counts = b->counts, .leaves = b->leaves, .units = b->units,
                           .unit = fmm_unit(fmm, job->args.potential), .room = fmm->room);
}

static enum shoal_status set_moments(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    const size_t groups = groups_at_most(job, fmm->room);
    enum shoal_status status =
        LAUNCH(fmm_moments, job->queue, job->kernels[FMM_MOMENTS], groups, error, .nodes = b->nodes,
               .square = b->square, .cells = b->cells, .ranges = b->ranges, .counts = b->counts,
               .leaves = b->leaves, .sources = b->sources.places, .fine = b->sources.fine,
               .charges = b->sources.charges, .moments = b->moments);
    /* cells above level 2 act on no other by their nodes */
    for (uint32_t level = FMM_DEPTH - 1; level >= 2 && !status && !fmm->climbs; level--)
        status = LAUNCH(fmm_up, job->queue, job->kernels[FMM_UP],
                        groups_of_level(job, FMM_UP, level, fmm->terms.moments), error, .nodes = b->nodes,
                        .cells = b->cells, .counts = b->counts, .moments = b->moments, .level = level,
                        .room = fmm->room);
    return status;
}

/* Adds to the incoming values of cells those of the cells above them. */
static enum shoal_status go_down(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    enum shoal_status status = SHOAL_OK;
    if (!fmm->goes_by_levels)
        return LAUNCH(fmm_down_leaves, job->queue, job->kernels[FMM_DOWN_LEAVES],
                      groups_at_most(job, fmm->room), error, .nodes = b->nodes, .cells = b->cells,
                      .counts = b->counts, .incoming = b->incoming, .room = fmm->room);
    /* no far cell acts on the cells of levels 0 and 1 */
    for (uint32_t level = 3; level <= FMM_DEPTH && !status; level++)
        status = LAUNCH(fmm_down, job->queue, job->kernels[FMM_DOWN],
                        groups_of_level(job, FMM_DOWN, level, fmm->terms.count), error, .nodes = b->nodes,
                        .cells = b->cells, .counts = b->counts, .incoming = b->incoming, .level = level,
                        .room = fmm->room);
    return status;
}

static enum shoal_status set_incoming(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    const struct shoal_fmm_params *const params = &fmm->params;
    const double softening2 = params->softening * params->softening;
    const size_t tables = FMM_FAR_LEVELS * FMM_OFFSETS, blocks = div_up(fmm->terms.count, FMM_BLOCK);
    enum shoal_status status =
        LAUNCH(fmm_law_rows, job->queue, job->kernels[FMM_LAW_ROWS],
               groups_at_most(job, tables * fmm->plan.nodes * fmm->plan.nodes), error, .nodes = b->nodes,
               .square = b->square, .counts = b->counts, .rows = b->law_rows, .softening2 = softening2,
               .strength = params->strength, .repulsion = params->repulsion, .room = fmm->room);
    if (!status)
        status = LAUNCH(fmm_laws, job->queue, job->kernels[FMM_LAWS],
                        groups_at_most(job, tables * fmm->terms.count), error, .nodes = b->nodes,
                        .counts = b->counts, .rows = b->law_rows, .laws = b->laws, .room = fmm->room);
    if (!status)
        status = LAUNCH(fmm_across, job->queue, job->kernels[FMM_ACROSS],
                        groups_for(job, FMM_ACROSS, 4 * blocks * fmm->room), error, .cells = b->cells,
                        .near = b->near, .counts = b->counts, .laws = b->laws, .moments = b->moments,
                        .incoming = b->incoming, .room = fmm->room);
    if (!status)
        status = LAUNCH(fmm_inward, job->queue, job->kernels[FMM_INWARD], groups_at_most(job, fmm->room),
                        error, .nodes = b->nodes, .square = b->square, .cells = b->cells, .ranges = b->ranges,
                        .near = b->near, .counts = b->counts, .sources = b->sources.places,
                        .fine = b->sources.fine, .charges = b->sources.charges, .incoming = b->incoming,
                        .softening2 = softening2, .strength = params->strength,
                        .repulsion = params->repulsion, .room = fmm->room);
    return status ? status : go_down(job, error);
}

static enum shoal_status sum_targets(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    const struct fmm_buffers *const b = &fmm->buffers;
    const struct shoal_fmm_params *const params = &fmm->params;
    /* The times of groups differ: many of them keep all units of the device busy until the end. */
    const size_t groups = 8 * (size_t)fmm->most_groups;
    return LAUNCH(fmm_targets, job->queue, job->kernels[FMM_SUM], groups, error, .nodes = b->nodes,
                  .square = b->square, .cells = b->cells, .ranges = b->ranges, .near = b->near,
                  .counts = b->counts, .units = b->units, .sources = b->sources.places,
                  .fine = b->sources.fine, .charges = b->sources.charges, .moments = b->moments,
                  .incoming = b->incoming, .targets = job->targets->places, .order = job->targets->order,
                  .field = job->args.field, .potential = job->args.potential,
                  .softening2 = params->softening * params->softening, .strength = params->strength,
                  .repulsion = params->repulsion, .same = job->args.targets ? 0 : 1);
}

static enum shoal_status enqueue(const struct job *job, struct shoal_error *error)
{
    struct shoal_fmm *const fmm = job->fmm;
    enum shoal_status status = fmm->has_nodes ? SHOAL_OK : write_nodes(fmm, job->queue, error);
    if (!status)
        status = make_root(job, error);
    if (!status)
        status = sort_points(job, job->args.sources, &fmm->buffers.sources, job->source_count, error);
    if (!status && job->args.targets)
        status = sort_points(job, job->args.targets, &fmm->buffers.targets, job->target_count, error);
    if (!status)
        status = make_tree(job, error);
    if (!status)
        status = set_moments(job, error);
    if (!status)
        status = set_incoming(job, error);
    return status ? status : sum_targets(job, error);
}

static enum shoal_status check_buffer(const char *call, const char *what, const struct shoal_buffer *buffer,
                                      size_t bytes, struct shoal_error *error)
{
    if (buffer && shoal_buffer_size(buffer) < bytes)
        return fail(error, SHOAL_INVALID, "%s: the buffer `%s` has %zu bytes; %zu are needed", call, what,
                    shoal_buffer_size(buffer), bytes);
    return SHOAL_OK;
}

static enum shoal_status check(const char *call, const struct shoal_fmm *fmm,
                               const struct shoal_fmm_args *args, struct shoal_error *error)
{
    const size_t real = fmm->real_bytes, targets = args->targets ? args->target_count : args->source_count;
    if (args->source_count > fmm->params.max_sources || args->target_count > fmm->params.max_targets)
        return fail(error, SHOAL_INVALID, "%s: %zu sources and %zu targets; the object is for %zu and %zu",
                    call, args->source_count, args->target_count, fmm->params.max_sources,
                    fmm->params.max_targets);
    if (!NEED_MEMBER_OF(error, call, args, *args, sources))
        return SHOAL_INVALID;
    if (!args->targets != !fmm->params.max_targets)
        return fail(error, SHOAL_INVALID, "%s: args.targets is %s, and the object has max_targets %zu", call,
                    args->targets ? "set" : "NULL", fmm->params.max_targets);
    if (!args->fine != !fmm->params.fine)
        return fail(error, SHOAL_INVALID,
                    "%s: args.fine is %s, and the object is for positions %s fine parts", call,
                    args->fine ? "set" : "NULL", fmm->params.fine ? "with" : "without");
    if (args->potential && !fmm->params.potential)
        return fail(error, SHOAL_INVALID,
                    "%s: the object computes no potentials; set `potential` in its "
                    "parameters",
                    call);
    const struct {
        const char *what;
        const struct shoal_buffer *buffer;
        size_t bytes;
    } buffers[] = {{"sources", args->sources, 2 * args->source_count * real},
                   {"charges", args->charges, args->source_count * real},
                   {"targets", args->targets, 2 * args->target_count * real},
                   {"fine", args->fine, 2 * args->source_count * real},
                   {"potential", args->potential, targets * real},
                   {"field", args->field, 2 * targets * real}};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < COUNT(buffers) && !status; i++)
        status = check_buffer(call, buffers[i].what, buffers[i].buffer, buffers[i].bytes, error);
    for (size_t result = 4; result < COUNT(buffers) && !status; result++)
        for (size_t i = 0; i < result && !status; i++)
            if (buffers[result].buffer && buffers[result].buffer == buffers[i].buffer)
                status = fail(error, SHOAL_INVALID, "%s: `%s` and `%s` are the same buffer", call,
                              buffers[i].what, buffers[result].what);
    return status;
}

enum shoal_status shoal_fmm_run(struct shoal_fmm *fmm, struct shoal_queue *queue,
                                const struct shoal_fmm_args *args, struct shoal_error *error)
{
    struct job job = {.fmm = fmm, .queue = queue};
    if (!NEED(error, fmm, queue, args))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(args, shoal_fmm_args_init, &job.args, error);
    if (!status)
        status = check(__func__, fmm, &job.args, error);
    if (status)
        return status;
    job.source_count = (uint32_t)job.args.source_count;
    job.target_count = (uint32_t)(job.args.targets ? job.args.target_count : job.args.source_count);
    job.kernels = fmm->kernels[job.args.potential != NULL];
    job.targets = job.args.targets ? &fmm->buffers.targets : &fmm->buffers.sources;
    return job.target_count && (job.args.field || job.args.potential) ? enqueue(&job, error) : SHOAL_OK;
}
