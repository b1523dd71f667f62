/* Long steps of the host that end at once where the run must: the state before them is kept, and they are
 * dropped. */
#include "base/clock.h"
#include "search/host/host.h"

#include <stdlib.h>
#include <string.h>

/* Between two questions of a thread, which may lock. */
static const double pause_s = 10e-3;
/* Between two looks at the clock, roughly. */
static const double look_s = 1e-3;
enum { MOST_UNITS = 64 };

void search_host_look(struct search_host *host, size_t thread, enum search_work work)
{
    struct progress_counter *own = &host->progress[thread];
    struct search_look *look = &own->looks[work];
    const double now = clock_seconds(), units = (double)look->mask + 1, unit_s = (now - look->last_s) / units;
    look->last_s = now;
    if (unit_s > look_s)
        look->mask = 0;
    else if (2 * units * unit_s < look_s && 2 * units <= MOST_UNITS)
        look->mask = 2 * look->mask + 1;
    if (now - host->began_s < host->patience_s || now - own->asked_s < pause_s || search_host_is_cut(host))
        return;
    own->asked_s = now;
    if (solver_must_end(host->solver))
        atomic_store(&host->is_cut, true);
}

/* The arrays that a step changes, one behind the other in `kept`. */
static size_t copy(struct search_host *host, char *kept, bool is_back)
{
    const struct arrays *const all[] = {&host->arrays, &host->own};
    size_t bytes = 0;
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        for (const struct array *array = all[a]->list; array < all[a]->list + all[a]->count; array++) {
            void *memory = *(void **)array->pointer;
            const size_t size = array->used * array->element;
            if (!(array->flags & ARRAY_SAVE) || !size)
                continue;
            if (kept)
                memcpy(is_back ? memory : kept + bytes, is_back ? kept + bytes : memory, size);
            bytes += size;
        }
    return bytes;
}

void search_host_begin_part(struct search_host *host, bool can_drop)
{
    host->began_s = clock_seconds();
    atomic_store(&host->is_cut, false);
    /* Without memory it is made whole. */
    if (can_drop && !host->kept)
        host->kept = malloc(copy(host, NULL, false));
    host->can_cut = host->solver && host->solver->must_end && (!can_drop || host->kept);
    if (can_drop && host->can_cut)
        copy(host, host->kept, false);
}

void search_host_drop_part(struct search_host *host)
{
    copy(host, host->kept, true);
    search_host_derive(host);
}
