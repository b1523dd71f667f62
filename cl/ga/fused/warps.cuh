/* The children of a group of ga/methods/fused.cl, made by warps that work alone, without barriers of the group. A warp has
 * 32 pairs, one for each lane, which selects the parents and crosses and evaluates the children. The genes of all
 * parents move to local memory asynchronously, and the children replace them there.
 *
 * Genes that mutate, and children that must draw where further genes mutate, are few, and each lane may have none or
 * several. Both wait in stacks of the warp until there is one for each lane.
 *
 * 1,048,576 members of 30 genes on an H200: 10.13 Gevaluations/s, and 9.34 by groups with barriers.
 *
 * A row, the genes of a child, has eight units of four genes, in an order that depends on the number of the row, so that lanes
 * that read the same unit of their rows use different banks. */
#ifndef GA_FUSED_WARPS_CUH
#define GA_FUSED_WARPS_CUH

#include "ga/fused/groups.clh"
#include "ga/model/places.clh"

#if WARP_ROWS

/* Local memory of 12 groups fits a multiprocessor with 228 KB. */
#undef MIN_GROUPS
#define MIN_GROUPS 12

#define ALL_LANES 0xffffffffu
#define LANE_COUNT 32u
#define UNITS (LINE / 4)
/* ROW_BYTES: size of a row. SECOND_BYTES: distance from the first to the second child of a pair. UNIT_BITS: logarithm of
 * the size of a unit. */
#define ROWS_OF_WARP 64u
#define ROW_BYTES 128u
#define SECOND_BYTES 4096
#define UNIT_BITS 4
/* Largest number of genes that wait: fewer than 32, and then two more for each lane. */
#define WAITING_GENES 96

/* A gene that mutates: its child and index, and the random word of its mutation. */
typedef struct {
    uint place, word;
} waiting_gene;
#define WAITING_PLACE(child, gene) ((child) << 16 | (gene))

/* The alignment makes an XOR with an address find a unit. children: those that draw again: see push_child(). */
struct __align__(128) warp_memory {
    float4 rows[ROWS_OF_WARP * ROW_BYTES / sizeof(float4)];
    waiting_gene genes[WAITING_GENES];
    uint children[ROWS_OF_WARP];
};

struct group_memory {
    warp_memory warps[WG / LANE_COUNT];
};

static uint own_lane_of_warp(void)
{
    return (uint)get_local_id(0) % LANE_COUNT;
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

/* Returns the address of unit 0 of a row, from which unit u is at this address XOR u << UNIT_BITS. Rows p and 32 + p are
 * the children of pair p. rows: address of the warp's rows. */
static uint row_address(uint rows, uint row)
{
    return rows + row * ROW_BYTES + ((row & 7u) << UNIT_BITS);
}

static uint row_of_child(uint child)
{
    return child >> 1 | (child & 1u) << 5;
}

template <int OFFSET> static float4 load_unit(uint at)
{
    float4 four;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4 + %5];"
                 : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                 : "r"(at), "n"(OFFSET)
                 : "memory");
    return four;
}

template <int OFFSET> static void store_unit(uint at, float4 four)
{
    asm volatile("st.shared.v4.f32 [%0 + %1], {%2, %3, %4, %5};" ::"r"(at), "n"(OFFSET), "f"(four.x), "f"(four.y),
                 "f"(four.z), "f"(four.w)
                 : "memory");
}

static real load_gene(uint at)
{
    real x;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(at) : "memory");
    return x;
}

static void store_gene(uint at, real x)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(x) : "memory");
}

/* Begins to copy the genes of all parents: neighbouring lanes copy neighbouring units. list: room for the indices of the
 * parents. */
static INLINE void copy_begin(const real *x, mating m, uint rows, uint *list)
{
    const uint lane = own_lane_of_warp(), own = lane / UNITS, u = lane % UNITS;
    const uint at = rows + own * (8u * ROW_BYTES) + (u << UNIT_BITS);
    uint members[16], i;
    list[lane] = m.a;
    list[lane + LANE_COUNT] = m.b;
    __syncwarp();
#pragma unroll
    for (i = 0u; i < 16u; i += 4u) {
        const uint4 four = *(const uint4 *)(list + i / 8u * LANE_COUNT + own * 8u + i % 8u);
        members[i] = four.x;
        members[i + 1u] = four.y;
        members[i + 2u] = four.z;
        members[i + 3u] = four.w;
    }
#pragma unroll
    for (i = 0u; i < 16u; i++)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         (at ^ i % 8u << UNIT_BITS) + (i / 8u * LANE_COUNT + i % 8u) * ROW_BYTES),
                     "l"(MEMBER_AT(x + 4u * u, members[i]))
                     : "memory");
}

static void copy_end(void)
{
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
}

