/* Whole islands on the chip: one work-group makes many steps of its island in a launch. As many islands run at a time
 * as fit the device. A group writes to global memory only after its last step. The layout is in pso/methods/onchip.clh.
 *
 * If every work-item has whole particles, a step has at most two barriers: one before bests are shared, and another one
 * if a best has changed. A particle whose new personal best is below the island's best writes an offer to local memory,
 * and all work-items read the offers. After the first steps there are few offers.
 */
#include "pso/methods/onchip_best.clh"
#include "pso/methods/onchip_move.clh"
#include "search/exchange.clh"

/* Draws new positions and velocities of all particles. number: which restart of the island this is; 0: the first
 * draw. */
static INLINE void draw_particles(particles *own, context here, uint number, __global const real *settings,
                             __global real *x, __global real *v)
{
    if (takes_part(own)) {
        draw(own, here, number, settings, x, v);
        load(own->x, own, here, x);
        load(own->v, own, here, v);
    }
}

/* Ends a run of one island if it has reached its target or has stagnated. */
static INLINE void end_island(island *record, real target, uint stagnation)
{
    record->reached = record->champion <= target ? 1u : 0u;
    record->ended = record->reached || (stagnation > 0u && record->stagnant >= stagnation) ? 1u : 0u;
}

/* Writes the record of island k. pending: enum search_pending; not PENDING_NONE if an exchange follows the last step of
 * the launch. */
static INLINE void store_record(island record, uint pending, best_of_island goal, uint k, __global uint *words,
                                __global real *reals)
{
    island_write(record, words, reals, k);
    words[k * ISLAND_WORDS + ISLAND_PENDING] = pending;
    words[k * ISLAND_WORDS + ISLAND_PENDING_INDEX] = goal.index;
    reals[k * ISLAND_REALS + ISLAND_PENDING_GOAL] = goal.value;
}

/* Makes steps first .. first + steps - 1 of island get_group_id(0); step 0 draws the island. restart, stagnation: see
 * the parameters; 0: none. leave_last: 1: an exchange follows the last step, so onchip_settle records this step. lead:
 * see struct search_shape. This kernel ends runs of one island; onchip_end ends other runs. The scalars are not in a
 * struct, since with a struct a work-item took 89 registers of an H200 instead of 80. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_run(__global real *restrict x, __global real *restrict v, __global real *restrict p,
                __global real *restrict best, __global uint *restrict words, __global real *restrict reals,
                __global real *restrict champion, __global const real *restrict settings, ulong seed, uint swarms,
                uint first, uint steps, uint restart, uint stagnation, uint leave_last, uint lead)
{
    __local real pool[POOL * 64 / REAL];
    local uint *marks = (local uint *)(pool + POOL_REALS);
    const uint end = first + steps, lid = (uint)get_local_id(0);
    const real target = settings[SET_TARGET], tolerance = settings[SET_TOLERANCE];
    const real inertia = settings[SET_INERTIA], inertia_step = settings[SET_INERTIA_STEP];
    context here = context_of(settings, seed, (uint)get_group_id(0), swarms, lead);
    island record = first > 0u ? island_read(words, reals, here.island) : island_new();
    const int active = !record.ended;
    uint slot = 0u, not_finite = 0u, pending = PENDING_NONE, links = 0u, step;
    uint owed = NO_INDEX; /* the particle that became the champion and whose position is not written yet */
    best_of_island goal = best_of(record.goal, record.goal_index);
    particles own;
    choose_items(&own, 0u, PARTICLES);
    load_pool(here, first, goal.index, p, best, pool, marks);
    if (first > 0u)
        load_particles(&own, here, x, v, p, best);
    SYNC();
    for (step = first; step < end && !record.ended; step++) {
        const int fresh = step == 0u || is_restart_due(record, restart);
        const best_of_island before = goal;
        /* The record already holds `before`; these assignments make the compiler keep one copy, in two registers less. */
        record.goal = before.value;
        record.goal_index = before.index;
        here.step = step;
        here.inertia = inertia + inertia_step * (real)(step - 1u);
        if (fresh) {
            if (owed != NO_INDEX)
                keep_champion(&own, owed, here, champion, pool);
            owed = NO_INDEX;
            draw_particles(&own, here, step > 0u ? record.restarts + 1u : 0u, settings, x, v);
            goal = best_of((real)INFINITY, UINT_MAX);
        }
        if (!fresh)
            renew_links(here, record.renew_at, &links, marks);
#if BATCH
        uint from;
        for (from = 0u; from < PARTICLES; from += BATCH) {
            choose_items(&own, from, min(from + BATCH, (uint)PARTICLES));
#endif
            if (!fresh)
                move(&own, here, goal.index, settings, pool, marks);
            gather(&own, here, settings, pool);
            if (takes_part(&own))
                not_finite += settle(&own, fresh, goal, slot, here, settings, pool, marks);
            SYNC();
            slot = next_slot(slot, marks);
            goal = accept(&own, goal, slot == 0u ? 2u : slot - 1u, pool, marks);
#if BATCH
        }
        choose_items(&own, 0u, PARTICLES);
#endif
        if (leave_last && step + 1u == end) {
            pending = fresh ? PENDING_DRAW : PENDING_MOVE;
            if (goal.value < record.champion)
                owed = goal.index;
            record.champion = min(record.champion, goal.value);
        } else {
            /* The champion's index is kept in `owed`, since a later step may set goal.index to a particle with an equal
             * best. */
            if (enter_step(&record, step, before, goal, fresh, tolerance))
                owed = goal.index;
            if (swarms == 1u)
                end_island(&record, target, stagnation);
        }
    }
    if (active) {
        store_particles(&own, here, x, v, p, best, pool);
        if (owed != NO_INDEX)
            keep_champion(&own, owed, here, champion, pool);
        island_count_not_finite(words, here.island, not_finite);
        if (lid == 0u)
            store_record(record, pending, goal, here.island, words, reals);
    }
}

