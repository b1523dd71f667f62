/* Variation on the host: makes children by crossover, mutation and bounds. The operators are texts of
 * cl/ga/model, which kernels also include. */
#include "ga/host/host.h"

#include "ga/host/model.h"

/* Random words of a pair that are drawn together: select: draw 0 of the choice of its parents; own, more:
 * those of its crossover; mutate: draw 0 of the mutations; further: draws 1 and 2 of each child. */
struct pair_words {
    struct shoal_words select, own, more, mutate, further[4];
};

/* A pair of children that is being made. */
struct pair {
    struct ga_place place;
    const struct pair_words *words;
    uint32_t index; /* index of the first child in the counters of random numbers */
    const uint32_t *rates;
    const double *parents[2];
    double *children[2];
    uint32_t count; /* number of children to make: 1 or 2 */
    int a_is_better;
    uint16_t *scratch;
};

/* Random words of a stream, read by their number. A block of four words is drawn when its first word is
 * read. */
struct words {
    uint64_t seed;
    uint32_t stream, step, index, draw;
    bool is_drawn;
    struct shoal_words block;
};

static uint32_t word_of(struct words *words, uint32_t first_draw, size_t number)
{
    const uint32_t draw = first_draw + (uint32_t)(number / 4);
    if (!words->is_drawn || draw != words->draw)
        words->block = shoal_random_words(words->seed, words->stream, words->step, words->index, draw);
    words->draw = draw;
    words->is_drawn = true;
    return word_at(words->block, (uint)number % 4);
}

static double lower_of(const struct ga_problem *problem, size_t d)
{
    return problem->search.lower[d];
}

static double upper_of(const struct ga_problem *problem, size_t d)
{
    return problem->search.upper[d];
}

static const uint32_t *whole_of(const struct ga_problem *problem, size_t k)
{
    return problem->wholes + k * WHOLE_WORDS;
}

static struct shoal_words draw_words(const struct pair *pair, uint32_t stream, uint32_t index, uint32_t draw)
{
    return shoal_random_words(pair->place.seed, stream, pair->place.step, index, draw);
}

/* First members ----------------------------------------------------------------------------------------- */

static uint word_with(const struct genome_layout *genes, size_t bit)
{
    return (uint)(genes->reals + genes->wholes + bit / 32);
}

/* With messy genes, a member has further words after its bits: see cl/ga/layout.clh. */

static double *list_of(const struct ga_problem *problem, const double *member)
{
    return (double *)member + problem->genes.bits;
}

/* Computes the bits of a member from its template and its list of pairs. */
static void decode(const struct ga_problem *problem, double *member)
{
    const size_t bits = problem->genes.bits;
    const double *list = list_of(problem, member), *pairs = list + MESSY_PAIRS(bits);
    for (size_t b = 0; b < bits; b++)
        member[b] = (uint32_t)list[b / 32] >> b % 32 & 1;
    for (size_t k = (size_t)list[MESSY_LENGTH(bits)]; k-- > 0;)
        member[(uint32_t)pairs[k] / 2] = (uint32_t)pairs[k] % 2;
}

/* Draws a list of half the largest length. champion: at a restart, the island's champion, whose bits become
 * the template; NULL: the drawn bits become the template. */
static void draw_list(const struct ga_problem *problem, double *member, const double *champion,
                      struct words *words)
{
    const size_t bits = problem->genes.bits, drawn = (problem->messy + 1) / 2;
    double *list = list_of(problem, member), *pairs = list + MESSY_PAIRS(bits);
    if (champion)
        memcpy(member, champion, bits * sizeof *member);
    ga_algorithm.set_extra(&problem->search, member);
    list[MESSY_LENGTH(bits)] = (double)drawn;
    for (size_t k = 0; k < drawn; k++)
        pairs[k] = drawn_pair(word_of(words, MESSY_DRAW, k), (uint)bits);
    decode(problem, member);
}

