/* The kernels of pipeline_vary.cl for members that are genomes. The words of a member are reals, whole numbers, bits,
 * and places of an order, see objective/objective.clh. */
#include "ga/methods/pipeline_vary.clh"
#include "ga/methods/pipeline_messy.clh"
#include "ga/model/bits.clh"
#include "ga/model/orders.clh"
#include "ga/model/wholes.clh"

#ifndef WHOLE_CROSSOVER
#define WHOLE_CROSSOVER CROSS_TWO_POINT
#endif
#ifndef ORDER_CROSSOVER
#define ORDER_CROSSOVER CROSS_OX
#endif
#ifndef BIT_MUTATION
#define BIT_MUTATION MUTATE_FLIP
#endif
#ifndef ORDER_MUTATION
#define ORDER_MUTATION MUTATE_SWAP
#endif
/* 1: values of the objective are integers. */
#ifndef WHOLE_VALUES
#define WHOLE_VALUES 0
#endif

#define REAL_WORDS (REAL / 32u)

/* Return the index of the first word of each part of a genome. */
static inline uint first_whole(struct ga_genes genes)
{
    return genes.reals * REAL_WORDS;
}

static inline uint first_bits(struct ga_genes genes)
{
    return first_whole(genes) + genes.wholes;
}

static inline uint first_place(struct ga_genes genes)
{
    return first_bits(genes) + (genes.bits + 31u) / 32u;
}

/* Returns real number d of member i. */
static inline real real_gene(__global const uint *x, struct search_shape shape, uint i, uint d)
{
#if REAL == 64
    const ulong low = x[place_of(shape, i, 2u * d)], high = x[place_of(shape, i, 2u * d + 1u)];
    return as_double((long)(high << 32 | low));
#else
    return as_float(x[place_of(shape, i, d)]);
#endif
}

static inline void set_real_gene(__global uint *x, struct search_shape shape, uint i, uint d, real value)
{
#if REAL == 64
    const ulong bits = as_ulong(value);
    x[place_of(shape, i, 2u * d)] = (uint)bits;
    x[place_of(shape, i, 2u * d + 1u)] = (uint)(bits >> 32);
#else
    x[place_of(shape, i, d)] = as_uint(value);
#endif
}

/* Returns the index, in half words, of place 0 of the order of member i. */
static inline ulong places_of(struct search_shape shape, struct ga_genes genes, uint i)
{
    return 2u * place_of(shape, i, first_place(genes));
}

/* If the number of places is odd, sets the half word after the last place to 0. */
static inline void pad_order(ORDERS, uint count)
{
    if (count % 2u)
        CHILD(count) = 0;
}

/* First members ----------------------------------------------------------------------------------------- */

/* Draws the genes of member i that come from its random word n: a real, a whole number or 32 bits. */
static inline void draw_genes(__global uint *x, __global const uint *wholes, __global const real *settings,
                              struct search_shape shape, struct ga_genes genes, uint i, uint n, uint word)
{
    if (n < genes.reals) {
        const real lower = box_lower(settings, n, genes.reals), upper = box_upper(settings, n, genes.reals);
        set_real_gene(x, shape, i, n,
                      mutated(MUTATE_UNIFORM, R(0.0), uniform(word), lower, upper, mutate_shape_of(settings), 0));
    } else if (n < genes.reals + genes.wholes) {
        const uint k = n - genes.reals;
        __global const uint *const whole = wholes + k * WHOLE_WORDS;
        x[place_of(shape, i, first_whole(genes) + k)] =
            (uint)drawn_whole(word, (int)whole[WHOLE_LOWER], whole[WHOLE_WIDTH]);
    } else {
        const uint w = n - genes.reals - genes.wholes;
        x[place_of(shape, i, first_bits(genes) + w)] = word & bits_between(0u, genes.bits, 32u * w);
    }
}

