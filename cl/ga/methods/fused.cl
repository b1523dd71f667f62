/* A generation of populations in global memory, from the selection to the values, in one launch: a pair a work-item. The
 * genes of a member lie together. A group copies the parents of its pairs into local memory, where children take their
 * places and from where it writes them, both in the order of memory. Operators and values are those of islands on the
 * chip. */
#define IN_MEMORY 1
/* CUDA: groups that fit a multiprocessor at a time, which limits registers. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 8
#endif
/* Pairs of a group. */
#ifndef GROUP_PAIRS
#define GROUP_PAIRS 64
#endif
#include "ga/methods/onchip_vary.clh"
#include "search/members.clh"

#define COPY_NUMBER  real
#define COPY_NUMBERS DIM
#include "ga/copy.clh"

#if BY_ROWS
/* The parents of each pair to the places of its children. x: of the island. */
static INLINE void copy_parents(__global const real *x, local real *pool, local const uint *tables)
{
    uint row, d;
    for (row = 0u; row < 2u * PAIRS; row++)
        for (d = 0u; d < DIM; d++)
            GENE_AT(pool, d, row) = x[(ulong)tables[AT_PARENTS + row] * DIM + d];
}

static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    uint row, d;
    for (row = 0u; row < count; row++)
        for (d = 0u; d < DIM; d++)
            x[row * DIM + d] = GENE_AT(pool, d, (row >> 1) + (row & 1u) * PAIRS);
}
#else
/* Numbers that a work-item copies at a time. */
#if DIM % 2 == 0
#define UNIT 2
#if REAL == 64
typedef double2 unit;
#else
typedef float2 unit;
#endif
#else
#define UNIT 1
typedef real unit;
#endif
#define UNITS (DIM / UNIT)
/* Neighbouring work-items copy neighbouring units of a member; SPAN of them have one pair. */
#define WANTED_SPAN (UNITS > 16 ? 32 : UNITS > 8 ? 16 : UNITS > 4 ? 8 : UNITS)
#define SPAN (WANTED_SPAN < WG ? WANTED_SPAN : WG)
#define PAIRS_AT_ONCE (WG / SPAN)
/* Units of each parent that are loaded before they are stored. */
#define BATCH 8

static INLINE void put_unit(local real *genes, unit numbers)
{
#if UNIT == 2
    genes[0] = numbers.x;
    genes[POSITIONS] = numbers.y;
#else
    genes[0] = numbers;
#endif
}

static INLINE unit unit_of(local const real *genes)
{
    unit numbers;
#if UNIT == 2
    numbers.x = genes[0];
    numbers.y = genes[POSITIONS];
#else
    numbers = genes[0];
#endif
    return numbers;
}

static INLINE __global const unit *units_of(__global const real *genes, ulong member)
{
    return (__global const unit *)((__global const char *)genes + member * (DIM * sizeof(real)));
}

/* The parents of each pair to the places of its children, a batch before it is written: a load waits for no other. x: of
 * the island. */
static INLINE void copy_parents(__global const real *x, local real *pool, local const uint *tables)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint u, first, n;
    for (u = (uint)get_local_id(0) % SPAN; u < UNITS && own < PAIRS_AT_ONCE; u += SPAN) {
        local real *const genes = &GENE_AT(pool, UNIT * u, own);
        local const uint *const parents = tables + AT_PARENTS + own;
        for (first = 0u; first < PAIRS; first += BATCH * PAIRS_AT_ONCE) {
            unit a[BATCH], b[BATCH];
#pragma unroll
            for (n = 0u; n < BATCH; n++) {
                const uint pair = first + n * PAIRS_AT_ONCE;
                if (PAIRS % (BATCH * PAIRS_AT_ONCE) == 0 || pair + own < PAIRS) {
                    a[n] = units_of(x + UNIT * u, parents[pair])[0];
                    b[n] = units_of(x + UNIT * u, parents[pair + PAIRS])[0];
                }
            }
#pragma unroll
            for (n = 0u; n < BATCH; n++) {
                const uint pair = first + n * PAIRS_AT_ONCE;
                if (PAIRS % (BATCH * PAIRS_AT_ONCE) == 0 || pair + own < PAIRS) {
                    put_unit(genes + pair, a[n]);
                    put_unit(genes + pair + PAIRS, b[n]);
                }
            }
        }
    }
}

