#include "de/model/schedule.h"
#include "search/options/options.h"

#include <math.h>

struct de_schedule de_schedule_of(const struct shoal_de_params *params)
{
    const struct shoal_search_params *search = &params->search;
    const double first = (double)params->population,
                 last = fmin(first, params->population_end ? (double)params->population_end : first),
                 budget = (double)search->evaluations / (double)search->islands;
    struct de_schedule schedule = {.first = first, .last = last, .ratio = 1};
    if (last < first && search->evaluations)
        schedule.ratio = fmax(0, 1 - (first - last) / budget);
    else if (last < first && search->iterations > 1 && search->iterations < (uint64_t)SEARCH_MAX_STEPS)
        schedule.ratio = pow(last / first, 1 / ((double)search->iterations - 1));
    return schedule;
}

double de_schedule_members(const struct de_schedule *schedule, double step)
{
    if (schedule->ratio == 1 || step <= 1)
        return schedule->first;
    return fmax(schedule->last, round(schedule->first * pow(schedule->ratio, step - 1)));
}

/* The logarithm gives the step except for rounding errors, which the loops correct. */
double de_schedule_fall(const struct de_schedule *schedule, double members)
{
    if (schedule->ratio == 1 || members <= schedule->last)
        return INFINITY;
    if (schedule->ratio == 0)
        return 2;
    double step = fmax(2, 1 + floor(log((members - 0.5) / schedule->first) / log(schedule->ratio)));
    while (step > 2 && de_schedule_members(schedule, step - 1) < members)
        step--;
    while (de_schedule_members(schedule, step) >= members)
        step++;
    return step;
}

/* Successive steps with the same number of members. */
struct stage {
    double first, end; /* steps first .. end - 1 */
    double members;
};

/* Returns the stage after `stage`. */
static struct stage next_stage(const struct de_schedule *schedule, const struct stage *stage)
{
    const double members = de_schedule_members(schedule, stage->end);
    return (struct stage){stage->end, de_schedule_fall(schedule, members), members};
}

static struct stage first_stage(const struct de_schedule *schedule)
{
    return (struct stage){0, de_schedule_fall(schedule, schedule->first), schedule->first};
}

double de_schedule_evaluations(const struct de_schedule *schedule, double steps)
{
    double sum = 0;
    struct stage stage = first_stage(schedule);
    for (; stage.end <= steps; stage = next_stage(schedule, &stage))
        sum += (stage.end - stage.first) * stage.members;
    return sum + (steps + 1 - stage.first) * stage.members;
}

double de_schedule_steps(const struct de_schedule *schedule, double evaluations)
{
    double left = evaluations;
    struct stage stage = first_stage(schedule);
    for (; (stage.end - stage.first) * stage.members < left; stage = next_stage(schedule, &stage))
        left -= (stage.end - stage.first) * stage.members;
    return fmax(0, stage.first + ceil(left / stage.members) - 1);
}