/* Draws the members of islands that are drawn in this step. A work-item draws the genes of GENES random words, or the
 * order of a member. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_draw_genes(__global uint *restrict x, __global const uint *restrict wholes /* or NULL */,
                   __global const uint *restrict words, __global const real *restrict settings, struct search_shape shape,
                   struct ga_shape own, struct ga_genes genes, uint step)
{
    const uint count = genes.reals + genes.wholes + (genes.bits + 31u) / 32u;
    const uint blocks = (count + GENES - 1u) / GENES, units = blocks + (genes.places > 0u ? 1u : 0u);
    const ulong n = get_global_id(0), member = n / units;
    const uint block = (uint)(n % units);
    if (member < (ulong)shape.members * shape.islands) {
        const uint i = (uint)member, island = i / shape.members;
        if (!has_run_ended(words, island) && is_drawing(shape, words, island, step)) {
            const uint restart = step > 0u ? words[(ulong)island * ISLAND_WORDS + ISLAND_RESTARTS] + 1u : 0u;
            const struct shoal_words drawn =
                shoal_random_words(seed_of(shape, island), SHOAL_STREAM_GA_START, restart,
                                   child_index(shape, own, island, i % shape.members),
                                   block < blocks ? block : ORDER_KEYS_DRAW);
            uint k;
            for (k = block * GENES; k < min(block * GENES + GENES, count); k++)
                draw_genes(x, wholes, settings, shape, genes, i, k, word_at(drawn, k % GENES));
            if (block == blocks) {
                tiled_orders order;
                order.a = order.b = 0;
                order.child = (__global ushort *)x + places_of(shape, genes, i);
                order.scratch = 0;
                order.tile = shape.tile;
                order.stride = 0u;
                order_draw(&order, genes.places, drawn);
                pad_order(&order, genes.places);
            }
        }
    }
}

/* Draws the lists of members with messy genes, in islands that are drawn in this step; a work-item for each member. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_draw_lists(__global uint *restrict x, __global const uint *restrict words, __global const uint *restrict champion,
                   struct search_shape shape, struct ga_shape own, struct ga_genes genes, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / shape.members;
    if (island < shape.islands && !has_run_ended(words, island) && is_drawing(shape, words, island, step))
        draw_list(x, champion + (ulong)island * shape.dim, shape, genes, i, seed_of(shape, island),
                  step > 0u ? words[(ulong)island * ISLAND_WORDS + ISLAND_RESTARTS] + 1u : 0u,
                  child_index(shape, own, island, i % shape.members));
}

/* Crossover --------------------------------------------------------------------------------------------- */

/* A pair that is crossed. */
struct mates {
    uint a, b, first; /* the parents and the first child of the pair, as numbers over all islands */
    int has_second, a_is_better;
    uint index, step;
    ulong seed;
};

static inline void cross_reals(__global const uint *x, __global uint *children, __global const real *settings,
                               struct search_shape shape, struct ga_genes genes, struct mates mates, crossing c,
                               uint block)
{
    const cross_shape form = cross_shape_of(settings);
    struct shoal_words drawn = {0u, 0u, 0u, 0u};
    uint d;
    if (c.crosses && cross_words(CROSSOVER) != CROSS_NO_WORDS)
        drawn = shoal_random_words(mates.seed, SHOAL_STREAM_GA_CROSS_GENE, mates.step, mates.index,
                                   cross_words(CROSSOVER) == CROSS_BITS ? block / 32u : block);
    for (d = block * GENES; d < min(block * GENES + GENES, genes.reals); d++) {
        const real lower = box_lower(settings, d, genes.reals), upper = box_upper(settings, d, genes.reals);
        const uint word = word_at(drawn, cross_words(CROSSOVER) == CROSS_BITS ? d / 32u % 4u : d % 4u);
        gene_pair pair;
        pair.a = real_gene(x, shape, mates.a, d);
        pair.b = real_gene(x, shape, mates.b, d);
        if (c.crosses) {
            pair = crossed(CROSSOVER, pair, c, d, word, lower, upper, form, mates.a_is_better);
            if (crossover_leaves_box(CROSSOVER)) {
                pair.a = bounded(BOUNDS, pair.a, lower, upper);
                pair.b = bounded(BOUNDS, pair.b, lower, upper);
            }
        }
        set_real_gene(children, shape, mates.first, d, pair.a);
        if (mates.has_second)
            set_real_gene(children, shape, mates.first + 1u, d, pair.b);
    }
}