static INLINE void write_units(__global real *x, uint u, uint own, uint count, local const real *pool)
{
    __global unit *to = (__global unit *)(x + UNIT * u) + 2u * own * UNITS;
    local const real *genes = &GENE_AT(pool, UNIT * u, own);
    uint first;
#pragma unroll 4
    for (first = 0u; first < PAIRS; first += PAIRS_AT_ONCE) {
        if (2u * (first + own) < count)
            to[0] = unit_of(genes);
        if (2u * (first + own) + 1u < count)
            to[UNITS] = unit_of(genes + PAIRS);
        to += 2 * PAIRS_AT_ONCE * UNITS;
        genes += PAIRS_AT_ONCE;
    }
}

/* The children of a whole group without comparisons. */
static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint u;
    for (u = (uint)get_local_id(0) % SPAN; u < UNITS && own < PAIRS_AT_ONCE; u += SPAN) {
        if (PAIRS % PAIRS_AT_ONCE == 0 && count == 2u * PAIRS)
            write_units(x, u, own, UINT_MAX, pool);
        else
            write_units(x, u, own, count, pool);
    }
}
#endif

/* Children of item k and their values. values: of the group's children. Returns how many are not finite. */
static INLINE uint breed(context here, uint k, mating m, __global const real *settings, __global real *values,
                         local real *pool, local const uint *tables)
{
    const uint pair = own_pair(k), each = 2u * pair + 1u < here.children ? 2u : 1u;
    uint child, not_finite = 0u;
    children genes; /* those of the item are in local memory behind this */
    m.a = pair;
    m.b = pair + PAIRS;
    cross(&genes, here, k, m, settings, pool);
#if MUTATES
    mutate(&genes, here, k, settings, pool, tables);
#endif
    for (child = 0u; child < each; child++) {
        const uint position = pair + child * PAIRS;
        const parts part = parts_of(&genes, here, k, child, position, settings, pool);
        const real value = value_of(&genes, here, part, k, child, position, settings, pool);
        values[2u * pair + child] = value;
        not_finite += isfinite(value) ? 0u : 1u;
    }
    return not_finite;
}

/* Groups of an island one behind the other, each with PAIRS pairs; tables: see RATE_TABLES. goal_index: best member of each
 * island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_fused(__global const real *restrict x, __global const real *restrict best, __global real *restrict next_x,
              __global real *restrict next_best, __global const uint *restrict goal_index,
              __global uint *restrict words, __global const real *restrict settings, __global const uint *restrict rates,
              struct search_shape shape, struct ga_pipeline own, uint step)
{
    __local real pool[POOL * 64 / REAL];
    local uint *tables = (local uint *)(pool + POOL_REALS);
    const uint groups = ((own.children + 1u) / 2u + PAIRS - 1u) / PAIRS;
    const uint group = (uint)get_group_id(0), island = group / groups, first = group % groups * PAIRS;
    const uint count = min(2u * (uint)PAIRS, own.children - 2u * first);
    const ulong start = (ulong)island * shape.members;
    __global const uint *const own_rates =
        rates + (own.has_rate_list ? island % shape.run_islands * RATE_WORDS(DIM) : 0u);
    const ulong begin = (start + ELITES + 2u * first) * DIM;
    mating m[ITEMS];
    context here;
    uint not_finite = 0u, k;
    if (has_run_ended(words, island)) {
        /* As it was, the elite with the first children. */
        const ulong from = first == 0u ? start : start + ELITES + 2u * first;
        const ulong end = start + ELITES + 2u * first + count;
        copy_members(x, best, next_x, next_best, from, from, end - from);
        return;
    }
    if (is_drawing(shape, words, island, step))
        return;
    here = context_of(settings, own_rates, shape.seed, island, shape.run_islands, own.indices);
    here.step = step;
    here.index += 2u * first;
    here.values = best + start;
    here.members = shape.members;
    here.first = first;
    here.children = own.children - 2u * first;
    load_places(own_rates, tables);
    clear_rows(pool);
    for (k = 0u; k < ITEMS; k++) {
        m[k].a = m[k].b = 0u;
        if (2u * own_pair(k) < count)
            m[k] = mating_of(here, own_pair(k), pool);
        if (own_pair(k) < PAIRS) {
            tables[AT_PARENTS + own_pair(k)] = m[k].a;
            tables[AT_PARENTS + PAIRS + own_pair(k)] = m[k].b;
        }
    }
    SYNC();
    copy_parents(x + start * DIM, pool, tables);
    SYNC();
    for (k = 0u; k < ITEMS; k++)
        if (2u * own_pair(k) < count)
            not_finite += breed(here, k, m[k], settings, next_best + start + ELITES + 2u * first, pool, tables);
    island_count_not_finite(words, island, not_finite);
    SYNC();
    write_children(next_x + begin, count, pool);
#if ELITES
    if (first == 0u)
        copy_members(x, best, next_x, next_best, start + goal_index[island], start, 1u);
#endif
    (void)goal_index;
}
