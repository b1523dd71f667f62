/* Parts of a search that may be cut. The state is copied before a part, and is restored if the part was
 * cut. */
#include "search/host/host.h"

#include <stdlib.h>
#include <string.h>

size_t search_host_copy(struct search_host *host, char *kept, bool is_back)
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
    if (host->ops->copy)
        bytes += host->ops->copy(host, kept ? kept + bytes : NULL, is_back);
    return bytes;
}

void search_host_begin_part(struct search_host *host, bool can_drop)
{
    long_step_begin(&host->cut);
    /* If there is no memory for the copy, the part cannot be cut: it runs to its end. */
    if (can_drop && !host->kept)
        host->kept = malloc(search_host_copy(host, NULL, false));
    host->can_cut = host->cut.solver && host->cut.solver->must_end && (!can_drop || host->kept);
    if (can_drop && host->can_cut)
        search_host_copy(host, host->kept, false);
}

void search_host_drop_part(struct search_host *host)
{
    search_host_copy(host, host->kept, true);
    search_host_derive(host);
}
