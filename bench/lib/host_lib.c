#include "bench/lib/host_lib.h"

#include <omp.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { RADIX = 256 };

/* First element of a thread's chunk. For thread number `threads` it is n. */
static size_t chunk_start(size_t n, int thread, int threads)
{
    return n / (size_t)threads * (size_t)thread + (thread == threads ? n % (size_t)threads : 0);
}

void host_random_words(uint32_t *words, size_t n, uint64_t seed, uint32_t stream, uint32_t step)
{
#pragma omp parallel for schedule(static)
    for (size_t block = 0; block < n / 4; block++) {
        const struct shoal_words w = shoal_random_words(seed, stream, step, (uint32_t)block, 0);
        memcpy(words + 4 * block, &w, sizeof w);
    }
    if (n % 4) {
        const struct shoal_words w = shoal_random_words(seed, stream, step, (uint32_t)(n / 4), 0);
        memcpy(words + n / 4 * 4, &w, n % 4 * sizeof *words);
    }
}

double host_sum(const float *data, size_t n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < n; i++)
        sum += (double)data[i];
    return sum;
}

size_t host_argmin(const float *data, size_t n)
{
    size_t best = 0;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        size_t first = chunk_start(n, thread, threads), end = chunk_start(n, thread + 1, threads),
               mine = first;
        for (size_t i = first; i < end; i++)
            if (data[i] < data[mine])
                mine = i;
#pragma omp critical
        if (first < end && (data[mine] < data[best] || (!(data[best] < data[mine]) && mine < best)))
            best = mine;
    }
    return best;
}

void host_scan(const uint32_t *in, uint32_t *out, size_t n)
{
    uint32_t *sums = calloc((size_t)omp_get_max_threads() + 1, sizeof *sums);
    if (!sums)
        return;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        const size_t first = chunk_start(n, thread, threads), end = chunk_start(n, thread + 1, threads);
        uint32_t sum = 0;
        /* With one thread nothing precedes its chunk. */
        for (size_t i = first; threads > 1 && i < end; i++)
            sum += in[i];
        sums[thread] = sum;
#pragma omp barrier
        uint32_t prefix = 0;
        for (int t = 0; t < thread; t++)
            prefix += sums[t];
        for (size_t i = first; i < end; i++) {
            const uint32_t value = in[i];
            out[i] = prefix;
            prefix += value;
        }
    }
    free(sums);
}

/* Makes one pass: `counts` has RADIX places for each thread. */
static void sort_pass(const uint32_t *keys, const uint32_t *values, uint32_t *keys_out, uint32_t *values_out,
                      size_t n, unsigned bit, size_t *counts)
{
#pragma omp parallel
    {
        const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
        const size_t first = chunk_start(n, thread, threads), end = chunk_start(n, thread + 1, threads);
        size_t *mine = counts + (size_t)thread * RADIX;
        memset(mine, 0, RADIX * sizeof *mine);
        for (size_t i = first; i < end; i++)
            mine[keys[i] >> bit & (RADIX - 1)]++;
#pragma omp barrier
#pragma omp single
        {
            size_t place = 0;
            for (int digit = 0; digit < RADIX; digit++)
                for (int t = 0; t < threads; t++) {
                    const size_t count = counts[t * RADIX + digit];
                    counts[t * RADIX + digit] = place;
                    place += count;
                }
        }
        for (size_t i = first; i < end; i++) {
            const size_t to = mine[keys[i] >> bit & (RADIX - 1)]++;
            keys_out[to] = keys[i];
            values_out[to] = values[i];
        }
    }
}

bool host_sort(const uint32_t *keys, const uint32_t *values, uint32_t *keys_out, uint32_t *values_out,
               uint32_t *keys_scratch, uint32_t *values_scratch, size_t n)
{
    size_t *counts = malloc((size_t)omp_get_max_threads() * RADIX * sizeof *counts);
    if (!counts)
        return false;
    sort_pass(keys, values, keys_scratch, values_scratch, n, 0, counts);
    sort_pass(keys_scratch, values_scratch, keys_out, values_out, n, 8, counts);
    sort_pass(keys_out, values_out, keys_scratch, values_scratch, n, 16, counts);
    sort_pass(keys_scratch, values_scratch, keys_out, values_out, n, 24, counts);
    free(counts);
    return true;
}

void host_product(const float *restrict a, const float *restrict b, float *restrict c, size_t n)
{
    enum { ROWS = 4 }; /* rows that share what is read of b */
#pragma omp parallel for schedule(static)
    for (size_t first = 0; first < n; first += ROWS) {
        const size_t end = first + ROWS < n ? first + ROWS : n;
        memset(c + first * n, 0, (end - first) * n * sizeof *c);
        for (size_t k = 0; k < n; k++)
            for (size_t i = first; i < end; i++)
                for (size_t j = 0; j < n; j++)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}
