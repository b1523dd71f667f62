/* Kernels of the pipeline that draw, cross and mutate points of reals, and compute their values. */
#include "ga/methods/pipeline_vary.clh"

/* Draws the members of islands that are drawn in this step; a work-item draws GENES genes. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_draw(__global real *restrict x, __global const uint *restrict words, __global const real *restrict settings,
             struct search_shape shape, struct ga_shape own, uint step)
{
    const ulong n = get_global_id(0);
    const uint blocks = (shape.dim + GENES - 1u) / GENES, block = (uint)(n % blocks);
    const ulong i = n / blocks;
    if (i < (ulong)shape.members * shape.islands) {
        const uint island = (uint)(i / shape.members);
        if (!has_run_ended(words, island) && is_drawing(shape, words, island, step)) {
            const uint restart = step > 0u ? words[(ulong)island * ISLAND_WORDS + ISLAND_RESTARTS] + 1u : 0u;
            const struct shoal_words drawn =
                shoal_random_words(seed_of(shape, island), SHOAL_STREAM_GA_START, restart,
                                   child_index(shape, own, island, (uint)(i % shape.members)), block);
            const mutate_shape form = mutate_shape_of(settings);
            uint d;
            for (d = block * GENES; d < min(block * GENES + GENES, shape.dim); d++)
                x[place_of(shape, (uint)i, d)] =
                    mutated(MUTATE_UNIFORM, R(0.0), uniform(word_at(drawn, d % GENES)), box_lower(settings, d, shape.dim),
                            box_upper(settings, d, shape.dim), form, 0);
        }
    }
}

/* Crosses pairs: a work-item makes GENES genes of both children of a pair. Neighbouring work-items have neighbouring
 * pairs or, if a tile has one point, neighbouring genes. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_cross(__global const real *restrict x, __global const real *restrict values, __global real *restrict children,
              __global const uint *restrict parents, __global const uint *restrict rates,
              __global const uint *restrict words, __global const real *restrict settings, struct search_shape shape,
              struct ga_shape own, uint step)
{
    const ulong n = get_global_id(0);
    const uint blocks = (shape.dim + GENES - 1u) / GENES, each = pair_count(own), pairs = each * shape.islands;
    const uint block = (uint)(shape.tile == 1u ? n % blocks : n / pairs);
    const ulong number = shape.tile == 1u ? n / blocks : n % pairs;
    const uint island = (uint)(number / each), pair = (uint)(number % each);
    if (block < blocks && island < shape.islands && is_breeding(shape, words, island, step)) {
        const uint a = parents[2u * number], b = parents[2u * number + 1u], first = first_child(pair);
        const uint index = child_index(shape, own, island, first), start = island * shape.members;
        const ulong seed = seed_of(shape, island);
        const int a_is_better = precedes(values[start + a], a, values[start + b], b);
        const struct shoal_words decision = shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, index, 0u);
        const uint second =
            CROSSOVER == CROSS_TWO_POINT ? shoal_random_words(seed, SHOAL_STREAM_GA_PAIR, step, index, 1u).x : 0u;
        const crossing c =
            crossing_of(CROSSOVER, decision.z, decision.w, second, rates_of(shape, own, rates, island)[RATE_CROSS],
                        shape.dim, settings[SET_CROSS_ALPHA], a_is_better);
        const int has_words = c.crosses && cross_words(CROSSOVER) != CROSS_NO_WORDS;
        const cross_shape form = cross_shape_of(settings);
        struct shoal_words drawn;
        uint d;
        drawn.x = drawn.y = drawn.z = drawn.w = 0u;
        if (has_words)
            drawn = shoal_random_words(seed, SHOAL_STREAM_GA_CROSS_GENE, step, index,
                                       cross_words(CROSSOVER) == CROSS_BITS ? block / 32u : block);
        for (d = block * GENES; d < min(block * GENES + GENES, shape.dim); d++) {
            const real lower = box_lower(settings, d, shape.dim), upper = box_upper(settings, d, shape.dim);
            const uint word = word_at(drawn, cross_words(CROSSOVER) == CROSS_BITS ? d / 32u % 4u : d % 4u);
            gene_pair genes;
            genes.a = x[place_of(shape, start + a, d)];
            genes.b = x[place_of(shape, start + b, d)];
            if (c.crosses) {
                genes = crossed(CROSSOVER, genes, c, d, word, lower, upper, form, a_is_better);
                if (crossover_leaves_box(CROSSOVER)) {
                    genes.a = bounded(BOUNDS, genes.a, lower, upper);
                    genes.b = bounded(BOUNDS, genes.b, lower, upper);
                }
            }
            children[place_of(shape, island * own.children + first, d)] = genes.a;
            if (has_second(own, pair))
                children[place_of(shape, island * own.children + first + 1u, d)] = genes.b;
        }
    }
}

/* Mutates gene d of child i, which counts over all islands. */
static inline void mutate_gene(__global real *children, struct search_shape shape, uint i, uint d, real number,
                               __global const real *settings)
{
    __global real *const gene = children + place_of(shape, i, d);
    const real lower = box_lower(settings, d, shape.dim), upper = box_upper(settings, d, shape.dim);
    const real x = mutated(MUTATION, *gene, number, lower, upper, mutate_shape_of(settings), SIGMA_BOX);
    *gene = mutation_leaves_box(MUTATION) ? bounded(BOUNDS, x, lower, upper) : x;
}