void ga_host_draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    if (ga_host_of(search)->generators) {
        ga_host_of(search)->problem.thesis.draw(ga_host_of(search), i);
        return;
    }
    const struct ga_problem *problem = &ga_host_of(search)->problem;
    const struct genome_layout *genes = &problem->genes;
    const size_t island = i / search->problem->width;
    const struct ga_place place = ga_host_place(problem, island, search->islands[island].restarts);
    struct words words = {.seed = place.seed,
                          .stream = SHOAL_STREAM_GA_START,
                          .step = place.step,
                          .index = place.first + (uint32_t)(i % search->problem->width)};
    double *x = search->x + i * search->problem->dim;
    for (size_t d = 0; d < genes->reals; d++) {
        const double width = upper_of(problem, d) - lower_of(problem, d);
        x[d] = min(lower_of(problem, d) + uniform(word_of(&words, 0, d)) * width, upper_of(problem, d));
    }
    x += genes->reals;
    for (size_t k = 0; k < genes->wholes; k++)
        x[k] = drawn_whole(word_of(&words, 0, genes->reals + k), (int)whole_of(problem, k)[WHOLE_LOWER],
                           whole_of(problem, k)[WHOLE_WIDTH]);
    x += genes->wholes;
    for (size_t b = 0; b < genes->bits; b++)
        x[b] = word_of(&words, 0, word_with(genes, b)) >> b % 32 & 1;
    if (problem->messy) {
        draw_list(problem, x, place.step ? search->champion + island * search->problem->dim : NULL, &words);
        return;
    }
    const struct host_orders order = {.child = x + genes->bits};
    order_draw(&order, (uint)genes->places,
               shoal_random_words(words.seed, words.stream, words.step, words.index, ORDER_KEYS_DRAW));
}

/* Crossover --------------------------------------------------------------------------------------------- */

static cross_shape cross_shape_of(const struct ga_problem *problem)
{
    const double power = problem->params->crossover_eta + 1;
    return (cross_shape){power, 1 / power, problem->alpha};
}

/* Random choices of a pair that is crossed. */
struct crossings {
    crossing reals, wholes; /* wholes: operator for integers, choices and bits */
    int order_crosses;
    order_segment segment;
    int a_is_better;
};

static struct crossings draw_crossings(const struct ga_problem *problem, const struct pair *pair,
                                       int a_is_better)
{
    const struct ga_operators *operators = &problem->operators;
    const uint line = (uint)problem->line;
    const struct shoal_words own = pair->words->own, more = pair->words->more;
    const uint32_t threshold = pair->rates[RATE_CROSS];
    return (struct crossings){
        .reals = crossing_of(operators->cross_reals, own.z, own.w, more.x, threshold, line, problem->alpha,
                             a_is_better),
        .wholes = crossing_of(operators->cross_wholes, own.z, own.w, more.x, threshold, line, problem->alpha,
                              a_is_better),
        .order_crosses = operators->cross_order != SHOAL_GA_NO_CROSSOVER && happens(own.z, threshold),
        .segment = segment_of(more.y, more.z, (uint)problem->genes.places),
        .a_is_better = a_is_better,
    };
}

static void cross_reals(const struct ga_problem *problem, const struct pair *pair,
                        const struct crossings *crossings, struct words *words)
{
    const uint kind = problem->operators.cross_reals, bounds = (uint)problem->params->bounds;
    const cross_shape shape = cross_shape_of(problem);
    const enum cross_words drawn = cross_words(kind);
    for (size_t d = 0; d < problem->genes.reals; d++) {
        const double lower = lower_of(problem, d), upper = upper_of(problem, d);
        const gene_pair parents = {pair->parents[0][d], pair->parents[1][d]};
        const uint word = drawn == CROSS_NO_WORDS ? 0 : word_of(words, 0, drawn == CROSS_BITS ? d / 32 : d);
        gene_pair children = crossed(kind, parents, crossings->reals, (uint)d, word, lower, upper, shape,
                                     crossings->a_is_better);
        if (crossover_leaves_box(kind)) {
            children.a = bounded(bounds, children.a, lower, upper);
            children.b = bounded(bounds, children.b, lower, upper);
        }
        pair->children[0][d] = children.a;
        pair->children[1][d] = children.b;
    }
}

