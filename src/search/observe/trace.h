/* Private: samples of the runs so far, at regular intervals of steps. */
#ifndef SHOAL_SEARCH_TRACE_H
#define SHOAL_SEARCH_TRACE_H

#include "search/observe/observe.h"
#include "workload/workload.h"

/* Number of columns of a sample without the step. */
enum { SEARCH_TRACE_COLUMNS = 7 };

/* Samples of the runs; all zeros: there are no samples yet. The trace keeps at most SEARCH_TRACE_MOST
 * samples: when it is full, it removes every second sample and doubles the interval. The callback of the
 * solver gets every sample that is taken. */
enum { SEARCH_TRACE_MOST = 1 << 20 };
struct search_trace {
    struct shoal_search_sample *samples;
    size_t count, room;
    uint64_t interval; /* number of steps between kept samples; 0: no sample was taken */
    uint64_t next;     /* the first step that has not been sampled */
    double *sorted;    /* [runs]: scratch memory */
    /* columns of the last result: SEARCH_TRACE_COLUMNS columns with columns_count rows each */
    double *columns;
    size_t columns_count; /* number of rows for which `columns` has room */
};

void search_trace_clear(struct search_trace *trace);

/* Returns the number of steps from `step` to the next sample; UINT64_MAX: there is no further sample. */
uint64_t search_trace_wait(const struct search_problem *problem, uint64_t step);

/* Takes a sample of the state after `step`, unless there is one already, and passes it to the callback of the
 * solver. best: [runs], least value of sign f; spread: [runs]; NULL: the algorithm has no population. */
SHOAL_MUST_CHECK enum shoal_status search_trace_take(struct shoal_solver *solver,
                                                     const struct search_problem *problem,
                                                     struct search_trace *trace, uint64_t step,
                                                     const double *best, const struct search_spread *spread,
                                                     struct shoal_error *error);

/* Adds the result fields for the samples. The fields point into the trace. */
SHOAL_MUST_CHECK enum shoal_status search_trace_result(const struct search_problem *problem,
                                                       struct search_trace *trace,
                                                       struct shoal_result *result,
                                                       struct shoal_error *error);

void search_trace_save(const struct search_trace *trace, struct checkpoint *checkpoint);
/* Whether `section` is the name of a section of a trace, in this or an earlier version. */
bool search_trace_has(const char *section);
/* Reads an entry of a checkpoint of an earlier version, in which kernels recorded an entry for each step. The
 * function sets *least to the least value of sign f of run `run` in an entry of `bytes` bytes, which need not
 * be aligned. Returns false if the entry has another size than expected. */
typedef bool (*search_old_trace_fn)(const void *data, const void *entry, size_t bytes, uint64_t step,
                                    size_t run, double *least);
/* Loads the samples of the steps up to `step`. */
SHOAL_MUST_CHECK enum shoal_status search_trace_load(const struct search_problem *problem,
                                                     struct search_trace *trace, uint64_t step,
                                                     search_old_trace_fn old, const void *old_data,
                                                     const struct checkpoint *checkpoint,
                                                     struct shoal_error *error);

#endif
