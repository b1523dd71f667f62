/* The suite thesis-mlp, kernels alone: tables 5.1 and 5.2 of the thesis, and the shares of figures 5.2
 * and 5.3. An update with 15,360 rows; the thesis gives the time of 100. v1 has the thesis's blocks and
 * threads, of which its two cards have different ones; v2 its 60 blocks, with threads in whole warps. The
 * sums are compared with those of the scalar twin.
 *
 * Its two reductions are taken as those of the two layers; it made one launch for each weight, here one
 * launch has a work-group for each. Figure 5.2 names no times of the random set.
 */
#include "bench/mlp/thesis/host.h"

#include <math.h>
#include <stdlib.h>

#include "cl/mlp/thesis/layout.clh"

enum kernel { PASS, FIRST_SUM, SECOND_SUM, CLEAR, COPY, KERNELS };
static const char *const share_names[KERNELS] = {"share, pass", "share, first sum", "share, second sum",
                                                 "share, clear", "share, copy"};

struct kernel_case {
    struct thesis_mlp_net net;
    bool is_v2;
    enum kernel kernel;
    uint32_t blocks, threads; /* blocks and threads of v1 */
    double share;             /* published share of the time of an update, on the GTX 280 */
    double slow;              /* seconds on the 9500 GT, where the launch is equal; 0: it is not */
};

struct kernels {
    const struct kernel_case *of;
    struct thesis_mlp_set set;
    struct thesis_step step;
    uint32_t parts, side;
    struct shoal_program *program, *sums_program;
    struct shoal_kernel *pass, *clear, *sum;
    struct shoal_buffer *inputs, *targets, *classes, *weights, *parameters, *values, *deltas, *sums;
    float *copied;
    double seconds[KERNELS];
};

static void destroy(struct bench *bench)
{
    struct kernels *k = bench->state;
    if (!k)
        return;
    struct shoal_buffer **const buffers[] = {&k->inputs,     &k->targets, &k->classes, &k->weights,
                                             &k->parameters, &k->values,  &k->deltas,  &k->sums};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        shoal_buffer_destroy(buffers[i]);
    shoal_kernel_destroy(&k->pass);
    shoal_kernel_destroy(&k->clear);
    shoal_kernel_destroy(&k->sum);
    shoal_program_destroy(&k->program);
    shoal_program_destroy(&k->sums_program);
    thesis_mlp_close(&k->set);
    free(k->copied);
    free(k);
    bench->state = NULL;
}

/* Build ----------------------------------------------------------------------------------------------------
 */

static enum shoal_status build(struct bench *bench, const char *name, const struct shoal_define *defines,
                               size_t count, struct shoal_program **out, struct shoal_error *error)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = count;
    params.variant = bench->variant;
    const struct shoal_program_desc *desc = bench_program(name);
    if (!desc)
        return bench_fail(error, SHOAL_UNSUPPORTED, "the library has no program %s", name);
    const enum shoal_status status = shoal_program_create(bench->device, desc, &params, out, error);
    if (status == SHOAL_OK)
        bench_uses(bench, *out);
    return status;
}

static enum shoal_status build_v2(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    enum { INTERLEAVE = 4, WARP = 32 };
    const struct thesis_step *s = &k->step;
    const uint32_t widest = (s->inputs > s->hidden ? s->inputs : s->hidden) + 1;
    const uint32_t threads = (widest > s->outputs ? widest : s->outputs) + WARP - 1;
    const uint32_t group = threads / WARP * WARP, values = INTERLEAVE * s->items;
    const struct shoal_define defines[] = {
        {"Q", INTERLEAVE}, {"ROOM", values > 2 * group ? values : 2 * group}, {"SHARED", 1}, {"WG", group}};
    const enum shoal_status status =
        build(bench, "mlp.v2", defines, sizeof defines / sizeof *defines, &k->program, error);
    return status == SHOAL_OK ? shoal_kernel_create(k->program, "thesis_v2", &k->pass, error) : status;
}