static void exchange(const struct pair *pair, size_t d)
{
    pair->children[0][d] = pair->parents[1][d];
    pair->children[1][d] = pair->parents[0][d];
}

/* Crosses integers, choices and bits of the children, which must be copies of their parents. */
static void cross_wholes(const struct ga_problem *problem, const struct pair *pair,
                         const struct crossings *crossings, struct words *words)
{
    const struct genome_layout *genes = &problem->genes;
    const uint kind = problem->operators.cross_wholes;
    const size_t first = genes->reals + genes->wholes;
    const bool is_random = kind == CROSS_UNIFORM;
    const uint32_t draw = genes->reals ? cross_bits_draw(problem->operators.cross_reals) : 0;
    for (size_t d = genes->reals; d < first; d++)
        if (changes_place(kind, crossings->wholes, (uint)d, is_random ? word_of(words, draw, d / 32) : 0))
            exchange(pair, d);
    for (size_t b = 0; b < genes->bits; b += 32) {
        const uint word = is_random ? word_of(words, draw, (first + 31) / 32 + b / 32) : 0;
        const uint mask = cross_mask(kind, crossings->wholes, (uint)(first + b), word);
        for (size_t i = b; i < genes->bits && i < b + 32; i++)
            if (mask >> (i - b) & 1)
                exchange(pair, first + i);
    }
}

/* Returns the orders of child c and of its parents. */
static struct host_orders orders_of(const struct ga_problem *problem, const struct pair *pair, uint32_t c)
{
    return (struct host_orders){pair->parents[c] + problem->line, pair->parents[1 - c] + problem->line,
                                pair->children[c] + problem->line, pair->scratch};
}

/* Cut and splice: the list of child c gets the beginning of the list of parent c, and the end of the list of
 * the other parent. */
static void splice(const struct ga_problem *problem, const struct pair *pair, const uint cuts[2], uint32_t c)
{
    const size_t bits = problem->genes.bits;
    const double *own = list_of(problem, pair->parents[c]) + MESSY_PAIRS(bits);
    const double *other = list_of(problem, pair->parents[1 - c]);
    double *list = list_of(problem, pair->children[c]);
    const uint length =
        spliced_length(cuts[c], cuts[1 - c], (uint)other[MESSY_LENGTH(bits)], (uint)problem->messy);
    other += MESSY_PAIRS(bits);
    list[MESSY_LENGTH(bits)] = length;
    list += MESSY_PAIRS(bits);
    for (size_t k = 0; k < problem->messy; k++)
        list[k] = k >= length ? 0 : k < cuts[c] ? own[k] : other[cuts[1 - c] + k - cuts[c]];
}

static void cross_lists(const struct ga_problem *problem, const struct pair *pair)
{
    const size_t bits = problem->genes.bits;
    const struct shoal_words own = pair->words->own, more = pair->words->more;
    const bool crosses =
        problem->operators.cross_wholes != SHOAL_GA_NO_CROSSOVER && happens(own.z, pair->rates[RATE_CROSS]);
    uint cuts[2];
    for (uint32_t c = 0; c < 2; c++) {
        memcpy(pair->children[c], pair->parents[c], problem->search.dim * sizeof(double));
        cuts[c] = cut_of(c ? more.x : own.w, (uint)list_of(problem, pair->parents[c])[MESSY_LENGTH(bits)]);
    }
    for (uint32_t c = 0; c < 2 && crosses; c++)
        splice(problem, pair, cuts, c);
}

/* Genes of several pairs that vectors change together. */
struct listed {
    struct ga_crossed crossed;
    struct ga_mutations mutations;
};

