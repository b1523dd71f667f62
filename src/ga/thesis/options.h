/* Private: options of the thesis in the tables of options. Without theses the macros are empty. */
#ifndef SHOAL_GA_THESIS_OPTIONS_H
#define SHOAL_GA_THESIS_OPTIONS_H

#include <shoal/theses.h>

#if SHOAL_THESES
#define GA_THESIS_METHOD_NAME "thesis",
/* A single island may send to itself by a mailbox. */
#define GA_THESIS_EXCHANGE_NEEDS " or migration=mailbox"

enum { GA_THESIS_OPTIONS = 3 };

/* Offset of a member of struct shoal_ga_thesis in a block of parameters. In this block the struct of the
 * thesis follows the struct of the workload. */
#define GA_THESIS_FIELD(name) sizeof(struct shoal_ga_params) + offsetof(struct shoal_ga_thesis, name)

extern const char *const ga_thesis_migration_names[], *const ga_thesis_random_names[];

/* clang-format off */
#define GA_THESIS_MIGRATION_ROW \
    {.name = "migration", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GA_THESIS_FIELD(migration), \
     .unit = "NAME", \
     .choices = ga_thesis_migration_names, \
     .help = "all islands exchange at the same time, or each island takes the individuals that its " \
             "neighbour left in a mailbox at an earlier exchange", \
     .needs = "exchange, mailbox: random=hybridtaus, mailbox: exchange-topology=ring, mailbox: emigrants=best, mailbox: immigrants=worst"},
#define GA_THESIS_RANDOM_ROWS \
    {.name = "random", \
     .type = SHOAL_OPTION_CHOICE, \
     .offset = GA_THESIS_FIELD(random), \
     .unit = "NAME", \
     .choices = ga_thesis_random_names, \
     .help = "random number generator; hybridtaus is the generator of the thesis and works with the rules " \
             "of the thesis only", \
     .needs = "hybridtaus: selection=own, hybridtaus: crossover=arithmetic|none, " \
              "hybridtaus: mutation=gaussian|none, hybridtaus: one-gene or mutation=none, " \
              "hybridtaus: replacement=generational|auto, hybridtaus: elites=0, hybridtaus: !restart"}, \
    {.name = "select-crossing", \
     .type = SHOAL_OPTION_FLAG, \
     .offset = GA_THESIS_FIELD(select_crossing), \
     .unit = "", \
     .help = "select parents only for pairs that cross; children of other pairs are copies of the members " \
             "of their slots", \
     .needs = "random=hybridtaus, crossover=arithmetic"},
/* clang-format on */
#define GA_THESIS_ABSENT    NULL
#define GA_THESIS_REMAINING NULL
#else
enum { GA_THESIS_OPTIONS = 0 };
#define GA_THESIS_METHOD_NAME
#define GA_THESIS_EXCHANGE_NEEDS ""
#define GA_THESIS_MIGRATION_ROW
#define GA_THESIS_RANDOM_ROWS
#define GA_THESIS_REMAINING                                                                                  \
    (const struct shoal_option[])                                                                            \
    {                                                                                                        \
        REMAINS("migration", "epochs"), REMAINS("random", "philox"),                                         \
        {                                                                                                    \
            .name = NULL                                                                                     \
        }                                                                                                    \
    }
#define GA_THESIS_ABSENT                                                                                     \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        "method=thesis", "migration=mailbox", "random=hybridtaus", "select-crossing", NULL                   \
    }
#endif

#endif
