/* Visits: what the parts of a run ask for in a meeting. */
#include "split/split.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

struct visit_rows visit_rows_of(const struct part *owner, const struct solver_visit *visit,
                                const struct solver_guest *guest)
{
    const struct solver_share *share = &owner->share;
    const uint64_t rows = visit->rows;
    const bool is_cut = visit->cuts && share->count;
    const uint64_t own_first = is_cut ? visit->cuts[share->number] : share->first;
    const uint64_t own_end = is_cut ? visit->cuts[share->number + 1] : share->first + share->count;
    const uint64_t first = own_first > guest->unit ? own_first : guest->unit;
    const uint64_t end = guest->unit + guest->count;
    const uint64_t last = own_end < end ? own_end : end;
    if (last <= first)
        return (struct visit_rows){0};
    if (!rows)
        return (struct visit_rows){.source = (size_t)(first - own_first),
                                   .target = guest->row + (size_t)(first - guest->unit),
                                   .count = (size_t)(last - first)};
    const size_t place = (size_t)share_rows(share, rows, first);
    return (struct visit_rows){place, place, (size_t)share_rows(share, rows, last) - place};
}

size_t visit_bytes(const struct part *owner, const struct solver_visit *visit)
{
    size_t row = 0, rows = 0;
    for (size_t t = 0; t < visit->table_count; t++)
        row += visit->tables[t].row;
    for (size_t i = 0; i < visit->guest_count; i++)
        rows += visit_rows_of(owner, visit, &visit->guests[i]).count;
    return row * rows + (owner->share.count ? visit->notes.row : 0);
}

void *visit_grown(void *array, size_t *room, size_t count, size_t element)
{
    if (array && count <= *room)
        return array;
    void *larger = realloc(array, (count ? count : 1) * element);
    *room = larger ? count : *room;
    return larger;
}

enum shoal_status visit_keep(struct part *part, const struct solver_visit *visit, uint64_t meeting,
                             struct shoal_error *error)
{
    struct part_visit *own = &part->visits[part->turn ^= 1];
    atomic_store(&own->meeting, 0);
    struct solver_table *tables =
        visit_grown(own->tables, &own->table_room, visit->table_count, sizeof *own->tables);
    own->tables = tables ? tables : own->tables;
    struct solver_guest *guests =
        visit_grown(own->guests, &own->guest_room, visit->guest_count, sizeof *own->guests);
    own->guests = guests ? guests : own->guests;
    const size_t cut_count = visit->cuts ? part->share.shares + 1 : 0;
    uint64_t *cuts = visit_grown(own->cuts, &own->cut_room, cut_count, sizeof *own->cuts);
    own->cuts = cuts ? cuts : own->cuts;
    if (!tables || !guests || !cuts)
        return fail_host_memory(error);
    if (cut_count) {
        memcpy(cuts, visit->cuts, cut_count * sizeof *cuts);
        part->first = cuts[part->share.number];
        part->count = cuts[part->share.number + 1] - part->first;
    }
    if (visit->table_count)
        memcpy(tables, visit->tables, visit->table_count * sizeof *tables);
    if (visit->guest_count)
        memcpy(guests, visit->guests, visit->guest_count * sizeof *guests);
    own->visit = *visit;
    own->visit.tables = own->tables;
    own->visit.guests = own->guests;
    own->visit.cuts = visit->cuts ? own->cuts : NULL;
    atomic_store(&own->meeting, meeting);
    return SHOAL_OK;
}

const struct solver_visit *visit_of(const struct part *part, uint64_t meeting)
{
    for (size_t i = 0; i < 2; i++)
        if (atomic_load(&part->visits[i].meeting) == meeting)
            return &part->visits[i].visit;
    return NULL;
}