static enum shoal_status build_all(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    const struct shoal_define defines[] = {{"WG", k->of->threads}};
    enum shoal_status status = SHOAL_OK;
    if (k->of->is_v2)
        status = build_v2(bench, k, error);
    else
        status = build(bench, "mlp.v1", defines, 1, &k->program, error);
    if (status == SHOAL_OK && !k->of->is_v2)
        status = shoal_kernel_create(k->program, "thesis_v1", &k->pass, error);
    if (status == SHOAL_OK && !k->of->is_v2)
        status = shoal_kernel_create(k->program, "thesis_clear", &k->clear, error);
    if (status == SHOAL_OK)
        status = build(bench, "mlp.thesis-update", NULL, 0, &k->sums_program, error);
    if (status != SHOAL_OK)
        return status;
    k->side = k->of->is_v2 ? 1 : shoal_kernel_work_group(k->pass);
    k->parts = k->of->blocks * k->side;
    return shoal_kernel_create(k->sums_program, k->of->is_v2 ? "thesis_sum_all" : "thesis_sum_each", &k->sum,
                               error);
}

/* Buffers ---------------------------------------------------------------------------------------------------
 */

static enum shoal_status upload(struct bench *bench, const float *numbers, size_t count,
                                struct shoal_buffer **out, struct shoal_error *error)
{
    const enum shoal_status status = shoal_buffer_create(bench->device, count * sizeof *numbers, out, error);
    if (status != SHOAL_OK || !numbers)
        return status;
    return shoal_buffer_write(bench->queue, *out, 0, numbers, count * sizeof *numbers, error);
}

static enum shoal_status upload_weights(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    const size_t first = (k->step.inputs + (size_t)1) * k->step.hidden, all = thesis_mlp_weights(&k->set.net);
    float *slab = calloc(k->step.slab, sizeof *slab);
    float *ones = malloc(THESIS_MLP_ROWS * sizeof *ones);
    enum shoal_status status =
        slab && ones ? SHOAL_OK : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    for (size_t i = 0; i < all && status == SHOAL_OK; i++)
        slab[i < first ? i : k->step.second + i - first] = k->set.weights[i];
    for (size_t r = 0; r < THESIS_MLP_ROWS && status == SHOAL_OK; r++)
        ones[r] = 1;
    if (status == SHOAL_OK)
        status = upload(bench, slab, k->step.slab, &k->parameters, error);
    if (status == SHOAL_OK)
        status = upload(bench, ones, THESIS_MLP_ROWS, &k->weights, error);
    free(slab);
    free(ones);
    return status;
}

