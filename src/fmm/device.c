/* The fast multipole method on a device: programs and buffers. */
#include "fmm/device.h"
#include "base/params.h"
#include "compute/device.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    /* Groups of a launch for each compute unit: several times as many as a unit runs at the same time. */
    GROUPS_PER_UNIT = 32,
    /* Room for cells: as many for each full cell of points, and a few. Points spread evenly need up to 6.
     * Where the room ends, cells of a level stay undivided: the sums take longer and have the same accuracy.
     */
    CELLS_PER_FULL = 8,
    LEAST_CELLS = 1024,
    /* Points whose cells are many for a GPU. On an H200 the launches for few cells made a step of 262,144
     * particles in 505 us in place of 549, but one of 2,097,152 in 1.71 ms in place of 1.55. */
    MANY_POINTS = 1 << 19
};

static const struct {
    const char *entry;
    enum fmm_program program;
} kernel_names[FMM_KERNELS] = {
    [FMM_BOUNDS] = {"fmm_bounds", FMM_TREE},      [FMM_ROOT] = {"fmm_root", FMM_TREE},
    [FMM_KEYS] = {"fmm_keys", FMM_TREE},          [FMM_SORTED] = {"fmm_sorted", FMM_TREE},
    [FMM_DIVIDE] = {"fmm_divide", FMM_TREE},      [FMM_LEAVES] = {"fmm_leaves", FMM_TREE},
    [FMM_LAW_ROWS] = {"fmm_law_rows", FMM_CELLS}, [FMM_LAWS] = {"fmm_laws", FMM_CELLS},
    [FMM_MOMENTS] = {"fmm_moments", FMM_CELLS},   [FMM_UP] = {"fmm_up", FMM_CELLS},
    [FMM_ACROSS] = {"fmm_across", FMM_CELLS},     [FMM_INWARD] = {"fmm_inward", FMM_CELLS},
    [FMM_DOWN] = {"fmm_down", FMM_CELLS},         [FMM_DOWN_LEAVES] = {"fmm_down_leaves", FMM_CELLS},
    [FMM_SUM] = {"fmm_targets", FMM_TARGETS},
};

/* Whether the softening is so large that the force over the distance does not overflow at a distance of 0.
 * The largest law grows with the inverse fourth power of the softening. There is room for charges up to 10^8.
 */
static bool is_bounded(const struct shoal_fmm *fmm)
{
    const struct shoal_fmm_params *params = &fmm->params;
    const double softening2 = params->softening * params->softening;
    const double most = fmm->real_bytes == sizeof(double) ? DBL_MAX : (double)FLT_MAX;
    const double numbers = 1 + fabs(params->strength) + fabs(params->repulsion);
    return softening2 * softening2 >= 1e8 / most * numbers;
}

/* Numbers of a vector. A tuned value of 1 chooses the text for GPUs on a CPU, too: for tests. */
static int64_t simd_of(struct shoal_device *device)
{
    int64_t tuned = FMM_SIMD;
    if (!is_plain_cpu(device))
        return 1;
    shoal_tuning_get(device, "fmm.targets", "SIMD", &tuned);
    return tuned == 1 ? 1 : FMM_SIMD;
}

enum { MOST_DEFINES = 16 /* of a program */ };

/* Cells of a work-item of fmm_across on a GPU. Two need fewer loads; one gives more groups, which a GPU lacks
 * where cells are few. */
static int64_t across_of(const struct shoal_fmm *fmm, struct shoal_device *device)
{
    const struct shoal_fmm_params *const params = &fmm->params;
    const size_t most = params->max_sources > params->max_targets ? params->max_sources : params->max_targets;
    int64_t cells = most > MANY_POINTS ? 2 : 1;
    shoal_tuning_get(device, "fmm.cells", "ACROSS", &cells);
    return cells == 2 ? 2 : 1;
}

/* Whether a launch makes the moments of all cells, if they are few. A tuned value lets other devices do so,
 * too: for tests. */
static bool climbs(struct shoal_device *device)
{
    int64_t tuned = is_cuda(device);
    shoal_tuning_get(device, "fmm.cells", "CLIMBS", &tuned);
    return tuned == 1;
}