/* Crosses whole numbers and words of bits, which are numbered in this order. */
static inline void cross_words_of(__global const uint *x, __global uint *children, struct search_shape shape,
                                  struct ga_genes genes, struct mates mates, crossing c, uint block)
{
    const uint lead = genes.reals + genes.wholes, count = genes.wholes + (genes.bits + 31u) / 32u;
    struct shoal_words drawn = {0u, 0u, 0u, 0u};
    uint w;
#if WHOLE_CROSSOVER == CROSS_UNIFORM
    const uint first_draw = genes.reals > 0u ? cross_bits_draw(CROSSOVER) : 0u;
    uint draw = 0xffffffffu;
#endif
    for (w = block * GENES; w < min(block * GENES + GENES, count); w++) {
        const int is_whole = w < genes.wholes;
        const uint first = is_whole ? genes.reals + w : lead + 32u * (w - genes.wholes); /* number of the gene */
        const uint number = is_whole ? first / 32u : (lead + 31u) / 32u + w - genes.wholes;
        const uint place = first_whole(genes) + w;
        word_pair pair;
        uint mask = 0u;
        pair.a = x[place_of(shape, mates.a, place)];
        pair.b = x[place_of(shape, mates.b, place)];
#if WHOLE_CROSSOVER == CROSS_UNIFORM
        if (c.crosses && first_draw + number / 4u != draw) {
            draw = first_draw + number / 4u;
            drawn = shoal_random_words(mates.seed, SHOAL_STREAM_GA_CROSS_GENE, mates.step, mates.index, draw);
        }
#endif
        if (c.crosses && is_whole)
            mask = changes_place(WHOLE_CROSSOVER, c, first, word_at(drawn, number % 4u)) ? 0xffffffffu : 0u;
        else if (c.crosses)
            mask = cross_mask(WHOLE_CROSSOVER, c, first, word_at(drawn, number % 4u));
        pair = crossed_words(pair, mask);
        children[place_of(shape, mates.first, place)] = pair.a;
        if (mates.has_second)
            children[place_of(shape, mates.first + 1u, place)] = pair.b;
    }
}

/* Crosses genes outside orders: a work-item makes GENES reals or words of both children of a pair. Neighbouring
 * work-items have neighbouring pairs or, if a tile has one point, neighbouring genes. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_cross_genes(__global const uint *restrict x, __global const real *restrict values, __global uint *restrict children,
                    __global const uint *restrict parents, __global const uint *restrict rates,
                    __global const uint *restrict words, __global const real *restrict settings,
                    struct search_shape shape, struct ga_shape own, struct ga_genes genes, uint step)
{
    const ulong n = get_global_id(0);
    const uint reals = (genes.reals + GENES - 1u) / GENES;
    const uint blocks = reals + (first_place(genes) - first_whole(genes) + GENES - 1u) / GENES;
    const uint each = pair_count(own), pairs = each * shape.islands;
    const uint block = (uint)(shape.tile == 1u ? n % blocks : n / pairs);
    const ulong number = shape.tile == 1u ? n / blocks : n % pairs;
    const uint island = (uint)(number / each), pair = (uint)(number % each);
    if (block < blocks && island < shape.islands && is_breeding(shape, words, island, step)) {
        const uint a = parents[2u * number], b = parents[2u * number + 1u], start = island * shape.members;
        const uint threshold = rates_of(shape, own, rates, island)[RATE_CROSS];
        struct shoal_words decision, more = {0u, 0u, 0u, 0u};
        struct mates mates;
        mates.a = start + a;
        mates.b = start + b;
        mates.first = island * own.children + first_child(pair);
        mates.has_second = has_second(own, pair);
        mates.a_is_better = precedes(values[start + a], a, values[start + b], b);
        mates.index = child_index(shape, own, island, first_child(pair));
        mates.step = step;
        mates.seed = seed_of(shape, island);
        decision = shoal_random_words(mates.seed, SHOAL_STREAM_GA_PAIR, step, mates.index, 0u);
#if CROSSOVER == CROSS_TWO_POINT || WHOLE_CROSSOVER == CROSS_TWO_POINT
        more = shoal_random_words(mates.seed, SHOAL_STREAM_GA_PAIR, step, mates.index, 1u);
#endif
        if (block < reals)
            cross_reals(x, children, settings, shape, genes, mates,
                        crossing_of(CROSSOVER, decision.z, decision.w, more.x, threshold, own.line,
                                    settings[SET_CROSS_ALPHA], mates.a_is_better),
                        block);
        else
            cross_words_of(x, children, shape, genes, mates,
                           crossing_of(WHOLE_CROSSOVER, decision.z, decision.w, more.x, threshold, own.line,
                                       settings[SET_CROSS_ALPHA], mates.a_is_better),
                           block - reals);
    }
}

/* A child that has a work-item of its own: its parents and the random words of its pair. Parent a is the parent of the
 * child's side. */
struct single_child {
    /* which: side of the child, 0 or 1; a, b: parents, counted over all islands; index: index of the pair in the
     * counters of random numbers */
    uint which, a, b, index;
    ulong seed;
    struct shoal_words decision, more;
};