/* Replaces the worst particle of an island by a champion that is better than the island's best: with EXCHANGE_ALL by
 * the best champion of the run, otherwise by the champion of each source, one after the other. One work-item for each
 * island. kind: enum search_exchange_kind. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_exchange(__global real *restrict p, __global real *restrict best, __global uint *restrict words,
                     __global real *restrict reals, __global const real *restrict champion,
                     __global const uint *restrict links /* or NULL */, ulong seed, uint islands, uint swarms,
                     uint kind, uint step, uint lead)
{
    const uint own = (uint)get_global_id(0);
    if (own < islands && words[own * ISLAND_WORDS + ISLAND_PENDING] > 0u) {
        const uint run = (lead + own) / swarms, first = run * swarms, place = lead + own - first;
        const uint rows = row_count(lead, islands, swarms);
        const uint sources = kind == EXCHANGE_ALL ? 1u : source_count(links, kind, place);
        uint n, q, d;
        for (n = 0u; n < sources; n++) {
            uint from, worst = 0u;
            real value;
            if (kind == EXCHANGE_ALL) {
                from = row_of(first, lead, rows);
                for (q = first + 1u; q < first + swarms; q++) {
                    const uint row = row_of(q, lead, rows);
                    if (reals[row * ISLAND_REALS + ISLAND_CHAMPION] < reals[from * ISLAND_REALS + ISLAND_CHAMPION])
                        from = row;
                }
            } else {
                from = row_of(first + source_island(links, kind, place, n, swarms, seed + run, step), lead, rows);
            }
            value = reals[from * ISLAND_REALS + ISLAND_CHAMPION];
            if (value < reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL]) {
                __global real *bests = best + (ulong)own * PARTICLES;
                for (q = 1; q < PARTICLES; q++)
                    if (bests[q] >= bests[worst])
                        worst = q;
                bests[worst] = value;
                for (d = 0; d < DIM; d++)
                    p[((ulong)own * DIM + d) * PARTICLES + worst] = champion[(ulong)from * DIM + d];
                words[own * ISLAND_WORDS + ISLAND_PENDING_INDEX] = worst;
                reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL] = value;
            }
        }
    }
}

/* Records the step that waited for the exchange (ISLAND_PENDING); one work-item for each island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_settle(__global const real *restrict p, __global uint *restrict words, __global real *restrict reals,
                   __global real *restrict champion, __global const real *restrict settings, uint islands, uint step)
{
    const uint own = (uint)get_global_id(0);
    if (own < islands && words[own * ISLAND_WORDS + ISLAND_PENDING] > 0u) {
        const uint index = words[own * ISLAND_WORDS + ISLAND_PENDING_INDEX];
        const int drawn = words[own * ISLAND_WORDS + ISLAND_PENDING] == PENDING_DRAW;
        island record = island_read(words, reals, own);
        uint d;
        if (island_settle(&record, step, reals[own * ISLAND_REALS + ISLAND_PENDING_GOAL], index, drawn,
                          settings[SET_TOLERANCE]))
            for (d = 0; d < DIM; d++)
                champion[(ulong)own * DIM + d] = p[((ulong)own * DIM + d) * PARTICLES + index];
        words[own * ISLAND_WORDS + ISLAND_PENDING] = PENDING_NONE;
        island_write(record, words, reals, own);
    }
}

/* Ends runs of several islands, after each step, since one island that reaches the target ends its whole run. One
 * work-item for each run. The tables have a row for each island of these runs. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void onchip_end(__global uint *restrict words, __global const real *restrict reals,
                __global const real *restrict settings, uint runs, uint swarms, uint stagnation, uint lead)
{
    const uint run = (uint)get_global_id(0), rows = runs * swarms;
    if (run < runs && !words[row_of(run * swarms, lead, rows) * ISLAND_WORDS + ISLAND_ENDED]) {
        uint reached = 0u, stagnant = stagnation > 0u ? 1u : 0u, n;
        for (n = run * swarms; n < (run + 1u) * swarms; n++) {
            const uint k = row_of(n, lead, rows);
            reached |= reals[k * ISLAND_REALS + ISLAND_CHAMPION] <= settings[SET_TARGET] ? 1u : 0u;
            stagnant &= words[k * ISLAND_WORDS + ISLAND_STAGNANT] >= stagnation ? 1u : 0u;
        }
        for (n = run * swarms; n < (run + 1u) * swarms; n++) {
            const uint k = row_of(n, lead, rows);
            words[k * ISLAND_WORDS + ISLAND_REACHED] = reached;
            words[k * ISLAND_WORDS + ISLAND_ENDED] = reached | stagnant;
        }
    }
}
