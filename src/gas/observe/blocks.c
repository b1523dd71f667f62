/* Averages of many quantities at once, with errors from blocks of samples.
 *
 * The error of a ratio of means R = Y / X is that of the mean of Y - R X (W. G. Cochran, Sampling Techniques,
 * 3rd ed., section 2.11), from the scatter of blocks of successive samples, which is right once blocks are
 * longer than the correlation time (M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 2nd ed.,
 * section 8.4).
 */
#include "base/error.h"
#include "gas/observe/tables.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Joins pairs of blocks, which leaves the second half of the blocks empty. */
static void join(struct gas_blocks *blocks)
{
    const size_t cells = blocks->cells, half = GAS_BLOCKS / 2;
    for (size_t b = 0; b < half; b++)
        for (size_t c = 0; c < cells; c++)
            blocks->sums[b * cells + c] =
                blocks->sums[2 * b * cells + c] + blocks->sums[(2 * b + 1) * cells + c];
    memset(blocks->sums + half * cells, 0, half * cells * sizeof *blocks->sums);
    blocks->length *= 2;
}

enum shoal_status gas_blocks_add(struct gas_blocks *blocks, size_t cells, const double *values,
                                 struct shoal_error *error)
{
    if (!blocks->sums) {
        *blocks = (struct gas_blocks){
            .cells = cells, .length = 1, .sums = calloc(GAS_BLOCKS * cells, sizeof *blocks->sums)};
        if (!blocks->sums)
            return fail_host_memory(error);
    }
    if (blocks->samples / blocks->length == GAS_BLOCKS)
        join(blocks);
    double *sums = blocks->sums + blocks->samples / blocks->length * cells;
    for (size_t c = 0; c < cells; c++)
        sums[c] += values[c];
    blocks->samples++;
    return SHOAL_OK;
}

void gas_blocks_clear(struct gas_blocks *blocks)
{
    free(blocks->sums);
    *blocks = (struct gas_blocks){0};
}

/* The sum of a cell over block b. */
static double sum_at(const struct gas_blocks *blocks, size_t b, size_t cell)
{
    return cell == GAS_ONE ? (double)blocks->length : blocks->sums[b * blocks->cells + cell];
}

/* The ratio of the sums of two cells over the first `count` blocks. under: its sum. */
static double ratio(const struct gas_blocks *blocks, size_t count, size_t over, size_t under,
                    double *under_sum)
{
    double sum = 0;
    *under_sum = 0;
    for (size_t b = 0; b < count; b++) {
        sum += sum_at(blocks, b, over);
        *under_sum += sum_at(blocks, b, under);
    }
    return sum / *under_sum;
}

double gas_blocks_mean(const struct gas_blocks *blocks, size_t over, size_t under, double *error)
{
    double all, of_full, squares = 0;
    *error = NAN;
    if (blocks->samples == 0)
        return NAN;
    const size_t full = (size_t)(blocks->samples / blocks->length),
                 begun = full + (blocks->samples % blocks->length > 0);
    double mean = ratio(blocks, begun, over, under, &all);
    if (under == GAS_ONE)
        mean *= all / (double)blocks->samples;
    if (full >= 2) {
        const double r = ratio(blocks, full, over, under, &of_full);
        for (size_t b = 0; b < full; b++)
            squares += pow(sum_at(blocks, b, over) - r * sum_at(blocks, b, under), 2);
        *error = sqrt(squares * (double)full / (double)(full - 1)) / fabs(of_full);
    }
    return isfinite(mean) ? mean : NAN;
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

/* What a section holds before the sums. */
struct head {
    uint64_t samples, length;
};

enum shoal_status gas_blocks_save(const struct gas_blocks *blocks, const char *name,
                                  struct checkpoint *checkpoint, struct shoal_error *error)
{
    const struct head head = {blocks->samples, blocks->length};
    const size_t bytes = GAS_BLOCKS * blocks->cells * sizeof *blocks->sums;
    if (!blocks->sums)
        return SHOAL_OK;
    unsigned char *copy = malloc(sizeof head + bytes);
    if (!copy)
        return fail_host_memory(error);
    memcpy(copy, &head, sizeof head);
    memcpy(copy + sizeof head, blocks->sums, bytes);
    checkpoint_add_copy(checkpoint, name, copy, sizeof head + bytes);
    return SHOAL_OK;
}

/* Whether the numbers fit each other: the length is a power of two, and the samples fill at most all blocks.
 */
static bool is_sound(const struct gas_blocks *blocks)
{
    const uint64_t length = blocks->length;
    bool sound = blocks->samples > 0 && length > 0 && (length & (length - 1)) == 0 &&
                 (blocks->samples - 1) / length < GAS_BLOCKS;
    for (size_t at = 0; at < GAS_BLOCKS * blocks->cells && sound; at++)
        sound = isfinite(blocks->sums[at]);
    return sound;
}

enum shoal_status gas_blocks_load(struct gas_blocks *blocks, const char *name, size_t cells,
                                  const struct checkpoint *checkpoint, struct shoal_error *error)
{
    struct head head;
    const void *data;
    const size_t bytes = GAS_BLOCKS * cells * sizeof *blocks->sums;
    gas_blocks_clear(blocks);
    enum shoal_status status = checkpoint_expect(checkpoint, name, sizeof head + bytes, &data, error);
    if (status)
        return status;
    memcpy(&head, data, sizeof head);
    *blocks = (struct gas_blocks){cells, head.samples, head.length, malloc(bytes)};
    if (!blocks->sums)
        return fail_host_memory(error);
    memcpy(blocks->sums, (const unsigned char *)data + sizeof head, bytes);
    return is_sound(blocks) ? SHOAL_OK : checkpoint_damaged(checkpoint, error);
}