static inline struct single_child single_child_of(__global const uint *parents, struct search_shape shape,
                                                  struct ga_shape own, uint i, uint step)
{
    const uint island = i / own.children, c = i % own.children, start = island * shape.members;
    const uint number = island * pair_count(own) + (STRUCTURE == PANMICTIC ? c / 2u : c);
    struct single_child child;
    child.which = STRUCTURE == PANMICTIC ? c % 2u : 0u;
    child.a = start + parents[2u * number + child.which];
    child.b = start + parents[2u * number + 1u - child.which];
    child.index = child_index(shape, own, island, c - child.which);
    child.seed = seed_of(shape, island);
    child.decision = shoal_random_words(child.seed, SHOAL_STREAM_GA_PAIR, step, child.index, 0u);
    child.more = shoal_random_words(child.seed, SHOAL_STREAM_GA_PAIR, step, child.index, 1u);
    return child;
}

/* Makes the order of a child in each work-item. scratch: order_scratch() numbers for each child. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_cross_orders(__global const uint *restrict x, __global uint *restrict children,
                     __global ushort *restrict scratch /* or NULL */, __global const uint *restrict parents,
                     __global const uint *restrict rates, __global const uint *restrict words, struct search_shape shape,
                     struct ga_shape own, struct ga_genes genes, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        const struct single_child child = single_child_of(parents, shape, own, i, step);
        tiled_orders orders;
        orders.a = (__global const ushort *)x + places_of(shape, genes, child.a);
        orders.b = (__global const ushort *)x + places_of(shape, genes, child.b);
        orders.child = (__global ushort *)children + places_of(shape, genes, i);
        orders.scratch = scratch + i;
        orders.tile = shape.tile;
        orders.stride = shape.islands * own.children;
        if (happens(child.decision.z, rates_of(shape, own, rates, island)[RATE_CROSS]))
            order_cross(&orders, ORDER_CROSSOVER, genes.places, segment_of(child.more.y, child.more.z, genes.places),
                        child.seed, step, child.index + child.which);
        else
            order_copy(&orders, genes.places);
        pad_order(&orders, genes.places);
    }
}

/* Makes the template and the list of a child with messy genes in each work-item. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_cross_lists(__global const uint *restrict x, __global uint *restrict children,
                    __global const uint *restrict parents, __global const uint *restrict rates,
                    __global const uint *restrict words, struct search_shape shape, struct ga_shape own,
                    struct ga_genes genes, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        const struct single_child child = single_child_of(parents, shape, own, i, step);
        const uint first = child.decision.w, second = child.more.x;
        const uint cut = cut_of(child.which ? second : first,
                                x[list_word(shape, genes, child.a, MESSY_LENGTH(genes.bits))]);
        const uint other_cut = cut_of(child.which ? first : second,
                                      x[list_word(shape, genes, child.b, MESSY_LENGTH(genes.bits))]);
        int crosses = happens(child.decision.z, rates_of(shape, own, rates, island)[RATE_CROSS]);
#if WHOLE_CROSSOVER == CROSS_NONE
        crosses = 0;
#endif
        splice_lists(x, children, shape, genes, child.a, child.b, i, crosses, cut, other_cut);
    }
}

/* Mutation ---------------------------------------------------------------------------------------------- */

static inline void mutate_bits(__global uint *children, struct search_shape shape, struct ga_genes genes, uint i,
                               uint place)
{
    const uint end = BIT_MUTATION == MUTATE_TAIL_INVERSION ? (genes.bits + 31u) / 32u : place / 32u + 1u;
    uint w;
    for (w = place / 32u; w < end; w++)
        children[place_of(shape, i, first_bits(genes) + w)] ^= mutation_mask(BIT_MUTATION, place, w, genes.bits);
}

/* Mutates gene d, outside orders, of child i. drawn: a block of random words, of whose last two words `which` chooses
 * one. i counts over all islands. */
static inline void mutate_gene(__global uint *children, __global const uint *wholes, struct search_shape shape,
                               struct ga_genes genes, uint i, uint d, struct shoal_words drawn, uint which,
                               __global const real *settings)
{
    if (genes.messy > 0u) {
#if BIT_MUTATION != MUTATE_NONE
        mutate_pair(children, shape, genes, i, d, word_at(drawn, 2u + which));
#endif
    } else if (d < genes.reals) {
        const real lower = box_lower(settings, d, genes.reals), upper = box_upper(settings, d, genes.reals);
        real numbers[2], value;
        mutation_numbers(MUTATION, drawn.z, drawn.w, &numbers[0], &numbers[1]);
        value = mutated(MUTATION, real_gene(children, shape, i, d), numbers[which], lower, upper,
                        mutate_shape_of(settings), SIGMA_BOX);
        set_real_gene(children, shape, i, d,
                      mutation_leaves_box(MUTATION) ? bounded(BOUNDS, value, lower, upper) : value);
    } else if (d < genes.reals + genes.wholes) {
        const uint k = d - genes.reals;
        __global const uint *const whole = wholes + k * WHOLE_WORDS;
        __global uint *const gene = children + place_of(shape, i, first_whole(genes) + k);
        *gene = (uint)mutated_whole(whole[WHOLE_MUTATION], (int)*gene, word_at(drawn, 2u + which),
                                    (int)whole[WHOLE_LOWER], whole[WHOLE_WIDTH]);
    } else {
        mutate_bits(children, shape, genes, i, d - genes.reals - genes.wholes);
    }
}