static void list_crossed(const struct ga_host *host, const struct pair *pair, struct listed *listed)
{
    const struct search_problem *search = &host->problem.search;
    const struct ga_sbx_pair reals = {.lower = search->lower,
                                      .upper = search->upper,
                                      .parents = {pair->parents[0], pair->parents[1]},
                                      .children = {pair->children[0], pair->children[1]},
                                      .count = host->problem.genes.reals,
                                      .seed = pair->place.seed,
                                      .step = pair->place.step,
                                      .index = pair->index};
    host->reals->list_crossed(&host->sbx, &reals, &listed->crossed);
}

/* Crosses a pair, or puts genes that are crossed by SBX on the list. */
static void cross(const struct ga_host *host, const struct pair *pair, struct listed *listed)
{
    const struct ga_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, places = problem->genes.places;
    const uint kind = problem->operators.cross_order;
    const struct crossings crossings = draw_crossings(problem, pair, pair->a_is_better);
    struct words words = {.seed = pair->place.seed,
                          .stream = SHOAL_STREAM_GA_CROSS_GENE,
                          .step = pair->place.step,
                          .index = pair->index};
    memcpy(pair->children[0], pair->parents[0], dim * sizeof(double));
    memcpy(pair->children[1], pair->parents[1], dim * sizeof(double));
    if (crossings.reals.crosses && problem->operators.cross_reals == CROSS_SBX_BOUNDED)
        list_crossed(host, pair, listed);
    else if (crossings.reals.crosses)
        cross_reals(problem, pair, &crossings, &words);
    if (crossings.wholes.crosses)
        cross_wholes(problem, pair, &crossings, &words);
    for (uint32_t c = 0; c < pair->count && places && crossings.order_crosses; c++) {
        const struct host_orders orders = orders_of(problem, pair, c);
        order_cross(&orders, kind, (uint)places, crossings.segment, pair->place.seed, pair->place.step,
                    pair->index + c);
    }
}

/* Mutation ---------------------------------------------------------------------------------------------- */

/* Mutates a real by another operator than the polynomial mutation, for which there is list_mutation. */
static void mutate_real(const struct ga_problem *problem, double *x, size_t d, double number)
{
    const struct shoal_ga_params *params = problem->params;
    const double lower = lower_of(problem, d), upper = upper_of(problem, d);
    const mutate_shape shape = {.sigma = params->sigma};
    const uint kind = problem->operators.mutate_reals;
    x[d] = mutated(kind, x[d], number, lower, upper, shape, params->sigma_unit == SHOAL_GA_SIGMA_BOX);
    if (mutation_leaves_box(kind))
        x[d] = bounded((uint)params->bounds, x[d], lower, upper);
}

static void mutate_bits(const struct ga_problem *problem, double *bits, size_t place)
{
    const uint count = (uint)problem->genes.bits;
    for (size_t w = place / 32; 32 * w < count; w++) {
        const uint mask = mutation_mask(problem->operators.mutate_bits, (uint)place, (uint)w, count);
        for (size_t b = 32 * w; b < count && b < 32 * w + 32; b++)
            if (mask >> b % 32 & 1)
                bits[b] = 1 - bits[b];
    }
}

/* Puts a real on the list of those that the polynomial mutation changes. */
static void list_mutation(const struct ga_host *host, double *gene, size_t d, uint32_t word,
                          struct ga_mutations *mutations)
{
    const size_t n = mutations->count++;
    mutations->gene[n] = gene;
    mutations->u[n] = uniform30(word);
    mutations->lower[n] = lower_of(&host->problem, d);
    mutations->upper[n] = upper_of(&host->problem, d);
    if (mutations->count == GA_MUTATIONS)
        host->reals->mutate(host->problem.params->mutation_eta + 1, mutations);
}

/* Mutates gene d of a child, or puts it on the list, by the first (which 0) or the second (which 1) of the
 * two random numbers that follow from the words z and w of a block. */
