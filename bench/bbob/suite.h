/* Trials of a search on instances of the functions of the benchmark BBOB, and the evaluations that they
 * needed. */
#ifndef SHOAL_BENCH_SUITE_H
#define SHOAL_BENCH_SUITE_H

#include <omp.h>
#include <shoal/optimise.h>

/* The functions of the benchmark, and its levels: differences from the minimum that a trial is to reach, five
 * in a decade from 100 down to 1e-8. */
enum { SUITE_FUNCTIONS = 24, SUITE_LEAST_DIM = 2, SUITE_MOST_DIM = 40, SUITE_LEVELS = 51 };

/* The difference of level number `level`, from 0: 100, 63, 40 ... 1e-8. */
double suite_level(size_t level);

/* An evaluation that was the first to reach a level. */
struct suite_gain {
    uint64_t evaluations; /* of the trial up to this one */
    double difference;    /* value less the minimum of the instance */
};

/* A search for the minimum of an instance, with restarts. */
struct suite_trial {
    int function; /* 1 to 24 */
    size_t dim;
    uint64_t instance;
    double minimum;
    struct suite_gain *gains; /* differences fall */
    double *points;           /* [gain_count][dim]: positions of the gains */
    size_t gain_count;
    double difference; /* least difference; infinity: none yet */
    uint64_t evaluations, restarts;
    struct shoal_error error; /* why the trial ended without a result */
};

struct suite {
    /* What is tried: each function in each dimension on each instance. */
    const uint64_t *functions, *dims, *instances;
    size_t function_count, dim_count, instance_count;
    double budget;  /* evaluations of a trial for each dimension */
    double success; /* difference at which a trial ends */
    uint64_t seed;
    const struct shoal_workload *workload; /* the algorithm; NULL: "auto" chooses it for each trial */
    const void *params;                    /* parameters of the algorithm; not read where it is NULL */
    struct shoal_device *device;           /* the host where it is the host device */
    enum shoal_variant variant;
    unsigned parallel;      /* trials at the same time */
    bool (*stop)(void *no); /* asked by several threads at once */
    /* Called after each trial, by one thread at a time. */
    void (*progress)(void *data, size_t done, size_t count);
    void *data;
    /* [trial_count]: function by function, of each its dimensions, of each its instances. */
    struct suite_trial *trials;
    size_t trial_count;
    omp_lock_t *building; /* for each function and dimension: held by the trial that creates a solver, so that
                           * the others find its programs built */
};

/* Makes every trial. A trial that fails has its error; the others go on.
 * Errors: SHOAL_OUT_OF_HOST_MEMORY. */
SHOAL_MUST_CHECK enum shoal_status suite_run(struct suite *suite, struct shoal_error *error);
void suite_clear(struct suite *suite);

/* The trials of a function in a dimension, [suite->instance_count], by their numbers in the lists. */
const struct suite_trial *suite_trials(const struct suite *suite, size_t function, size_t dim);

/* Evaluations up to the first one at which the difference was at most `difference`, a level or the success of
 * the suite; 0: never. */
uint64_t suite_hit(const struct suite_trial *trial, double difference);

/* Average run time: the evaluations of all trials up to this difference, or to their ends, divided by the
 * number of trials that reached it, *hits. Infinity: none has. */
double suite_art(const struct suite_trial *trials, size_t count, double difference, size_t *hits);

/* Private to the files of the suite: a trial in progress. */
struct suite_run {
    const struct suite *suite;
    struct suite_trial *trial;
    struct shoal_objective *objective;
    uint64_t budget; /* evaluations of the trial */
    size_t level;    /* the next level to reach */
};

/* Takes the value of an evaluation, or of the best of the evaluations since the last call, at position x. */
enum shoal_status suite_note(struct suite_run *run, double value, const double *x, struct shoal_error *error);
/* Is that value the first one, the first success, or does it reach a level? */
bool suite_is_gain(const struct suite_run *run, double value);
bool suite_is_over(const struct suite_run *run);
/* One search of a trial, on the host or a device. *ended: another search would end at once. */
enum shoal_status suite_search_host(struct suite_run *run, bool *ended, struct shoal_error *error);
enum shoal_status suite_search_device(struct suite_run *run, bool *ended, struct shoal_error *error);

/* One search with a run for each of `count` trials of a dimension, on a device. */
enum shoal_status suite_search_group(struct suite_run *runs, size_t count, struct shoal_error *error);

/* Evaluations of a trial. */
uint64_t suite_budget(const struct suite *suite, size_t dim);

/* Name of a function: "bbob-f15". */
struct suite_name {
    char s[16];
};
struct suite_name suite_name_of(int function);

/* The shared parameters of a search of the trial: seed, evaluations and what a trial sets. */
void suite_fill(const struct suite_run *run, struct shoal_search_params *params);

#endif