/* Writes the defines of a program, and returns their number. */
static size_t list_defines(const struct shoal_fmm *fmm, struct shoal_device *device, size_t program,
                           int64_t simd, struct shoal_define *defines)
{
    const double softening2 = fmm->params.softening * fmm->params.softening;
    const double least = fmm->real_bytes == sizeof(double) ? DBL_MIN : (double)FLT_MIN;
    size_t n = 0;
    defines[n++] = (struct shoal_define){"REAL", (int64_t)(8 * fmm->real_bytes)};
    if (program == FMM_TREE)
        return n;
    defines[n++] = (struct shoal_define){"LAW", fmm->params.law};
    defines[n++] = (struct shoal_define){"NODES", fmm->plan.nodes};
    defines[n++] = (struct shoal_define){"DEGREE", fmm->plan.degree};
    defines[n++] = (struct shoal_define){"FINE", fmm->params.fine};
    defines[n++] = (struct shoal_define){"POTENTIAL", program >= FMM_CELLS_POTENTIAL};
    defines[n++] = (struct shoal_define){"SIMD", simd};
    if (program != FMM_TARGETS && program != FMM_TARGETS_POTENTIAL) {
        if (simd > 1)
            return n;
        defines[n++] = (struct shoal_define){"ACROSS", across_of(fmm, device)};
        defines[n++] = (struct shoal_define){"CLIMBS", fmm->climbs};
        return n;
    }
    defines[n++] = (struct shoal_define){"SOFTENED", softening2 >= least};
    defines[n++] = (struct shoal_define){"BOUNDED", is_bounded(fmm)};
    if (simd > 1) {
        /* A work-item is a group, and takes all targets of a cell, unless they are many. */
        defines[n++] = (struct shoal_define){"WG", 1};
        defines[n++] = (struct shoal_define){"TARGETS", 64};
        defines[n++] = (struct shoal_define){"TILE", 256};
    }
    return n;
}

static enum shoal_status build(struct shoal_fmm *fmm, struct shoal_device *device, struct shoal_error *error)
{
    static const struct shoal_program_desc *const descs[FMM_PROGRAMS] = {
        [FMM_TREE] = &fmm_tree_program,
        [FMM_CELLS] = &fmm_cells_program,
        [FMM_TARGETS] = &fmm_targets_program,
        [FMM_CELLS_POTENTIAL] = &fmm_cells_program,
        [FMM_TARGETS_POTENTIAL] = &fmm_targets_program};
    const int64_t simd = simd_of(device);
    enum shoal_status status = SHOAL_OK;
    fmm->goes_by_levels = simd > 1 || across_of(fmm, device) > 1;
    fmm->climbs = !fmm->goes_by_levels && climbs(device);
    fmm->program_count = fmm->params.potential ? FMM_PROGRAMS : FMM_CELLS_POTENTIAL;
    for (size_t p = 0; p < fmm->program_count && !status; p++) {
        struct shoal_define defines[MOST_DEFINES];
        const size_t count = list_defines(fmm, device, p, simd, defines);
        const struct shoal_program_params params =
            SHOAL_PROGRAM_PARAMS(.defines = defines, .define_count = count, .variant = fmm->params.variant);
        status = shoal_program_create(device, descs[p], &params, &fmm->programs[p], error);
    }
    for (int set = 0; set <= (int)fmm->params.potential; set++)
        for (int k = 0; k < FMM_KERNELS && !status; k++) {
            const int program = kernel_names[k].program,
                      own = program == FMM_TREE ? program : program + 2 * set;
            status =
                shoal_kernel_create(fmm->programs[own], kernel_names[k].entry, &fmm->kernels[set][k], error);
        }
    return status;
}

/* Sizes of cl/fmm/nodes.clh and cl/fmm/cells.cl, in numbers of the object's type. */
static struct fmm_terms terms_of(const struct shoal_fmm_params *params, const struct fmm_plan *plan)
{
    const size_t p = plan->nodes, missing = 2 * p - 2 - plan->degree;
    struct fmm_terms terms = {.count = p * p - missing * (missing + 1) / 2,
                              .channels = params->potential ? 3 : 2};
    const size_t blocks = div_up(terms.count, FMM_BLOCK);
    const size_t rows = (size_t)FMM_FAR_LEVELS * terms.channels * terms.count;
    terms.moments = rounded_up(terms.count, 4);
    terms.incoming = terms.channels * terms.count;
    terms.law_rows = rows * FMM_OFFSETS * p * p;
    terms.laws = rows * FMM_IMAGES * blocks * rounded_up(div_up(terms.count, blocks), FMM_SIMD);
    terms.constants = p + 3 * p * p;
    return terms;
}