static void mutate_gene(const struct ga_host *host, double *x, size_t d, struct shoal_words words,
                        uint32_t which, struct ga_mutations *mutations)
{
    const struct ga_problem *problem = &host->problem;
    const size_t reals = problem->genes.reals, first_bit = reals + problem->genes.wholes;
    if (problem->messy) {
        const size_t bits = problem->genes.bits;
        double *list = list_of(problem, x), *drawn = list + MESSY_PAIRS(bits) + d;
        if (d < list[MESSY_LENGTH(bits)] && problem->operators.mutate_bits != SHOAL_GA_NO_MUTATION)
            *drawn = mutated_pair((uint)*drawn, word_at(words, 2 + which), (uint)bits);
    } else if (d < reals && problem->operators.mutate_reals == MUTATE_POLYNOMIAL) {
        list_mutation(host, x + d, d, word_at(words, 2 + which), mutations);
    } else if (d < reals) {
        double numbers[2];
        mutation_numbers(problem->operators.mutate_reals, words.z, words.w, &numbers[0], &numbers[1]);
        mutate_real(problem, x, d, numbers[which]);
    } else if (d < first_bit) {
        const uint32_t *whole = whole_of(problem, d - reals);
        x[d] = mutated_whole(whole[WHOLE_MUTATION], (int)x[d], word_at(words, 2 + which),
                             (int)whole[WHOLE_LOWER], whole[WHOLE_WIDTH]);
    } else {
        mutate_bits(problem, x + first_bit, d - first_bit);
    }
}

/* Returns the number of the first threshold above a random word: of a short table, the number of thresholds
 * that are not above it, since the branches of a search would be mispredicted. */
static size_t drawn_gene(const uint32_t *table, size_t line, uint32_t word)
{
    enum { SHORT = 32 };
    uint32_t below = 0;
    if (line > SHORT)
        return first_threshold(table, (uint)line, word >> 1);
    for (size_t k = 0; k < line; k++)
        below += table[k] <= word >> 1;
    return below;
}

/* Draws further mutated genes of a child after its first mutated gene d, and mutates them. mutate_order
 * mutates orders. */
static void mutate_further(const struct ga_host *host, const struct pair *pair, uint32_t child, size_t d,
                           struct ga_mutations *mutations)
{
    const size_t line = host->problem.line;
    const uint32_t *next = pair->rates + RATE_NEXT(line);
    for (uint32_t draw = 1; next[line - 1] > 0; draw++) {
        const struct shoal_words words =
            draw <= 2 ? pair->words->further[2 * child + draw - 1]
                      : draw_words(pair, SHOAL_STREAM_GA_MUTATE, pair->index + child, draw);
        for (uint32_t i = 0; i < 2; i++) {
            d += 1 + drawn_gene(next, line, word_at(words, i));
            if (d >= line)
                return;
            mutate_gene(host, pair->children[child], d, words, i, mutations);
        }
    }
}

static void mutate_order(const struct ga_problem *problem, const struct pair *pair, uint32_t child)
{
    const uint32_t index = pair->index + child;
    const struct shoal_words words = draw_words(pair, SHOAL_STREAM_GA_MUTATE, index, ORDER_DRAW);
    const struct host_orders orders = orders_of(problem, pair, child);
    if (happens(words.x, pair->rates[RATE_MUTATE]))
        order_mutate(&orders, problem->operators.mutate_order, (uint)problem->genes.places, words.y, words.z,
                     draw_words(pair, SHOAL_STREAM_GA_MUTATE, index, SCRAMBLE_DRAW));
}

static void mutate(const struct ga_host *host, const struct pair *pair, struct ga_mutations *mutations)
{
    const struct ga_problem *problem = &host->problem;
    const size_t line = problem->line;
    const struct shoal_words words = pair->words->mutate;
    for (uint32_t child = 0; child < pair->count; child++) {
        const size_t d = drawn_gene(pair->rates + RATE_TABLES, line, word_at(words, child));
        if (d < line) {
            mutate_gene(host, pair->children[child], d, words, child, mutations);
            mutate_further(host, pair, child, d, mutations);
        }
        if (problem->genes.places)
            mutate_order(problem, pair, child);
    }
}

