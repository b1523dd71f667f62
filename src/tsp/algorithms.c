/* The algorithms of the tsp workload, in the order of enum shoal_tsp_algorithm. */
#include "base/error.h"
#include "tsp/exact/exact.h"
#include "tsp/lk/device.h"
#include "tsp/tsp.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>

extern const struct tsp_algorithm tsp_faco, tsp_as, tsp_eas, tsp_ras, tsp_mmas, tsp_bwas, tsp_acs, tsp_lk,
    tsp_exact;

/* The first option of ants that is given; NULL: there is none. */
static const char *option_of_ants(const struct shoal_tsp_params *params)
{
    return params->colonies > 1                ? "--colonies"
           : params->ants                      ? "--ants"
           : !isnan(params->alpha)             ? "--alpha"
           : !isnan(params->beta)              ? "--beta"
           : !isnan(params->rho)               ? "--rho"
           : params->faco.new_edges            ? "--new-edges"
           : !isnan(params->faco.p_best)       ? "--p-best"
           : params->faco.merge                ? "--merge"
           : params->pieces                    ? "--pieces"
           : !isnan(params->faco.source_share) ? "--source-share"
                                               : NULL;
}

bool tsp_may_be_lk(const struct shoal_tsp_params *params)
{
    return params->algorithm == SHOAL_TSP_LK ||
           (params->algorithm == SHOAL_TSP_ALGORITHM_AUTO && !option_of_ants(params));
}

enum shoal_status tsp_check_no_ants(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const char *option = option_of_ants(params), *name = tsp_algorithms[params->algorithm]->name;
    return option ? fail(error, SHOAL_INVALID, "%s has no ants: leave out %s", name, option) : SHOAL_OK;
}

const char *tsp_option_of_search(const struct shoal_tsp_params *params)
{
    return params->candidates                      ? "--candidates"
           : params->list_file                     ? "--list-file"
           : params->neighbour_lists               ? "neighbour_lists"
           : params->lists != SHOAL_TSP_LISTS_AUTO ? "--lists"
           : params->tour                          ? "--tour"
           : params->start_tour                    ? "start_tour"
                                                   : NULL;
}

/* The choice of an algorithm ----------------------------------------------------------------------------- */

/* Of the default time: seconds of any run, and of each city. */
static const double least_time = 1, city_time = 1e-5;

/* The option of lk that is given; NULL: there is none. */
static const char *option_of_lk(const struct shoal_tsp_params *params)
{
    return params->cooling ? "--cooling" : params->lists == SHOAL_TSP_LISTS_ALPHA ? "--lists alpha" : NULL;
}

static enum shoal_status check_choice(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const char *option = option_of_ants(params), *other = option_of_lk(params);
    if (option && other)
        return fail(error, SHOAL_INVALID, "%s belongs to lk, which has no ants: leave out %s", other, option);
    return option ? tsp_faco.check(params, error) : SHOAL_OK;
}

bool tsp_prefers_host(const struct shoal_tsp_params *params, bool is_slow)
{
    return params->algorithm == SHOAL_TSP_LK || params->algorithm == SHOAL_TSP_EXACT ||
           (params->algorithm == SHOAL_TSP_ALGORITHM_AUTO && !option_of_ants(params) &&
            (is_slow || option_of_lk(params)));
}

enum tsp_maker tsp_maker_of(const struct shoal_solver *solver)
{
    return !solver->queue                                  ? TSP_HOST
           : shoal_device_get_info(solver->device)->is_cpu ? TSP_CPU_DEVICE
                                                           : TSP_GPU;
}

/* Kicks per second of all tours, kicks for each city that have led to the shortest tours, and the seconds for
 * each city that lists and first tours take. */
static const struct {
    double rate, kicks, start;
} makers[] = {[TSP_HOST] = {1e5, 4}, [TSP_CPU_DEVICE] = {1e5, 4}, [TSP_GPU] = {1e7, 40, 5e-6}};

double tsp_kick_rate(enum tsp_maker maker)
{
    return makers[maker].rate;
}

/* Number of tours that lk searches in a time; 1: too few for a recombination, or so many cities that one tour
 * ends shorter. Each tour gets as many kicks for each city as have led to the shortest tours, and about ten
 * steps (docs/tsp.md, "Replicas"). is_small: a step of a processor has a kick for each city, and not a
 * part of them. */
static uint32_t replicas_in(double time, uint32_t cities, bool is_small, enum tsp_maker maker)
{
    enum { LEAST = 4, MOST_CITIES = 1 << 23 };
    const double kicks = is_small ? 10 : makers[maker].kicks, left = time - makers[maker].start * cities;
    const double count =
        fmin(fmin(left * makers[maker].rate / kicks, MOST_CITIES) / cities, TSP_MOST_REPLICAS);
    const bool is_large = maker == TSP_GPU && cities > TSP_MOST_MENDED;
    return count >= LEAST && !is_large ? (uint32_t)count : 1;
}

void tsp_choose_replicas(struct shoal_tsp_params *params, uint32_t cities, bool is_matrix,
                         enum tsp_maker maker)
{
    const bool is_small = maker != TSP_GPU && (params->cell || is_matrix || cities <= TSP_SMALL_CELL);
    const uint32_t count = isnan(params->time) ? 1 : replicas_in(params->time, cities, is_small, maker);
    if (params->algorithm == SHOAL_TSP_LK && !params->replicas)
        params->replicas = count;
}

