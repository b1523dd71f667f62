/* Measures the roofs of the host device, in plain C on all OpenMP threads. */
#include "base/clock.h"
#include "base/error.h"
#include "measure/build.h"
#include "measure/host_rates.h"
#include "measure/measure.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FMA_STEPS = 4096, ROOT_STEPS = 512 };

static char compiler_text[256];

static void compiler_text_make(void)
{
    snprintf(compiler_text, sizeof compiler_text, "%s; roofs with %s", SHOAL_HOST_COMPILER,
             host_instructions());
}

const char *shoal_host_compiler(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compiler_text_make);
    return compiler_text;
}

/* Data of a batch. wrong: number of wrong results in all threads. */
struct host_batch {
    void *source, *target; /* buffers of the copy */
    size_t bytes;
    int wrong;
};

static bool close_to(double value, double wanted, double tolerance)
{
    return fabs(value - wanted) <= tolerance * wanted;
}

static enum shoal_status fma32_batch(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    (void)error;
    enum { COUNT = HOST_CHAIN_BYTES / sizeof(float) };
    int wrong = 0;
    double start = clock_seconds();
#pragma omp parallel reduction(+ : wrong)
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
        float x[COUNT];
        for (int i = 0; i < COUNT; i++)
            x[i] = (float)i;
        host_fma32(x, FMA_STEPS);
        for (int i = 0; i < COUNT; i += COUNT - 1)
            wrong += !close_to((double)x[i], measure_fma_value(i, FMA_STEPS), 1e-3);
    }
    *seconds = clock_seconds() - start;
    ((struct host_batch *)data)->wrong += wrong;
    return SHOAL_OK;
}

static enum shoal_status fma64_batch(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    (void)error;
    enum { COUNT = HOST_CHAIN_BYTES / sizeof(double) };
    int wrong = 0;
    double start = clock_seconds();
#pragma omp parallel reduction(+ : wrong)
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
        double x[COUNT];
        for (int i = 0; i < COUNT; i++)
            x[i] = i;
        host_fma64(x, FMA_STEPS);
        for (int i = 0; i < COUNT; i += COUNT - 1)
            wrong += !close_to(x[i], measure_fma_value(i, FMA_STEPS), 1e-10);
    }
    *seconds = clock_seconds() - start;
    ((struct host_batch *)data)->wrong += wrong;
    return SHOAL_OK;
}

static double root_chain(double x)
{
    for (int step = 0; step < ROOT_STEPS; step++)
        x += 1 / sqrt(x);
    return x;
}

static enum shoal_status roots_batch(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    (void)error;
    const double wanted[] = {root_chain(1), root_chain(HOST_ROOTS)};
    int wrong = 0;
    double start = clock_seconds();
#pragma omp parallel reduction(+ : wrong)
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
        float x[HOST_ROOTS];
        for (int i = 0; i < HOST_ROOTS; i++)
            x[i] = (float)(1 + i);
        host_roots(x, ROOT_STEPS);
        wrong +=
            !close_to((double)x[0], wanted[0], 1e-3) + !close_to((double)x[HOST_ROOTS - 1], wanted[1], 1e-3);
    }
    *seconds = clock_seconds() - start;
    ((struct host_batch *)data)->wrong += wrong;
    return SHOAL_OK;
}

/* Sets the part of a buffer that the calling thread of a parallel region copies. */
static void thread_part(size_t bytes, size_t *first, size_t *length)
{
    size_t thread = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
    *first = bytes / threads * thread;
    *length = thread == threads - 1 ? bytes - *first : bytes / threads;
}

static enum shoal_status copy_batch(void *data, uint64_t repeats, double *seconds, struct shoal_error *error)
{
    (void)error;
    struct host_batch *batch = data;
    double start = clock_seconds();
#pragma omp parallel
    {
        size_t first, length;
        thread_part(batch->bytes, &first, &length);
        for (uint64_t repeat = 0; repeat < repeats; repeat++) {
            memcpy((char *)batch->target + first, (const char *)batch->source + first, length);
#pragma omp barrier
        }
    }
    *seconds = clock_seconds() - start;
    return SHOAL_OK;
}

static enum shoal_status region_batch(void *data, uint64_t repeats, double *seconds,
                                      struct shoal_error *error)
{
    (void)error;
    (void)data;
    double start = clock_seconds();
    for (uint64_t repeat = 0; repeat < repeats; repeat++) {
#pragma omp parallel
        {
            __asm__ volatile("" ::: "memory"); /* keeps the compiler from removing the empty region */
        }
    }
    *seconds = clock_seconds() - start;
    return SHOAL_OK;
}

static enum shoal_status measure_copy_host(struct shoal_roofs *roofs, struct shoal_error *error)
{
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    struct host_batch batch = {.bytes = (size_t)256 << 20};
    if (batch.bytes > memory / 8)
        batch.bytes = (size_t)(memory / 8);
    double seconds = 0;
    enum shoal_status status = SHOAL_OK;
    batch.source = malloc(batch.bytes);
    batch.target = malloc(batch.bytes);
    if (!batch.source || !batch.target) {
        status = fail_host_memory(error);
        goto end;
    }
    /* Each thread first writes the part that it copies later, so that the system places it in the memory of
     * the thread's NUMA node. */
#pragma omp parallel
    {
        size_t first, length;
        thread_part(batch.bytes, &first, &length);
        memset((char *)batch.source + first, 0x5a, length);
        memset((char *)batch.target + first, 0, length);
    }
    status = measure_best(copy_batch, &batch, &seconds, error);
    if (status == SHOAL_OK && memcmp(batch.source, batch.target, batch.bytes) != 0)
        status = fail(error, SHOAL_CHECK_FAILED, "host: the copy measurement left other data than it should");
    roofs->copy_bytes = 2 * (double)batch.bytes / seconds;
    roofs->copy_buffer = batch.bytes;
end:
    free(batch.source);
    free(batch.target);
    return status;
}

enum shoal_status measure_host(struct shoal_roofs *roofs, struct shoal_error *error)
{
    uint32_t threads = 0;
#pragma omp parallel
#pragma omp single
    threads = (uint32_t)omp_get_num_threads();
    roofs->threads = threads;

    struct host_batch batch = {0};
    double seconds = 0;
    enum shoal_status status = measure_best(fma32_batch, &batch, &seconds, error);
    if (status != SHOAL_OK)
        return status;
    roofs->fp32_flops = 2.0 * HOST_CHAIN_BYTES / sizeof(float) * FMA_STEPS * threads / seconds;
    status = measure_best(fma64_batch, &batch, &seconds, error);
    if (status != SHOAL_OK)
        return status;
    roofs->fp64_flops = 2.0 * HOST_CHAIN_BYTES / sizeof(double) * FMA_STEPS * threads / seconds;
    status = measure_best(roots_batch, &batch, &seconds, error);
    if (status != SHOAL_OK)
        return status;
    roofs->sfu_ops = (double)HOST_ROOTS * ROOT_STEPS * threads / seconds;
    if (batch.wrong)
        return fail(error, SHOAL_CHECK_FAILED,
                    "host: the arithmetic measurement computed %d wrong values: its rates would mean nothing",
                    batch.wrong);
    status = measure_copy_host(roofs, error);
    if (status != SHOAL_OK)
        return status;
    status = measure_best(region_batch, &batch, &seconds, error);
    roofs->launch_s = roofs->launch_sync_s = seconds;
    return status;
}