static enum shoal_status create_buffers(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    const struct thesis_mlp_net *net = &k->set.net;
    const size_t deltas = (size_t)k->parts * k->step.slab;
    enum shoal_status status = upload_weights(bench, k, error);
    if (status == SHOAL_OK)
        status = upload(bench, k->set.inputs, THESIS_MLP_ROWS * net->inputs, &k->inputs, error);
    if (status == SHOAL_OK)
        status = upload(bench, k->set.targets, THESIS_MLP_ROWS * net->outputs, &k->targets, error);
    /* All classes are the first: no figure depends on how many rows are right. */
    if (status == SHOAL_OK)
        status = upload(bench, NULL, THESIS_MLP_ROWS, &k->classes, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(bench->queue, k->classes, 0, THESIS_MLP_ROWS * sizeof(float), 0, error);
    if (status == SHOAL_OK)
        status = upload(bench, NULL, k->of->is_v2 ? 1 : (size_t)k->parts * k->step.items, &k->values, error);
    if (status == SHOAL_OK)
        status = upload(bench, NULL, deltas, &k->deltas, error);
    if (status == SHOAL_OK)
        status = upload(bench, NULL, k->step.slab, &k->sums, error);
    if (status == SHOAL_OK)
        status = shoal_buffer_fill(bench->queue, k->deltas, 0, deltas * sizeof(float), 0, error);
    k->copied = malloc(deltas * sizeof *k->copied);
    return status == SHOAL_OK && !k->copied
               ? bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host for all derivatives")
               : status;
}

/* Launches --------------------------------------------------------------------------------------------------
 */

static enum shoal_status launch_sum(struct bench *bench, struct kernels *k, uint32_t first, uint32_t end,
                                    struct shoal_error *error)
{
    const struct thesis_parts parts = {first, end - first, k->parts, k->side, k->step.slab, k->step.flags};
    const struct shoal_arg args[] = {shoal_arg_buffer(k->deltas), shoal_arg_buffer(k->sums),
                                     shoal_arg_struct(&parts, sizeof parts)};
    return shoal_launch(bench->queue, k->sum,
                        k->of->is_v2 ? shoal_kernel_groups(k->sum, parts.count) : parts.count, args, 3, NULL,
                        error);
}

static enum shoal_status launch_pass(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    struct thesis_step step = k->step;
    step.rows = THESIS_MLP_ROWS;
    step.flags |= THESIS_TRAINS;
    const struct shoal_arg args[] = {shoal_arg_buffer(k->inputs),
                                     shoal_arg_buffer(k->targets),
                                     shoal_arg_buffer(k->classes),
                                     shoal_arg_buffer(k->weights),
                                     shoal_arg_buffer(k->parameters),
                                     shoal_arg_buffer(k->values),
                                     shoal_arg_buffer(k->deltas),
                                     shoal_arg_buffer(NULL),
                                     shoal_arg_real(1),
                                     shoal_arg_real(1),
                                     shoal_arg_real(1),
                                     shoal_arg_struct(&step, sizeof step)};
    return shoal_launch(bench->queue, k->pass, k->of->blocks, args, sizeof args / sizeof *args, NULL, error);
}

static enum shoal_status launch(struct bench *bench, enum kernel kernel, struct shoal_error *error)
{
    struct kernels *k = bench->state;
    const struct shoal_arg clear[] = {shoal_arg_buffer(k->deltas),
                                      shoal_arg_struct(&k->step, sizeof k->step)};
    switch (kernel) {
    case PASS:
        return launch_pass(bench, k, error);
    case FIRST_SUM:
        return launch_sum(bench, k, 0, k->step.second, error);
    case SECOND_SUM:
        return launch_sum(bench, k, k->step.second, k->step.tail + 2, error);
    case CLEAR:
        return shoal_launch(bench->queue, k->clear, k->of->blocks, clear, 2, NULL, error);
    default:
        return shoal_buffer_read(bench->queue, k->deltas, 0, k->copied,
                                 (size_t)k->parts * k->step.slab * sizeof(float), error);
    }
}

static enum shoal_status run(struct bench *bench, struct shoal_error *error)
{
    return launch(bench, ((const struct kernel_case *)bench->data)->kernel, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct kernel_case *of = bench->data;
    struct kernels *k = bench->state = calloc(1, sizeof *k);
    if (!k)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    k->of = of;
    k->step = thesis_step_of((uint32_t)of->net.inputs, (uint32_t)of->net.hidden, (uint32_t)of->net.outputs);
    k->step.flags = THESIS_VALUES_A | (of->is_v2 ? THESIS_DELTAS_A : 0);
    enum shoal_status status = thesis_mlp_open(&of->net, &k->set, error);
    if (status == SHOAL_OK)
        status = build_all(bench, k, error);
    if (status == SHOAL_OK)
        status = create_buffers(bench, k, error);
    bench->work = 1;
    return status;
}

/* Check -----------------------------------------------------------------------------------------------------
 */

/* Takes the time of each launch of an update, and of the copy that v2 makes in place of sums. */
static enum shoal_status time_all(struct bench *bench, struct kernels *k, struct shoal_error *error)
{
    static const enum kernel v1[] = {CLEAR, PASS, FIRST_SUM, SECOND_SUM}, v2[] = {PASS, COPY};
    enum { REPEATED = 3 };
    const size_t count = k->of->is_v2 ? 2 : 4;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && status == SHOAL_OK; i++) {
        const enum kernel kernel = k->of->is_v2 ? v2[i] : v1[i];
        double best = INFINITY;
        for (int repeat = 0; repeat < REPEATED && status == SHOAL_OK; repeat++) {
            status = shoal_queue_finish(bench->queue, error);
            const double begin = bench_seconds();
            if (status == SHOAL_OK)
                status = launch(bench, kernel, error);
            if (status == SHOAL_OK)
                status = shoal_queue_finish(bench->queue, error);
            best = fmin(best, bench_seconds() - begin);
        }
        k->seconds[kernel] = best;
    }
    return status;
}

/* Makes an update from the start, with the sums of all rows. */
static enum shoal_status take_sums(struct bench *bench, struct kernels *k, float *sums,
                                   struct shoal_error *error)
{
    enum shoal_status status = k->of->is_v2 ? SHOAL_OK : launch(bench, CLEAR, error);
    if (status == SHOAL_OK)
        status = launch(bench, PASS, error);
    if (status == SHOAL_OK)
        status = launch(bench, FIRST_SUM, error);
    if (status == SHOAL_OK)
        status = launch(bench, SECOND_SUM, error);
    return status == SHOAL_OK
               ? shoal_buffer_read(bench->queue, k->sums, 0, sums, k->step.slab * sizeof *sums, error)
               : status;
}

static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    struct kernels *k = bench->state;
    const size_t count = thesis_mlp_weights(&k->set.net);
    const size_t first = (k->step.inputs + (size_t)1) * k->step.hidden;
    double *got = malloc(2 * count * sizeof *got);
    float *sums = malloc(k->step.slab * sizeof *sums);
    enum shoal_status status = got && sums
                                   ? take_sums(bench, k, sums, error)
                                   : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory on the host");
    if (status == SHOAL_OK)
        status = thesis_mlp_gradient(&k->set, &thesis_mlp_scalar, THESIS_MLP_ROWS, got + count, error);
    for (size_t i = 0; i < count && status == SHOAL_OK; i++)
        got[i] = -(double)sums[i < first ? i : k->step.second + i - first];
    if (status == SHOAL_OK) {
        check->error = thesis_mlp_deviation(got, got + count, count);
        check->passed = check->error <= 1e-4;
        snprintf(check->detail, sizeof check->detail, "the derivatives are off by %.3g", check->error);
    }
    free(got);
    free(sums);
    return status == SHOAL_OK ? time_all(bench, k, error) : status;
}