/* Do focused ants find shorter tours than lk in a time on a device? 0 seconds: the run has no time. */
static bool prefers_ants(const struct shoal_tsp_params *params, double time, uint32_t cities, bool is_even,
                         enum tsp_maker maker)
{
    if (params->candidates > LK_MOST_NEAR)
        return true;
    /* Few tours of many clustered cities end longer than those of ants: C100k.0 after 3 s with four, not with
     * eight. Whether fewer cities are even is not known; of E31k.0 four tours are enough. */
    const uint32_t least = cities > TSP_MANY_CITIES ? 8 : 2;
    if (maker == TSP_GPU)
        return !is_even && replicas_in(time, cities, false, maker) < least;
    return time == 0 || (is_even && time * makers[maker].rate < makers[maker].kicks * cities);
}

enum tsp_choice tsp_choose_algorithm(struct shoal_tsp_params *params, uint32_t cities, bool is_even,
                                     enum tsp_maker maker)
{
    const double time = !isnan(params->time) ? params->time
                        : params->iterations ? 0
                                             : least_time + city_time * cities;
    enum tsp_choice choice = TSP_CHOSEN_FOR_OPTION;
    if (params->algorithm != SHOAL_TSP_ALGORITHM_AUTO)
        return TSP_NOT_CHOSEN;
    if (option_of_lk(params)) {
        params->algorithm = SHOAL_TSP_LK;
    } else if (option_of_ants(params)) {
        params->algorithm = SHOAL_TSP_FACO;
    } else if (cities <= TSP_EXACT_CITIES && !tsp_option_of_search(params)) {
        params->algorithm = SHOAL_TSP_EXACT;
        choice = TSP_CHOSEN_FOR_SIZE;
    } else if (maker != TSP_HOST && prefers_ants(params, time, cities, is_even, maker)) {
        params->algorithm = SHOAL_TSP_FACO;
        choice = TSP_CHOSEN_FOR_DEVICE;
    } else {
        params->algorithm = SHOAL_TSP_LK;
        choice = maker == TSP_HOST         ? TSP_CHOSEN_FOR_HOST
                 : maker == TSP_CPU_DEVICE ? TSP_CHOSEN_FOR_CPU
                 : is_even                 ? TSP_CHOSEN_FOR_MANY
                                           : TSP_CHOSEN_FOR_GPU;
    }
    if (params->algorithm != SHOAL_TSP_EXACT && !params->iterations && isnan(params->time))
        params->time = time;
    return choice;
}

const char *tsp_choice_reason(enum tsp_choice choice, const struct shoal_tsp_params *params)
{
    switch (choice) {
    case TSP_CHOSEN_FOR_OPTION:
        return option_of_lk(params) ? option_of_lk(params) : option_of_ants(params);
    case TSP_CHOSEN_FOR_SIZE:
        return "few cities";
    case TSP_CHOSEN_FOR_HOST:
        return "the host";
    case TSP_CHOSEN_FOR_GPU:
        return "a GPU and its time";
    case TSP_CHOSEN_FOR_CPU:
        return "a processor and its time";
    case TSP_CHOSEN_FOR_MANY:
        return "a GPU and many cities, evenly spread";
    case TSP_CHOSEN_FOR_SHARES:
        return "several devices";
    default:
        return "a device";
    }
}

/* Name of the section that has the enum tsp_choice of a run whose algorithm was chosen. */
static const char choice_section[] = "choice";
/* Name of the section that has the time of a run whose time is not the caller's. */
static const char default_time[] = "default time";

void tsp_choice_save(const struct shoal_solver *solver, struct checkpoint *checkpoint)
{
    const struct tsp_run *run = tsp_run_of(solver);
    if (run->choice)
        checkpoint_add(checkpoint, choice_section, &run->choice, sizeof run->choice);
    if (run->has_default_time)
        checkpoint_add(checkpoint, default_time, &tsp_params(solver)->time, sizeof(double));
}

/* The options of the resumed run have the default time of the run before. If the caller gives a number of
 * iterations, the run has no time, as it would have none from the start. */
static enum shoal_status load_default_time(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                           struct shoal_error *error)
{
    struct shoal_tsp_params *params = solver->params;
    double time;
    if (!checkpoint_find(checkpoint, default_time))
        return SHOAL_OK;
    const enum shoal_status status = checkpoint_get(checkpoint, default_time, &time, sizeof time, error);
    if (status || params->time != time)
        return status;
    if (params->iterations)
        params->time = NAN;
    tsp_run_of(solver)->has_default_time = !params->iterations;
    return SHOAL_OK;
}

/* The resumed run has the algorithm's name from the checkpoint; the reason of its choice follows here. */
enum shoal_status tsp_choice_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    enum tsp_choice choice = TSP_NOT_CHOSEN;
    enum shoal_status status = SHOAL_OK;
    if (checkpoint_find(checkpoint, choice_section))
        status = checkpoint_get(checkpoint, choice_section, &choice, sizeof choice, error);
    if (!status &&
        ((uint32_t)choice > TSP_CHOSEN_FOR_SHARES || !tsp_choice_reason(choice, tsp_params(solver))))
        status = checkpoint_damaged(checkpoint, error);
    if (status)
        return status;
    tsp_run_of(solver)->choice = choice;
    return load_default_time(solver, checkpoint, error);
}

static const struct tsp_algorithm tsp_auto = {.name = "auto", .has_colonies = true, .check = check_choice};

const struct tsp_algorithm *const tsp_algorithms[] = {
    &tsp_faco, &tsp_as,  &tsp_eas, &tsp_ras,   &tsp_mmas,
    &tsp_bwas, &tsp_acs, &tsp_lk,  &tsp_exact, &tsp_auto TSP_THESIS_ALGORITHM};
