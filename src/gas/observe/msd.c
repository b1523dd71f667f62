/* Mean-square displacements over time, and the diffusion constant.
 *
 * The only time origin is step 0, as in LAMMPS' compute msd. D = slope of |r(t) - r(0)|^2 over 2 dim t: A.
 * Einstein, Ann. Phys. 17, 549 (1905); M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 2nd ed.,
 * section 2.7. The slope is fitted to the second half of the samples, to leave out the time of ballistic
 * motion. The scatter of the samples about the line is no measure of the error of the slope, since all
 * samples are of the same particles. The error is computed from the scatter of the slopes of groups of
 * particles, which are nearly independent.
 */
#include "base/error.h"
#include "gas/gas.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status make_room(struct gas_msd *msd, size_t count, struct shoal_error *error)
{
    if (count <= msd->room)
        return SHOAL_OK;
    const size_t room = count < 2 * msd->room ? 2 * msd->room : count + 32;
    void *samples = realloc(msd->samples, room * sizeof *msd->samples);
    if (samples)
        msd->samples = samples;
    void *groups = realloc(msd->groups, room * sizeof *msd->groups);
    if (groups)
        msd->groups = groups;
    if (!samples || !groups)
        return fail_host_memory(error);
    msd->room = room;
    return SHOAL_OK;
}

enum shoal_status gas_msd_add(struct gas_msd *msd, const struct gas_problem *problem, double time,
                              double sums[GAS_MSD_GROUPS][GAS_MAX_DIM], struct shoal_error *error)
{
    enum shoal_status status = make_room(msd, msd->count + 1, error);
    if (status)
        return status;
    struct shoal_gas_displacement *sample = &msd->samples[msd->count];
    *sample = (struct shoal_gas_displacement){.time = time};
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
        const size_t own = gas_msd_begin(problem->n, g + 1) - gas_msd_begin(problem->n, g);
        double total = 0;
        for (size_t k = 0; k < problem->dim; k++) {
            sample->along[k] += sums[g][k] / (double)problem->n;
            total += sums[g][k];
        }
        msd->groups[msd->count][g] = own ? total / (double)own : 0;
    }
    for (size_t k = 0; k < problem->dim; k++)
        sample->total += sample->along[k];
    msd->count++;
    return SHOAL_OK;
}

void gas_msd_clear(struct gas_msd *msd)
{
    free(msd->samples);
    free(msd->groups);
    *msd = (struct gas_msd){0};
}

/* Returns the displacement of group `group` in sample i, or that of all particles if `group` is
 * GAS_MSD_GROUPS. */
static double value_at(const struct gas_msd *msd, size_t i, size_t group)
{
    return group < GAS_MSD_GROUPS ? msd->groups[i][group] : msd->samples[i].total;
}

/* Slope of the displacement of a group over time, by least squares over the samples from number `first` on.
 */
static double slope_of(const struct gas_msd *msd, size_t first, size_t group)
{
    const double count = (double)(msd->count - first);
    double time = 0, value = 0, squares = 0, products = 0;
    for (size_t i = first; i < msd->count; i++) {
        time += msd->samples[i].time / count;
        value += value_at(msd, i, group) / count;
    }
    for (size_t i = first; i < msd->count; i++) {
        const double off = msd->samples[i].time - time;
        squares += off * off;
        products += off * (value_at(msd, i, group) - value);
    }
    return products / squares;
}

double gas_msd_diffusion(const struct gas_msd *msd, const struct gas_problem *problem, double *error)
{
    const size_t first = msd->count / 2;
    const double per = 2 * (double)problem->dim;
    double mean = 0, squares = 0, slopes[GAS_MSD_GROUPS];
    *error = NAN;
    if (msd->count - first < 3)
        return NAN;
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++) {
        slopes[g] = slope_of(msd, first, g) / per;
        mean += slopes[g] / GAS_MSD_GROUPS;
    }
    for (size_t g = 0; g < GAS_MSD_GROUPS; g++)
        squares += (slopes[g] - mean) * (slopes[g] - mean);
    if (problem->n >= GAS_MSD_GROUPS)
        *error = sqrt(squares / (GAS_MSD_GROUPS * (GAS_MSD_GROUPS - 1)));
    return slope_of(msd, first, GAS_MSD_GROUPS) / per;
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

void gas_msd_save(const struct gas_msd *msd, struct checkpoint *checkpoint)
{
    if (msd->count == 0)
        return;
    checkpoint_add(checkpoint, "msd", msd->samples, msd->count * sizeof *msd->samples);
    checkpoint_add(checkpoint, "msd groups", msd->groups, msd->count * sizeof *msd->groups);
}

/* Checks that times increase, and that no displacement is negative, infinite or NaN. */
static bool is_sound(const struct gas_msd *msd)
{
    for (size_t i = 0; i < msd->count; i++) {
        const struct shoal_gas_displacement *sample = &msd->samples[i];
        bool sound = isfinite(sample->time) && (i == 0 || sample->time > msd->samples[i - 1].time) &&
                     sample->total >= 0 && isfinite(sample->total);
        for (size_t k = 0; k < GAS_MAX_DIM; k++)
            sound = sound && sample->along[k] >= 0 && isfinite(sample->along[k]);
        for (size_t g = 0; g < GAS_MSD_GROUPS; g++)
            sound = sound && msd->groups[i][g] >= 0 && isfinite(msd->groups[i][g]);
        if (!sound)
            return false;
    }
    return true;
}

enum shoal_status gas_msd_load(struct gas_msd *msd, const struct checkpoint *checkpoint, size_t count,
                               struct shoal_error *error)
{
    const void *samples, *groups;
    gas_msd_clear(msd);
    if (count == 0)
        return SHOAL_OK;
    enum shoal_status status =
        checkpoint_expect(checkpoint, "msd", count * sizeof *msd->samples, &samples, error);
    if (!status)
        status = checkpoint_expect(checkpoint, "msd groups", count * sizeof *msd->groups, &groups, error);
    if (!status)
        status = make_room(msd, count, error);
    if (status)
        return status;
    memcpy(msd->samples, samples, count * sizeof *msd->samples);
    memcpy(msd->groups, groups, count * sizeof *msd->groups);
    msd->count = count;
    return is_sound(msd) ? SHOAL_OK : checkpoint_damaged(checkpoint, error);
}