/* Writes `count` children. */
static INLINE void write_rows(real *to, uint count, uint rows)
{
    const uint lane = own_lane_of_warp(), own = lane / UNITS, u = lane % UNITS;
    const uint from = row_address(rows, row_of_child(own)) ^ u << UNIT_BITS;
    float4 *const at = (float4 *)to + own * UNITS + u;
    uint i;
    if (count == ROWS_OF_WARP) {
#pragma unroll
        for (i = 0u; i < 16u; i++)
            at[4u * UNITS * i] = load_unit<0>((from ^ i % 4u << 5) + i * (2u * ROW_BYTES));
    } else {
        for (i = 0u; i < 16u; i++)
            if (4u * i + own < count)
                at[4u * UNITS * i] = load_unit<0>((from ^ i % 4u << 5) + i * (2u * ROW_BYTES));
    }
}

/* Crossover -------------------------------------------------------------------------------------------------------- */

static INLINE void cross_rows(context here, mating m, const real *settings, uint rows)
{
    const uint own = row_address(rows, own_lane_of_warp());
    uint block, n;
#pragma unroll 1
    for (block = 0u; block < BLOCKS; block++) {
        const uint at = own ^ block << UNIT_BITS;
        const float4 a = load_unit<0>(at), b = load_unit<SECOND_BYTES>(at);
        gene_pair both[4] = {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}, {a.w, b.w}};
        cross_four(here, both, m, 4u * block, cross_words_of(here, own_lane_of_warp(), block), settings);
        store_unit<0>(at, make_float4(both[0].a, both[1].a, both[2].a, both[3].a));
        store_unit<SECOND_BYTES>(at, make_float4(both[0].b, both[1].b, both[2].b, both[3].b));
    }
    /* Numbers after the last gene are 0. */
    for (n = DIM; n < LINE; n++) {
        const uint at = (own ^ n / 4u << UNIT_BITS) + n % 4u * 4u;
        store_gene(at, R(0.0));
        store_gene(at + SECOND_BYTES, R(0.0));
    }
}

/* Mutation --------------------------------------------------------------------------------------------------------- */

/* Returns how many of the lanes before this one are in `lanes`. */
static uint lanes_before(uint lanes)
{
    uint below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    return (uint)__popc(lanes & below);
}

/* push_gene: if the gene exists, it waits for its mutation. push_child: if the gene exists, its child waits for draw
 * `draw` of further genes. child: number of the child in the warp. count: size of the stack, the same in all lanes. */
static INLINE void push_gene(uint gene, uint child, uint word, waiting_gene *stack, uint *count)
{
    const uint lanes = __ballot_sync(ALL_LANES, gene < DIM);
    if (gene < DIM) {
        const waiting_gene entry = {WAITING_PLACE(child, gene), word};
        stack[*count + lanes_before(lanes)] = entry;
    }
    *count += (uint)__popc(lanes);
}

static INLINE void push_child(uint gene, uint child, uint draw, uint *stack, uint *count)
{
    const uint lanes = __ballot_sync(ALL_LANES, gene < DIM);
    if (gene < DIM)
        stack[*count + lanes_before(lanes)] = draw << 16 | gene << 8 | child;
    *count += (uint)__popc(lanes);
}

static INLINE void mutate_entry(context here, waiting_gene entry, const real *settings, uint rows)
{
    const uint gene = entry.place & 0xffffu, at = row_address(rows, row_of_child(entry.place >> 16)) ^ gene << 2;
    real number, other;
    mutation_numbers(MUTATION, entry.word, entry.word, &number, &other);
    store_gene(at, mutated_gene(here, load_gene(at), gene, number, settings));
}

/* Mutates genes as long as there is one for each lane or, with `all`, all genes. Returns the number of genes that still
 * wait. */
static INLINE uint mutate_genes(context here, uint count, int all, const real *settings, uint rows,
                                const waiting_gene *stack)
{
    while (count >= (all ? 1u : LANE_COUNT)) {
        const uint first = count > LANE_COUNT ? count - LANE_COUNT : 0u, n = first + own_lane_of_warp();
        if (n < count)
            mutate_entry(here, stack[n], settings, rows);
        count = first;
        __syncwarp();
    }
    return count;
}

/* The tables for the first mutated genes and for the distances to further genes. */
static INLINE place_table first_genes(const uint *rates)
{
    place_table table;
    table.table = rates + RATE_TABLES;
    table.count = DIM;
    table.whole = rates[RATE_MUTATE];
    table.scale = as_float(rates[RATE_SCALE]);
    table.decay = as_float(rates[RATE_DECAY]);
    return table;
}

static INLINE place_table further_genes(place_table table)
{
    table.table += RATE_TABLE(DIM);
    table.whole = THRESHOLD_ONE;
    table.scale = 4.65661287e-10f;
    return table;
}