static uint32_t room_of(const struct shoal_fmm_params *params, const struct fmm_plan *plan)
{
    return LEAST_CELLS +
           CELLS_PER_FULL * (uint32_t)div_up(params->max_sources + params->max_targets, plan->points);
}

/* A buffer to create. */
struct need {
    struct shoal_buffer **buffer;
    size_t bytes;
};

static enum shoal_status create_buffers(struct shoal_device *device, const struct need *needs, size_t count,
                                        struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = shoal_buffer_create(device, needs[i].bytes, needs[i].buffer, error);
    return status;
}

static enum shoal_status create_points(struct shoal_device *device, struct fmm_points_on_device *points,
                                       size_t count, size_t real_bytes, bool charges,
                                       struct shoal_error *error)
{
    const struct need needs[] = {{&points->keys, count * sizeof(uint32_t)},
                                 {&points->order, count * sizeof(uint32_t)},
                                 {&points->places, 2 * count * real_bytes},
                                 {&points->charges, count * real_bytes}};
    return create_buffers(device, needs, charges ? 4 : 3, error);
}

uint32_t fmm_unit(const struct shoal_fmm *fmm, bool potential)
{
    const struct shoal_program *program = fmm->programs[potential ? FMM_TARGETS_POTENTIAL : FMM_TARGETS];
    return shoal_kernel_work_group(fmm->kernels[potential][FMM_SUM]) *
           (uint32_t)shoal_program_define(program, "TARGETS");
}

static uint32_t least_unit(const struct shoal_fmm *fmm)
{
    const uint32_t fields = fmm_unit(fmm, false), both = fmm->params.potential ? fmm_unit(fmm, true) : fields;
    return fields < both ? fields : both;
}

static enum shoal_status allocate(struct shoal_fmm *fmm, struct shoal_device *device,
                                  struct shoal_error *error)
{
    const struct shoal_fmm_params *const params = &fmm->params;
    struct fmm_buffers *const b = &fmm->buffers;
    const struct fmm_terms *const terms = &fmm->terms;
    const size_t real = fmm->real_bytes, room = fmm->room,
                 targets = params->max_targets ? params->max_targets : params->max_sources,
                 units = room + targets / least_unit(fmm) + 1;
    const struct need needs[] = {
        {&b->bounds, 2 * (size_t)fmm->most_groups * 4 * real},
        {&b->square, (4 + FMM_DEPTH + 1 + 2) * real},
        {&b->nodes, terms->constants * real},
        {&b->counts, 32 * sizeof(uint32_t)},
        {&b->cells, room * 8 * sizeof(uint32_t)},
        {&b->ranges, room * 4 * sizeof(uint32_t)},
        {&b->near, room * 9 * sizeof(uint32_t)},
        {&b->leaves, room * sizeof(uint32_t)},
        {&b->units, units * 2 * sizeof(uint32_t)},
        {&b->law_rows, terms->law_rows * real},
        {&b->laws, terms->laws * real},
        {&b->moments, room * terms->moments * real},
        {&b->incoming, room * terms->incoming * real},
    };
    enum shoal_status status = create_buffers(device, needs, COUNT(needs), error);
    if (!status)
        status = create_points(device, &b->sources, params->max_sources, real, true, error);
    if (!status && params->fine)
        status = shoal_buffer_create(device, 2 * params->max_sources * real, &b->sources.fine, error);
    if (!status && params->max_targets)
        status = create_points(device, &b->targets, params->max_targets, real, false, error);
    if (!status)
        status = shoal_sort_create(device, targets > params->max_sources ? targets : params->max_sources,
                                   SHOAL_SORT_AUTO, params->variant, &fmm->sort, error);
    return status;
}

double fmm_device_bytes(const struct shoal_fmm_params *params)
{
    /* words of a cell, of a source and of a target; the sort has a second copy of its keys and values */
    enum { CELL_WORDS = 8 + 4 + 9 + 1 + 2, SOURCE_WORDS = 4, TARGET_WORDS = 2 };
    const struct fmm_plan plan = fmm_plan_of(params);
    const struct fmm_terms terms = terms_of(params, &plan);
    const size_t real = params->real == SHOAL_TYPE_DOUBLE ? sizeof(double) : sizeof(float);
    const double cell = (double)(CELL_WORDS * sizeof(uint32_t) + (terms.moments + terms.incoming) * real);
    return cell * (double)room_of(params, &plan) + (double)((terms.law_rows + terms.laws) * real) +
           (double)params->max_sources *
               (double)(SOURCE_WORDS * sizeof(uint32_t) + (params->fine ? 5 : 3) * real) +
           (double)params->max_targets * (double)(TARGET_WORDS * sizeof(uint32_t) + 2 * real);
}

