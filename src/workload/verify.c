/* Compares the first steps of a device with the first steps of the host solver. */
#include "base/error.h"
#include "base/params.h"
#include "compute/device.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct side {
    struct shoal_queue *queue;
    struct shoal_solver *solver;
    double *state;
};

static enum shoal_status side_open(struct side *side, const struct shoal_workload *workload,
                                   struct shoal_device *device, const void *params,
                                   enum shoal_variant variant, size_t *count, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (!shoal_device_get_info(device)->is_host)
        status = shoal_queue_create(device, 0, &side->queue, error);
    if (!status)
        status = shoal_solver_create(workload, device, side->queue, params, variant, &side->solver, error);
    if (!status)
        status = shoal_solver_state(side->solver, NULL, 0, count, error);
    if (status)
        return status;
    side->state = malloc((*count ? *count : 1) * sizeof *side->state);
    return side->state ? SHOAL_OK : fail_host_memory(error);
}

static void side_close(struct side *side)
{
    free(side->state);
    shoal_solver_destroy(&side->solver);
    shoal_queue_destroy(&side->queue);
}

static enum shoal_status advance(struct side *side, size_t count, uint64_t steps, uint64_t *done,
                                 struct shoal_error *error)
{
    enum shoal_status status = shoal_solver_step(side->solver, steps, done, error);
    return status ? status : shoal_solver_state(side->solver, side->state, count, &count, error);
}

/* Moves the `count` least numbers to the front (Hoare's selection). The numbers must not be NaN. */
static void select_least(double *numbers, size_t total, size_t count)
{
    size_t first = 0, last = total;
    while (last - first > 1 && count > first && count < last) {
        const double pivot = numbers[first + (last - first) / 2];
        size_t low = first, high = last - 1;
        for (;;) {
            while (numbers[low] < pivot)
                low++;
            while (numbers[high] > pivot)
                high--;
            if (low >= high)
                break;
            const double swap = numbers[low];
            numbers[low++] = numbers[high];
            numbers[high--] = swap;
        }
        /* Numbers left of `low` are not larger than the pivot; numbers from `low` on are not smaller. The
         * pivot is not the first number, so each side has at least one number. */
        if (count <= low)
            last = low;
        else
            first = low;
    }
}

/* Solvers are compared by the numbers of all members, particles or weights; the `tolerance` of a solver says
 * how far rounding may change these numbers, and why.
 *
 * left_out: the fraction of numbers, those with the largest differences, that the comparison ignores. After
 * rounding, a number may take another branch (a wall, a comparison) and diverge at once; a wrong kernel
 * changes more numbers. */
static const double left_out = 0.01;

/* The norm of device - host over the norm of host, without the ignored numbers; overwrites `device`. Returns
 * NaN where the device has a NaN. */
static double deviation(double *device, const double *host, size_t count)
{
    double norm = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        device[i] = (device[i] - host[i]) * (device[i] - host[i]);
        if (isnan(device[i]))
            return NAN;
        norm += host[i] * host[i];
    }
    size_t kept = count - (size_t)(left_out * (double)count);
    select_least(device, count, kept);
    for (size_t i = 0; i < kept; i++)
        sum += device[i];
    return norm > 0 ? sqrt(sum / norm) : sqrt(sum);
}

/* Sets *out to a copy of the parameters that settle_as_device of the workload has changed, so that the host
 * makes the steps of a device. *out stays NULL if the workload has no settle_as_device. */
static enum shoal_status settle(const struct shoal_workload *workload, const void *params, void **out,
                                struct shoal_error *error)
{
    size_t size;
    memcpy(&size, params, sizeof size); /* the first member of all parameters */
    if (!workload_of(workload)->settle_as_device)
        return SHOAL_OK;
    *out = calloc(1, workload->params_size);
    if (!*out)
        return fail_host_memory(error);
    memcpy(*out, params, size < workload->params_size ? size : workload->params_size);
    workload_of(workload)->settle_as_device(*out);
    return SHOAL_OK;
}

static enum shoal_status compare(const struct shoal_workload *workload, struct shoal_device *device,
                                 const void *params, uint64_t steps, enum shoal_variant variant,
                                 struct shoal_verification *result, struct shoal_error *error)
{
    struct side sides[2] = {0};
    size_t count = 0, own_count = 0;
    void *settled = NULL;
    enum shoal_status status = settle(workload, params, &settled, error);
    if (settled)
        params = settled;
    if (!status)
        status = side_open(&sides[0], workload, device, params, variant, &own_count, error);
    if (!status)
        status = side_open(&sides[1], workload, instance_host_device(device_shoal(device)), params, variant,
                           &count, error);
    if (!status && count != own_count)
        status =
            fail(error, SHOAL_UNSUPPORTED,
                 "%s: with these options the host makes other steps than %s, so that nothing can be compared",
                 workload->name, shoal_device_get_info(device)->id);
    if (!status && sides[0].solver->ops->bound_steps)
        status = sides[0].solver->ops->bound_steps(sides[0].solver, &steps, error);
    if (status)
        goto end;
    result->what = sides[0].solver->ops->what;

    /* The loop begins with step 0, which compares the initial states. */
    for (uint64_t step = 0; step <= steps; step++) {
        uint64_t done = 0;
        for (size_t i = 0; i < 2 && !status; i++)
            status = advance(&sides[i], count, step > 0, &done, error);
        if (status)
            goto end;
        if (step && !done)
            break;
        result->steps = step;
        double now = deviation(sides[0].state, sides[1].state, count);
        if (!(now <= result->deviation)) {
            result->deviation = now;
            result->worst = step;
        }
        if (isnan(now))
            break;
    }
    const struct shoal_solver *solver = sides[0].solver;
    result->tolerance = solver->ops->tolerance ? solver->ops->tolerance(solver, result->steps) : 0;
    result->passed = result->deviation <= result->tolerance;
    if (!result->passed)
        status = fail(error, SHOAL_CHECK_FAILED,
                      "%s on %s: %s deviate from the host solver by %.2e at step %llu, allowed are %.2e",
                      workload->name, shoal_device_get_info(device)->id, result->what, result->deviation,
                      (unsigned long long)result->worst, result->tolerance);
end:
    side_close(&sides[0]);
    side_close(&sides[1]);
    free(settled);
    return status;
}

enum shoal_status shoal_workload_verify(const struct shoal_workload *workload, struct shoal_device *device,
                                        const void *params, uint64_t steps, enum shoal_variant variant,
                                        struct shoal_verification *result, struct shoal_error *error)
{
    if (!NEED(error, workload, device, params, result))
        return SHOAL_INVALID;
    struct shoal_verification found = {.size = sizeof found};
    enum shoal_status status = RESULT_CHECK(result, what, error);
    if (status)
        return status;
    status = compare(workload, device, params, steps, variant, &found, error);
    RESULT_GIVE(&found, what, result);
    return status;
}