/* Mutates a child in each work-item: its first mutated gene by random words of the pair, further genes by random words
 * of the child. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_mutate(__global real *restrict children, __global const uint *restrict rates,
               __global const uint *restrict words, __global const real *restrict settings, struct search_shape shape,
               struct ga_shape own, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        __global const uint *const own_rates = rates_of(shape, own, rates, island);
        __global const uint *const first = own_rates + RATE_TABLES;
        __global const uint *const next = own_rates + RATE_NEXT(own.line);
        const uint c = i % own.children, partner = STRUCTURE == PANMICTIC ? c % 2u : 0u;
        const ulong seed = seed_of(shape, island);
        struct shoal_words drawn = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step,
                                                      child_index(shape, own, island, c - partner), 0u);
        real numbers[2];
        uint draw, d = genes_before(first, shape.dim, word_at(drawn, partner) >> 1);
        if (d >= shape.dim)
            return;
        mutation_numbers(MUTATION, drawn.z, drawn.w, &numbers[0], &numbers[1]);
        mutate_gene(children, shape, i, d, numbers[partner], settings);
        for (draw = 1u; next[shape.dim - 1u] > 0u; draw++) {
            uint k;
            drawn = shoal_random_words(seed, SHOAL_STREAM_GA_MUTATE, step, child_index(shape, own, island, c), draw);
            mutation_numbers(MUTATION, drawn.z, drawn.w, &numbers[0], &numbers[1]);
            for (k = 0u; k < 2u; k++) {
                d += 1u + genes_before(next, shape.dim, word_at(drawn, k) >> 1);
                if (d >= shape.dim)
                    return;
                mutate_gene(children, shape, i, d, numbers[k], settings);
            }
        }
    }
}

/* Computes the values that the search compares from y, the values of the objective, for `count` points of each island:
 * members that are drawn in this step (is_draw), or children. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_judge(__global const real *restrict x, __global const real *restrict y, __global real *restrict values,
              __global uint *restrict words, __global const real *restrict settings, struct search_shape shape, uint reals,
              uint count, uint is_draw, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / count;
    if (island < shape.islands && !has_run_ended(words, island) &&
        is_drawing(shape, words, island, step) == (is_draw != 0u)) {
        real value = counted(y[i], settings[SET_SIGN]);
        if (!isfinite(value))
            island_count_not_finite(words, island, 1u);
#if BOUNDS == BOUNDS_PENALTY
        {
            uint d;
            for (d = 0u; d < reals; d++)
                value += penalty_of(x[place_of(shape, i, d)], box_lower(settings, d, reals),
                                    box_upper(settings, d, reals), settings[SET_PENALTY]);
        }
#endif
        (void)x;
        (void)reals;
        values[i] = value;
    }
}
