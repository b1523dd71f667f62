/* Private: the parts of a genetic algorithm that only the thesis has: a generator with a state for each
 * individual, and mailboxes. */
#ifndef SHOAL_GA_THESIS_USE_H
#define SHOAL_GA_THESIS_USE_H

#include <shoal/ga.h>

struct ga_host;
struct search_method;
struct shoal_program_desc;
struct thesis_params;

/* The parts of the thesis that the parameters ask for. All zeros: none, as in every build without theses. */
struct ga_thesis {
    /* name of an option that is set and that needs plain reals; NULL: there is none */
    const char *reals_alone;
    /* number of words of a member's generator; 0: random numbers come from counters, and all further members
     * of this struct are 0 */
    size_t generator_words;
    size_t draw_bytes; /* bytes of the random choices of a member in a generation */
    bool has_mailbox, select_crossing;
    /* the only method that has these parts, on every device; NULL: every method is possible */
    const struct search_method *method;
    /* Functions of the host. prepare, draw, move, advance: parts of ga_host_prepare, ga_host_draw,
     * ga_host_move and ga_host_replace. post: exchanges the migrants of an island with the individuals in its
     * mailbox. */
    void (*prepare)(struct ga_host *host, size_t island);
    void (*draw)(struct ga_host *host, size_t i);
    void (*move)(const struct ga_host *host, size_t i);
    void (*advance)(struct ga_host *host, size_t island);
    void (*post)(struct ga_host *host, size_t island);
};

#if SHOAL_THESES
extern const struct thesis_params ga_thesis_params;
extern const struct shoal_program_desc ga_numbers_program, ga_thesis_program;
extern const struct search_method ga_thesis_method;
#define GA_THESIS_METHOD   &ga_thesis_method.base,
#define GA_THESIS_PARAMS   &ga_thesis_params
#define GA_THESIS_PROGRAMS &ga_numbers_program, &ga_thesis_program,
#define GA_THESIS_SIZE     sizeof(struct shoal_ga_thesis)
struct ga_thesis ga_thesis_of(const struct shoal_ga_params *params);
#else
#define GA_THESIS_METHOD
#define GA_THESIS_PARAMS NULL
#define GA_THESIS_PROGRAMS
#define GA_THESIS_SIZE 0
static inline struct ga_thesis ga_thesis_of(const struct shoal_ga_params *params)
{
    (void)params;
    return (struct ga_thesis){.generator_words = 0};
}
#endif

#endif
