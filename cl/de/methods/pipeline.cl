/* The first kernels of a step: the choice of F, CR and members, and the trials. */
#include "de/methods/pipeline.clh"

/* Chooses F, CR and the members of which each mutant is made. leader: the best member of each island. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_choose(__global real *restrict scale, __global real *restrict rate,
               __global const real *restrict own_scale /* or NULL */, __global const real *restrict own_rate /* or NULL */,
               __global const real *restrict memory /* or NULL */, __global const uint *restrict counts,
               __global const uint *restrict order, __global const uint *restrict leader,
               __global uint *restrict choices, __global const uint *restrict words,
               __global const real *restrict settings, struct search_shape shape, struct de_shape own,
               struct de_step step)
{
    const trial_of_member t = trial_at(shape, words, step, (uint)get_global_id(0));
    if (t.takes_part && !t.is_drawn) {
        const struct shoal_words first = shoal_random_words(t.seed, SHOAL_STREAM_DE_RULE, step.step, t.index, 0u);
        const struct shoal_words second = shoal_random_words(t.seed, SHOAL_STREAM_DE_RULE, step.step, t.index, 1u);
        struct shoal_words third = second;
        __global uint *const choice = choices + (ulong)t.member * DE_CHOICES;
        rates r;
        picks p;
#if ADAPTATION == ADAPT_SHADE || CROSSOVER == EXPONENTIAL
        third = shoal_random_words(t.seed, SHOAL_STREAM_DE_RULE, step.step, t.index, 2u);
#endif
#if HAS_OWN
        r = rates_of_own(own_scale[t.member], own_rate[t.member], first);
#elif HAS_MEMORY
        {
            __global const real *const cell = memory + 2ul * (t.island * own.cells + de_index(first.x, own.cells));
            r = rates_about(cell[0], scale_below(cell[0]), cell[1], first, step);
        }
#else
        r.scale = settings[SET_SCALE];
        r.rate = settings[SET_RATE];
        (void)first;
#endif
        p = picks_of(second, third, step, t.own, counts[t.island * DE_COUNTS + COUNT_ARCHIVED], leader[t.island],
                     shape.dim);
        scale[t.member] = r.scale;
        rate[t.member] = r.rate;
        choice[CHOICE_TO] = STRATEGY == CURRENT_TO_PBEST_1 ? order[t.island * shape.members + p.to] : p.to;
        choice[CHOICE_A] = p.a;
        choice[CHOICE_B] = p.b;
        choice[CHOICE_START] = p.start;
        choice[CHOICE_LENGTH] = CROSSOVER == EXPONENTIAL ? run_length(r.rate, third.y, shape.dim) : 1u;
    }
}

/* Coordinate d of member `number`, or of slot number - members of the archive where `number` is at least `members`. */
static real coordinate_of(__global const real *x, __global const real *archive, struct search_shape shape,
                          struct de_shape own, uint island, uint number, uint members, uint d)
{
    if (number < members)
        return x[place_of(shape, island * shape.members + number, d)];
    return archive[((ulong)island * own.slots + number - members) * shape.dim + d];
}

/* Makes trials, or first positions of an island that is drawn anew: a work-item for a block of dimensions. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void de_trial(__global const real *restrict x, __global const real *restrict archive /* or NULL */,
              __global real *restrict trials, __global const real *restrict scale, __global const real *restrict rate,
              __global real *restrict memory /* or NULL */, __global uint *restrict counts,
              __global const uint *restrict choices, __global const uint *restrict words,
              __global const real *restrict settings, struct search_shape shape, struct de_shape own,
              struct de_step step)
{
    const uint blocks = (shape.dim + TRIAL_BLOCK - 1u) / TRIAL_BLOCK, number = (uint)get_global_id(0);
    const uint block = number % blocks, end = min(block * TRIAL_BLOCK + TRIAL_BLOCK, shape.dim);
    const trial_of_member t = trial_at(shape, words, step, number / blocks);
    uint d;
    if (t.takes_part && t.is_drawn) {
        const uint start = step.step == 0u ? 0u : words[(ulong)t.island * ISLAND_WORDS + ISLAND_RESTARTS] + 1u;
        for (d = block * TRIAL_BLOCK; d < end; d++) {
            const struct shoal_words w = shoal_random_words(t.seed, SHOAL_STREAM_DE_START, start, t.index, d / 4u);
            trials[place_of(shape, t.trial, d)] = first_coordinate(
                word_at(w, d % 4u), box_lower(settings, d, shape.dim), box_upper(settings, d, shape.dim));
        }
        if (t.own == 0u && block == 0u) {
            for (d = 0u; d < DE_COUNTS; d++)
                counts[t.island * DE_COUNTS + d] = 0u;
            for (d = 0u; d < own.cells; d++) {
                const rates means = first_cell(d, own.free_cells);
                memory[2ul * (t.island * own.cells + d)] = means.scale;
                memory[2ul * (t.island * own.cells + d) + 1ul] = means.rate;
            }
        }
    } else if (t.takes_part) {
        __global const uint *const choice = choices + (ulong)t.member * DE_CHOICES;
        const real own_scale = scale[t.member], own_rate = rate[t.member], pull = pull_of(own_scale, step);
        const uint from = STRATEGY == CURRENT_TO_PBEST_1 ? t.own : choice[CHOICE_TO];
        const struct shoal_words w = shoal_random_words(t.seed, SHOAL_STREAM_DE_CROSS, step.step, t.index, block);
        picks p;
        p.to = choice[CHOICE_TO];
        p.a = choice[CHOICE_A];
        p.b = choice[CHOICE_B];
        p.start = choice[CHOICE_START];
        for (d = block * TRIAL_BLOCK; d < end; d++) {
            const uint word = word_at(w, d % 8u / 2u), half_word = d & 1u ? word >> 16 : word & 0xffffu;
            const real parent = x[place_of(shape, t.member, d)];
            real value = parent;
            if (takes(p, choice[CHOICE_LENGTH], own_rate, half_word, d, shape.dim))
                value = mutated(parent, coordinate_of(x, archive, shape, own, t.island, from, step.members, d),
                                coordinate_of(x, archive, shape, own, t.island, p.to, step.members, d),
                                coordinate_of(x, archive, shape, own, t.island, p.a, step.members, d),
                                coordinate_of(x, archive, shape, own, t.island, p.b, step.members, d), pull, own_scale,
                                box_lower(settings, d, shape.dim), box_upper(settings, d, shape.dim));
            trials[place_of(shape, t.trial, d)] = value;
        }
    }
}