static void figures(struct bench *bench, double seconds)
{
    const struct kernel_case *of = bench->data;
    const struct kernels *k = bench->state;
    double sum = 0;
    if (of->kernel == PASS)
        bench_add_figure(bench, "operations", "flop/s",
                         THESIS_MLP_ROWS * thesis_mlp_flop(&of->net) / seconds);
    for (int i = 0; i < KERNELS; i++)
        sum += k->seconds[i];
    bench_add_figure(bench, share_names[of->kernel], "", k->seconds[of->kernel] / sum);
    if (of->share > 0)
        bench_add_figure(bench, "published share", "", of->share);
    if (of->slow > 0) {
        bench_add_figure(bench, "published, GeForce 9500 GT", "s", of->slow);
        bench_add_figure(bench, "rows", "rows/s", THESIS_MLP_ROWS / seconds);
    }
}

static const struct bench_ops ops = {create, NULL, run, check, destroy, figures};

/* ms: milliseconds of 100 updates. */
#define KERNEL(id, text, ms, on, is_large, ...)                                                              \
    {                                                                                                        \
        .name = "thesis-mlp.kernel." id, .help = text ", of an update with 15,360 rows", .unit = "s",        \
        .precision = "fp32", .clock = BENCH_DEVICE_TIME, .device = &ops, .published = (ms) / 1e5,            \
        .published_on = on, .large = is_large, .data = &(const struct kernel_case)                           \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define LETTERS                                                                                              \
    {                                                                                                        \
        64, 63, 26                                                                                           \
    }
#define V1(launch, b, t, on, large, pass, pass_share, one, one_share, two, two_share, clear, clear_share)    \
    KERNEL("v1-" launch, "main kernel of v1, letters, " launch, pass, on, large, .net = LETTERS,             \
           .kernel = PASS, .blocks = b, .threads = t, .share = pass_share),                                  \
        KERNEL("v1-" launch "-sum-0", "sums of its first layer", one, on, large, .net = LETTERS,             \
               .kernel = FIRST_SUM, .blocks = b, .threads = t, .share = one_share),                          \
        KERNEL("v1-" launch "-sum-1", "sums of its second layer", two, on, large, .net = LETTERS,            \
               .kernel = SECOND_SUM, .blocks = b, .threads = t, .share = two_share),                         \
        KERNEL("v1-" launch "-clear", "clearing its sums", clear, on, large, .net = LETTERS,                 \
               .kernel = CLEAR, .blocks = b, .threads = t, .share = clear_share)

static const struct bench_case cases[] = {
    V1("60x256", 60, 256, "GTX 280", 1, 1840.09, 0.4006, 1239.95, 0.2699, 992.868, 0.2161, 520.93, 0.1134),
    V1("8x192", 8, 192, "GeForce 9500 GT", 1, 17611.9, 0.8698, 1273.98, 0.0629, 968.159, 0.0478, 395.321,
       0.0195),
    KERNEL("v2-dr", "main kernel of v2, 64-63-26, 60 blocks", 982.816, "GTX 280", 0, .net = LETTERS,
           .is_v2 = true, .kernel = PASS, .blocks = 60, .share = 0.91, .slow = 4624.29e-5),
    KERNEL("v2-r", "main kernel of v2, 120-120-120, 60 blocks", 2453.06, "GTX 280", 0, .net = {120, 120, 120},
           .is_v2 = true, .kernel = PASS, .blocks = 60, .share = 0.83, .slow = 22173.3e-5),
};

const struct bench_case_list bench_thesis_mlp_kernel_cases = {cases, sizeof cases / sizeof *cases};
