/* Private: runs of many problems, on the host and on devices. */
#ifndef SHOAL_TSP_MANY_H
#define SHOAL_TSP_MANY_H

#include <shoal/tsp.h>

/* A call of shoal_tsp_run_many. */
struct many {
    struct shoal_device *device;
    const struct shoal_tsp_params *params;
    size_t count;
    shoal_tsp_solved_callback *solved;
    bool (*stop)(void *data);
    void *data;
    bool has_ended; /* a function of the caller has ended the work */
};

static inline const void *many_params(const struct many *many, size_t index)
{
    return (const char *)many->params + index * many->params->size;
}

/* Must all runs end? Any thread may ask; the caller's function is called by one thread at a time. many: a
 * struct many. */
bool many_must_stop(void *many);
/* Makes the run of a problem. `report` and `fault` are set anew. */
enum shoal_status many_run(struct many *many, size_t index, struct shoal_report *report,
                           struct shoal_error *fault);
/* Gives the result of a problem to the caller, and clears the report. message: why the problem failed. */
void many_give(struct many *many, size_t index, enum shoal_status status, const char *message,
               struct shoal_report *report);
/* Makes all runs on a device, the steps of many at once. Fails if memory of the host is not sufficient. */
SHOAL_MUST_CHECK enum shoal_status many_on_device(struct many *many, struct shoal_error *error);

#endif
