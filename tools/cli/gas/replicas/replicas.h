/* shoal gas --replicas and --sweep: independent gases in one run, and a table of their means. */
#ifndef SHOAL_TOOLS_GAS_REPLICAS_H
#define SHOAL_TOOLS_GAS_REPLICAS_H

#include "cli/gas/replicas/boyle.h"
#include "cli/workload.h"

#include <shoal/replicas.h>

/* Values of the options of replicas. They are the first values of `shoal gas`. */
struct replicas_values {
    struct workload_values common; /* must be first: the options of every workload */
    uint64_t count;                /* replicas of each state; 0: the option is not given */
    const char *sweep, *file, *diagram;
    const char *rdf; /* the value of --rdf-file, which other runs have, too */
};

#define REPLICAS_ROWS                                                                                        \
    {.name = "replicas",                                                                                     \
     .group = "Replicas",                                                                                    \
     .type = SHOAL_OPTION_UINT,                                                                              \
     .offset = offsetof(struct replicas_values, count),                                                      \
     .unit = "N",                                                                                            \
     .min = 1,                                                                                               \
     .max = SHOAL_GAS_REPLICAS_MOST,                                                                         \
     .flags = SHOAL_OPTION_ZERO_UNSET,                                                                       \
     .help = "run N independent gases at once, with successive seeds, and print a table of their means; "    \
             "default with --sweep 1 for each state"},                                                       \
        {.name = "sweep",                                                                                    \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct replicas_values, sweep),                                                  \
         .unit = "NAME=VALUES",                                                                              \
         .flags = SHOAL_OPTION_REPEATS,                                                                      \
         .help = "replicas with several values of temperature or density, or of the fraction of the first "  \
                 "species, FIRST:LAST:COUNT or VALUE,VALUE,...: temperature=0.4:1.4:11; with several "       \
                 "sweeps, each value of one at each of the others"},                                         \
        {.name = "replicas-file",                                                                            \
         .type = SHOAL_OPTION_TEXT,                                                                          \
         .offset = offsetof(struct replicas_values, file),                                                   \
         .unit = "FILE",                                                                                     \
         .flags = SHOAL_OPTION_WRITES,                                                                       \
         .help = "write the means of all replicas as numbers: .csv or .json",                                \
         .needs = "replicas or sweep"},                                                                      \
    {                                                                                                        \
        .name = "phase-diagram", .type = SHOAL_OPTION_TEXT,                                                  \
        .offset = offsetof(struct replicas_values, diagram), .unit = "FILE", .flags = SHOAL_OPTION_WRITES,   \
        .help = "draw a phase diagram of a sweep of densities: the pressure against the density for each "   \
                "temperature, with a thermostat the Boyle temperature, and, for Lennard-Jones or with "      \
                "--cluster-distance, a map of the largest cluster; particles closer than 1.5 sigma form a "  \
                "cluster unless --cluster-distance is given: .svg",                                          \
        .needs = "sweep"                                                                                     \
    }

/* Values of a sweep; count 0: it is not given. */
struct replicas_axis {
    double *values;
    size_t count;
};

/* g(r) of all replicas. rows 0: not asked for. */
struct replicas_rdf {
    size_t rows, columns;
    char **names;    /* [columns] */
    double *numbers; /* [replicas][columns][rows]; NaN: the replica has stopped */
};

/* All replicas of a run, and what became of them. */
struct replicas_run {
    struct replicas_axis temperature, density, fraction; /* values of each sweep */
    double *temperatures, *densities, *fractions;        /* [count]; NULL: not swept */
    size_t count;
    struct shoal_gas_replica *rows; /* [count] */
    bool has_species, has_clusters; /* the rows have a fraction, or a largest cluster */
    int32_t thermostat;             /* enum shoal_gas_thermostat */
    struct replicas_rdf rdf;
    double seconds;
    uint64_t steps;
};

/* The rows of all replicas: by temperature, then by density, then by fraction, then by seed. */
struct gas_replicas_table {
    const struct shoal_gas_replica *rows; /* [temperatures][densities][each] */
    size_t temperatures, densities, each;
    double kinetic; /* as of gas_kinetic_part */
};

extern const struct json_field gas_replicas_fields[];

/* Sets the distance that connects particles of a cluster, if a phase diagram needs it. */
void gas_replicas_imply(const struct replicas_values *values, struct shoal_gas_params *params);
/* Checks the options, and refuses those that replicas cannot have beside them. Returns an exit code. */
int gas_replicas_check(const struct cli *cli);
/* Member `instead` of struct report. */
bool gas_replicas_instead(struct cli *cli, int *code);

/* Defined in rows.c. gas_replicas_take_rdf takes g(r) of all replicas, if the gas has it. gas_replicas_json
 * adds the rows. gas_replicas_write writes the rows or, if `is_rdf`, g(r) to a file and returns an exit code.
 */
SHOAL_MUST_CHECK enum shoal_status gas_replicas_take_rdf(struct shoal_gas_replicas *replicas,
                                                         struct replicas_run *run, struct shoal_error *error);
void gas_replicas_free_rdf(struct replicas_rdf *rdf); /* accepts zeros */
void gas_replicas_json(cJSON *json, const struct replicas_run *run);
int gas_replicas_write(const char *option, const char *path, const struct replicas_run *run, bool is_rdf);
double gas_replicas_speed(const struct replicas_run *run); /* particle-steps a second */
void gas_replicas_print(const struct cli *cli, const struct replicas_run *run);

/* Defined in diagram.c. gas_replicas_boyle: the Boyle temperature, from the two lowest densities; NaN:
 * unknown, as without a thermostat and where a sweep has a value twice. gas_replicas_diagram draws the
 * isotherms and, if the rows have it, the map of the largest cluster, and returns an exit code. */
struct gas_estimate gas_replicas_boyle(const struct gas_replicas_table *table);
int gas_replicas_diagram(const char *path, const struct gas_replicas_table *table);

#endif