static enum shoal_status check(const char *call, const struct shoal_fmm_params *params,
                               struct shoal_error *error)
{
    enum shoal_status status = fmm_check(call, params, error);
    if (status)
        return status;
    if (params->real != SHOAL_TYPE_FLOAT && params->real != SHOAL_TYPE_DOUBLE)
        return fail(error, SHOAL_INVALID, "%s: numbers are float or double", call);
    if (params->real == SHOAL_TYPE_FLOAT && params->accuracy < SHOAL_FMM_FLOAT_ACCURACY)
        return fail(error, SHOAL_INVALID,
                    "%s: single precision cannot give the accuracy %g, but %g at best; set `real` to "
                    "SHOAL_TYPE_DOUBLE",
                    call, params->accuracy, SHOAL_FMM_FLOAT_ACCURACY);
    if (params->fine && params->max_targets)
        return fail(error, SHOAL_INVALID,
                    "%s: fine parts are for targets that are the sources: max_targets must be 0", call);
    if (params->max_sources == 0 || params->max_sources > SHOAL_FMM_MAX)
        return fail(error, SHOAL_INVALID, "%s: max_sources is %zu; it must be 1 to %d", call,
                    params->max_sources, SHOAL_FMM_MAX);
    if (params->max_targets > SHOAL_FMM_MAX)
        return fail(error, SHOAL_INVALID, "%s: max_targets is %zu; it must be 0 to %d", call,
                    params->max_targets, SHOAL_FMM_MAX);
    return SHOAL_OK;
}

enum shoal_status shoal_fmm_create(struct shoal_device *device, const struct shoal_fmm_params *params,
                                   struct shoal_fmm **out, struct shoal_error *error)
{
    struct shoal_fmm_params own;
    if (!NEED(error, device, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_fmm_params_init, &own, error);
    if (!status)
        status = check(__func__, &own, error);
    if (status)
        return status;
    struct shoal_fmm *fmm = calloc(1, sizeof *fmm);
    if (!fmm)
        return fail_host_memory(error);
    fmm->params = own;
    fmm->plan = fmm_plan_of(&own);
    fmm->real_bytes = own.real == SHOAL_TYPE_DOUBLE ? sizeof(double) : sizeof(float);
    fmm->terms = terms_of(&own, &fmm->plan);
    fmm->room = room_of(&own, &fmm->plan);
    fmm->most_groups = units_for_sums(shoal_device_get_info(device)) * GROUPS_PER_UNIT;
    status = build(fmm, device, error);
    if (!status)
        status = allocate(fmm, device, error);
    if (status)
        shoal_fmm_destroy(&fmm);
    *out = fmm;
    return status;
}

static void free_points(struct fmm_points_on_device *points)
{
    shoal_buffer_destroy(&points->keys);
    shoal_buffer_destroy(&points->order);
    shoal_buffer_destroy(&points->places);
    shoal_buffer_destroy(&points->charges);
    shoal_buffer_destroy(&points->fine);
}

void shoal_fmm_destroy(struct shoal_fmm **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_fmm *fmm = *pointer;
    *pointer = NULL;
    struct fmm_buffers *const b = &fmm->buffers;
    struct shoal_buffer **const buffers[] = {&b->bounds, &b->square,  &b->nodes,   &b->counts, &b->cells,
                                             &b->ranges, &b->near,    &b->leaves,  &b->units,  &b->law_rows,
                                             &b->laws,   &b->moments, &b->incoming};
    for (size_t i = 0; i < COUNT(buffers); i++)
        shoal_buffer_destroy(buffers[i]);
    free_points(&b->sources);
    free_points(&b->targets);
    shoal_sort_destroy(&fmm->sort);
    for (int k = 0; k < FMM_KERNELS; k++) {
        shoal_kernel_destroy(&fmm->kernels[0][k]);
        shoal_kernel_destroy(&fmm->kernels[1][k]);
    }
    for (int p = 0; p < FMM_PROGRAMS; p++)
        shoal_program_destroy(&fmm->programs[p]);
    free(fmm);
}

const struct shoal_program *shoal_fmm_program(const struct shoal_fmm *fmm, size_t index)
{
    if (!fmm)
        return NULL;
    return index < fmm->program_count ? fmm->programs[index]
                                      : shoal_sort_program(fmm->sort, index - fmm->program_count);
}