/* Mutates the genes outside orders of child i, as ga_mutate does for reals. index: index of the child in the counters
 * of random numbers; index - partner: index of its pair. */
static inline void mutate_line(__global uint *children, __global const uint *wholes, __global const uint *tables,
                               __global const real *settings, struct search_shape shape, struct ga_genes genes,
                               uint line, uint i, uint index, uint partner, ulong seed, uint step)
{
    __global const uint *const next = tables + RATE_TABLE(line);
    struct shoal_words drawn = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step, index - partner, 0u);
    uint draw, d = genes_before(tables, line, word_at(drawn, partner) >> 1);
    if (d >= line)
        return;
    mutate_gene(children, wholes, shape, genes, i, d, drawn, partner, settings);
    for (draw = 1u; next[line - 1u] > 0u; draw++) {
        uint k;
        drawn = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step, index, draw);
        for (k = 0u; k < 2u; k++) {
            d += 1u + genes_before(next, line, word_at(drawn, k) >> 1);
            if (d >= line)
                return;
            mutate_gene(children, wholes, shape, genes, i, d, drawn, k, settings);
        }
    }
}

/* Mutates a child in each work-item. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_mutate_genes(__global uint *restrict children, __global const uint *restrict wholes /* or NULL */,
                     __global ushort *restrict scratch /* or NULL */, __global const uint *restrict rates,
                     __global const uint *restrict words, __global const real *restrict settings, struct search_shape shape,
                     struct ga_shape own, struct ga_genes genes, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        __global const uint *const own_rates = rates_of(shape, own, rates, island);
        const uint c = i % own.children, partner = STRUCTURE == PANMICTIC ? c % 2u : 0u;
        const uint index = child_index(shape, own, island, c);
        const ulong seed = seed_of(shape, island);
        mutate_line(children, wholes, own_rates + RATE_TABLES, settings, shape, genes, own.line, i, index, partner, seed,
                    step);
        if (genes.messy > 0u)
            decode_list(children, shape, genes, i);
        if (genes.places > 0u) {
            const struct shoal_words drawn = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step, index, ORDER_DRAW);
            struct shoal_words keys = {0u, 0u, 0u, 0u};
            tiled_orders order;
            order.a = order.b = 0;
            order.child = (__global ushort *)children + places_of(shape, genes, i);
            order.scratch = scratch + i;
            order.tile = shape.tile;
            order.stride = shape.islands * own.children;
            if (ORDER_MUTATION == MUTATE_SCRAMBLE)
                keys = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step, index, SCRAMBLE_DRAW);
            if (happens(drawn.x, own_rates[RATE_MUTATE]))
                order_mutate(&order, ORDER_MUTATION, genes.places, drawn.y, drawn.z, keys);
        }
    }
}

/* Values ------------------------------------------------------------------------------------------------ */

#if WHOLE_VALUES
typedef long objective_number;
#else
typedef real objective_number;
#endif

/* The kernel ga_judge of pipeline_vary.cl for members that are genomes. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_judge_genes(__global const uint *restrict x, __global const objective_number *restrict y,
                    __global real *restrict values, __global uint *restrict words,
                    __global const real *restrict settings, struct search_shape shape, uint reals, uint count, uint is_draw,
                    uint step)
{
    const uint i = (uint)get_global_id(0), island = i / count;
    if (island < shape.islands && !has_run_ended(words, island) &&
        is_drawing(shape, words, island, step) == (is_draw != 0u)) {
        real value = counted((real)y[i], settings[SET_SIGN]);
        if (!isfinite(value))
            island_count_not_finite(words, island, 1u);
#if BOUNDS == BOUNDS_PENALTY
        {
            uint d;
            for (d = 0u; d < reals; d++)
                value += penalty_of(real_gene(x, shape, i, d), box_lower(settings, d, reals), box_upper(settings, d, reals),
                                    settings[SET_PENALTY]);
        }
#endif
        (void)x;
        (void)reals;
        values[i] = value;
    }
}