static void draw_pair(const struct ga_host *host, const struct ga_place *place, uint32_t index,
                      struct pair_words *words)
{
    const struct random_draw draws[] = {
        {SHOAL_STREAM_GA_SELECT, index, 0},     {SHOAL_STREAM_GA_PAIR, index, 0},
        {SHOAL_STREAM_GA_PAIR, index, 1},       {SHOAL_STREAM_GA_MUTATE, index, 0},
        {SHOAL_STREAM_GA_MUTATE, index, 1},     {SHOAL_STREAM_GA_MUTATE, index, 2},
        {SHOAL_STREAM_GA_MUTATE, index + 1, 1}, {SHOAL_STREAM_GA_MUTATE, index + 1, 2}};
    struct shoal_words drawn[2 * RANDOM_TOGETHER];
    _Static_assert(sizeof draws / sizeof *draws == 2 * RANDOM_TOGETHER && sizeof drawn == sizeof *words,
                   "the words are drawn together");
    host->reals->draw(place->seed, place->step, draws, drawn);
    memcpy(words, drawn, sizeof drawn);
}

/* Draws the words of the pair of child `child`, and selects its parents. */
static struct pair begin_pair(const struct ga_host *host, size_t island, size_t child, uint64_t step,
                              double *scratch, struct pair_words *words)
{
    const struct ga_problem *problem = &host->problem;
    const size_t dim = problem->search.dim;
    const bool is_alone = problem->is_cellular || child + 1 == problem->search.points;
    const struct ga_place place = ga_host_place(problem, island, step);
    draw_pair(host, &place, place.first + (uint32_t)child, words);
    const struct ga_parents parents = ga_host_select_by(
        host, island, problem->is_cellular ? child : child / 2, step, words->select, words->own);
    const size_t first = island * problem->search.members;
    const size_t entry = problem->rate_entries > 1 ? island % problem->search.run_islands : 0;
    const double *values = host->search.best + first;
    double *x = host->search.x + (island * problem->search.width + child) * dim;
    return (struct pair){
        .place = place,
        .words = words,
        .index = place.first + (uint32_t)child,
        .rates = problem->rates + entry * RATE_WORDS(problem->line),
        .parents = {host->search.p + (first + parents.a) * dim, host->search.p + (first + parents.b) * dim},
        .children = {x, is_alone ? scratch : x + dim},
        .count = is_alone ? 1 : 2,
        .a_is_better = precedes(values[parents.a], parents.a, values[parents.b], parents.b),
        .scratch = (uint16_t *)(void *)(scratch + dim)};
}

/* Makes child i. The children of TOGETHER pairs are made together when the first of them is moved. */
void ga_host_move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    enum { TOGETHER = 8 };
    const struct ga_host *host = ga_host_of(search);
    const struct ga_problem *problem = &host->problem;
    const size_t width = problem->search.width, island = search_host_part(i, width),
                 child = i - island * width, left = problem->search.points - child;
    const size_t most = problem->is_cellular ? 1 : 2 * TOGETHER, count = left < most ? left : most;
    struct pair pairs[TOGETHER];
    struct pair_words words[TOGETHER];
    struct listed listed;
    if (host->generators) {
        problem->thesis.move(host, i);
        return;
    }
    if (child % most)
        return;
    listed.crossed.count = listed.mutations.count = 0;
    for (size_t n = 0; n < count; n += 2) {
        struct pair *pair = &pairs[n / 2];
        *pair = begin_pair(host, island, child + n, step, scratch, &words[n / 2]);
        if (problem->messy)
            cross_lists(problem, pair);
        else
            cross(host, pair, &listed);
    }
    if (listed.crossed.count)
        host->reals->cross(&host->sbx, &listed.crossed);
    for (size_t n = 0; n < count; n += 2)
        mutate(host, &pairs[n / 2], &listed.mutations);
    if (listed.mutations.count)
        host->reals->mutate(problem->params->mutation_eta + 1, &listed.mutations);
    for (size_t n = 0; n < count && problem->messy; n++)
        decode(problem, pairs[n / 2].children[n % 2]);
}