/* Mutates the children of all pairs. each: number of children of the lane's pair. */
static INLINE void mutate_rows(context here, uint each, const uint *rates, const real *settings, uint rows,
                               warp_memory *memory)
{
    const uint lane = own_lane_of_warp();
    const struct shoal_words words = random_words(here, SHOAL_STREAM_GA_MUTATE, here.step, here.index + 2u * lane, 0u);
    place_table table = first_genes(rates);
    const uint a = each > 0u ? first_place(table, words.x >> 1) : DIM;
    const uint b = each > 1u ? first_place(table, words.y >> 1) : DIM;
    uint genes = 0u, children = 0u;
    push_gene(a, 2u * lane, words.z, memory->genes, &genes);
    push_gene(b, 2u * lane + 1u, words.w, memory->genes, &genes);
    push_child(a, 2u * lane, 1u, memory->children, &children);
    push_child(b, 2u * lane + 1u, 1u, memory->children, &children);
    table = further_genes(table);
    __syncwarp();
    while (children > 0u) {
        const uint first = children > LANE_COUNT ? children - LANE_COUNT : 0u, item = memory->children[first + lane];
        const uint child = item & 255u, draw = item >> 16;
        const int is_used = first + lane < children;
        const struct shoal_words more =
            random_words(here, SHOAL_STREAM_GA_MUTATE, here.step, here.index + child, draw);
        const uint next = (item >> 8 & 255u) + 1u + first_place(table, more.x >> 1);
        const uint last = next + 1u + first_place(table, more.y >> 1);
        __syncwarp();
        genes = mutate_genes(here, genes, 0, settings, rows, memory->genes);
        children = first;
        push_gene(is_used ? next : DIM, child, more.z, memory->genes, &genes);
        push_gene(is_used ? last : DIM, child, more.w, memory->genes, &genes);
        push_child(is_used ? last : DIM, child, draw + 1u, memory->children, &children);
        __syncwarp();
    }
    mutate_genes(here, genes, 1, settings, rows, memory->genes);
}

/* Values ----------------------------------------------------------------------------------------------------------- */

static INLINE real value_of_row(context here, uint row, const real *settings, uint rows)
{
    const uint own = row_address(rows, row);
    parts part;
    real x[LINE];
    uint d;
    int j;
    part.penalty = R(0.0);
    part.sum = terms_none();
#pragma unroll
    for (d = 0u; d < LINE; d += 4u) {
        const float4 four = load_unit<0>(own ^ d / 4u << UNIT_BITS);
        x[d] = four.x;
        x[d + 1u] = four.y;
        x[d + 2u] = four.z;
        x[d + 3u] = four.w;
    }
    for (j = 0; j < SINGLES; j++) {
        const uint single = single_dimension(j, DIM);
        part.sum.a[TERMS + j] = shifted(load_gene(own ^ single << 2), settings, single, DIM);
    }
#pragma unroll
    for (d = 0u; d + COUPLED < DIM; d++)
        part.sum = terms_add(part.sum, shifted(x[d], settings, d, DIM), shifted(x[d + COUPLED], settings, d + COUPLED, DIM),
                             d, DIM);
#pragma unroll
    for (d = 0u; d < DIM && PENALTIES; d++) {
        enter_dimension(&here, settings, d);
        part.penalty += penalty_of(x[d], here.lower, here.upper, here.penalty);
    }
    return value_of((const children *)0, here, part, 0u, 0u, 0u, settings, (const real *)0);
}

/* The group -------------------------------------------------------------------------------------------------------- */

static INLINE uint make_group(context here, group_task task, group_memory *group)
{
    const uint warp = (uint)get_local_id(0) / LANE_COUNT, lane = own_lane_of_warp(), begin = warp * ROWS_OF_WARP;
    warp_memory *const memory = group->warps + warp;
    const uint rows = (uint)__cvta_generic_to_shared(memory->rows);
    const uint count = task.count > begin ? min(ROWS_OF_WARP, task.count - begin) : 0u;
    const uint each = count > 2u * lane ? min(2u, count - 2u * lane) : 0u;
    uint not_finite = 0u, child;
    mating m;
    if (count == 0u)
        return 0u;
    here.index += begin;
    here.first += begin / 2u;
    m = mating_of(here, lane, (const real *)0);
    copy_begin(task.x, m, rows, memory->children);
    copy_end();
    cross_rows(here, m, task.settings, rows);
    __syncwarp();
    mutate_rows(here, each, task.rates, task.settings, rows, memory);
#pragma unroll 1
    for (child = 0u; child < each; child++) {
        const real value = value_of_row(here, lane + LANE_COUNT * child, task.settings, rows);
        const uint number = begin + 2u * lane + child;
        task.next_values[number] = value;
        not_finite += isfinite(value) ? 0u : 1u;
#if BY_OFFERS
        if (value < task.offers.bound)
            offer(task.offers.list, value, task.offers.first + number);
#endif
    }
    __syncwarp();
    write_rows(task.next_x + begin * LINE, count, rows);
    return not_finite;
}

#endif

#endif
