/* Private: samples of the runs so far, one in each interval of steps. */
#ifndef SHOAL_SEARCH_TRACE_H
#define SHOAL_SEARCH_TRACE_H

#include "search/observe/observe.h"
#include "workload/workload.h"

/* Columns of the samples behind the step. */
enum { SEARCH_TRACE_COLUMNS = 7 };

/* Zeros: none yet. However long the runs are, they take no more memory than SEARCH_TRACE_MOST samples: when
 * so many are kept, every second one goes, and later ones are kept at twice the interval. The callback of the
 * solver gets all of them. */
enum { SEARCH_TRACE_MOST = 1 << 20 };
struct search_trace {
    struct shoal_search_sample *samples;
    size_t count, room;
    uint64_t interval;    /* steps between those kept; 0: no sample was taken */
    uint64_t next;        /* the first step that has no sample yet */
    double *sorted;       /* runs: scratch */
    double *columns;      /* of the last result: SEARCH_TRACE_COLUMNS of so many values */
    size_t columns_count; /* rows that there is room for */
};

void search_trace_clear(struct search_trace *trace);

/* Steps from `step` on until the next sample is due; UINT64_MAX: there are none. */
uint64_t search_trace_wait(const struct search_problem *problem, uint64_t step);

/* Keeps the state after `step`, unless it was taken before, and passes it to the callback of the solver.
 * best: least sign f of each run; spread: of each run, or NULL. */
SHOAL_MUST_CHECK enum shoal_status search_trace_take(struct shoal_solver *solver,
                                                     const struct search_problem *problem,
                                                     struct search_trace *trace, uint64_t step,
                                                     const double *best, const struct search_spread *spread,
                                                     struct shoal_error *error);

/* Fields of a result, which point into the trace. */
SHOAL_MUST_CHECK enum shoal_status search_trace_result(const struct search_problem *problem,
                                                       struct search_trace *trace,
                                                       struct shoal_result *result,
                                                       struct shoal_error *error);

void search_trace_save(const struct search_trace *trace, struct checkpoint *checkpoint);
/* Checkpoints of earlier versions hold what kernels recorded: the least sign f of run `run` from the entry of
 * a step, `bytes` that need not be aligned. False: it has not so many. */
typedef bool (*search_old_trace_fn)(const void *data, const void *entry, size_t bytes, uint64_t step,
                                    size_t run, double *least);
/* The samples up to `step`. */
SHOAL_MUST_CHECK enum shoal_status search_trace_load(const struct search_problem *problem,
                                                     struct search_trace *trace, uint64_t step,
                                                     search_old_trace_fn old, const void *old_data,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);

#endif
