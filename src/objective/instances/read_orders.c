/* Reads instances over orders: matrices, machines, points. */
#include "base/error.h"
#include "objective/instances/reader.h"
#include "objective/variables/variables.h"

#include <math.h>
#include <shoal/data.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns an upper bound of the values: n^2 times the product of the greatest absolute numbers of all
 * matrices. */
static double greatest_value(const struct instance_data *data, size_t matrices)
{
    const size_t n = data->columns;
    double bound = (double)n * (double)n;
    for (size_t k = 0; k < matrices; k++) {
        double greatest = 0;
        for (size_t i = 0; i < n * n; i++)
            greatest = fmax(greatest, fabs(data->numbers[k * n * n + i]));
        bound *= greatest;
    }
    return bound;
}

/* Reads n, and `matrices` matrices of n rows of n numbers: the formats of QAPLIB and LOLIB. */
static enum shoal_status read_matrices(const char *path, size_t matrices, struct instance_data *data,
                                       struct shoal_error *error)
{
    struct instance_reader reader;
    char *text = NULL;
    double n;
    enum shoal_status status = instance_open(path, &text, &reader, error);
    if (!status)
        status = instance_whole(&reader, "the size of the matrices", 2, 16384, &n);
    if (!status)
        status = instance_holds(&reader, (double)matrices * n * n, "numbers of matrices");
    if (!status)
        status = instance_allocate(data, matrices * (size_t)n, (size_t)n, error);
    for (size_t k = 0; k < matrices && !status; k++)
        for (size_t row = 0; row < (size_t)n && !status; row++) {
            char what[80];
            snprintf(what, sizeof what, "a number of row %zu of matrix %zu", row + 1, k + 1);
            status =
                instance_row(&reader, what, (size_t)n, data->numbers + (k * (size_t)n + row) * (size_t)n);
        }
    if (!status)
        status = instance_end(&reader);
    if (!status)
        status = instance_exact(&reader, greatest_value(data, matrices));
    data->dim = status ? 0 : (size_t)n;
    free(text);
    return status;
}

static enum shoal_status read_qap(const char *path, struct instance_data *data, struct shoal_error *error)
{
    return read_matrices(path, 2, data, error);
}
const struct instance_source instance_qap = {.read = read_qap};

static enum shoal_status read_linear_ordering(const char *path, struct instance_data *data,
                                              struct shoal_error *error)
{
    return read_matrices(path, 1, data, error);
}
const struct instance_source instance_linear_ordering = {.read = read_linear_ordering};

/* Flow shops: "JOBS MACHINES", then the times of the jobs on each machine; or Taillard's by number
 * ----------------- */

enum { MOST_MACHINES = 256 };

/* Returns the next random time of Taillard's generator, computed in double as published (EJOR 64, 1993). */
static double taillard_time(int32_t *seed)
{
    const int32_t k = *seed / 127773;
    *seed = 16807 * (*seed % 127773) - 2836 * k;
    if (*seed < 0)
        *seed += 2147483647;
    return 1 + floor(99 * (*seed / 2147483647.0));
}

/* Makes "ta001" to "ta120". There are ten instances of each size. */
static enum shoal_status make_taillard(unsigned number, struct instance_data *data, struct shoal_error *error)
{
    static const unsigned short sizes[12][2] = {{20, 5},   {20, 10},  {20, 20},  {50, 5},
                                                {50, 10},  {50, 20},  {100, 5},  {100, 10},
                                                {100, 20}, {200, 10}, {200, 20}, {500, 20}};
    static const int32_t seeds[120] = {
        873654221,  379008056,  1866992158, 216771124,  495070989,  402959317,  1369363414, 2021925980,
        573109518,  88325120,   587595453,  1401007982, 873136276,  268827376,  1634173168, 691823909,
        73807235,   1273398721, 2065119309, 1672900551, 479340445,  268827376,  1958948863, 918272953,
        555010963,  2010851491, 1519833303, 1748670931, 1923497586, 1829909967, 1328042058, 200382020,
        496319842,  1203030903, 1730708564, 450926852,  1303135678, 1273398721, 587288402,  248421594,
        1958948863, 575633267,  655816003,  1977864101, 93805469,   1803345551, 49612559,   1899802599,
        2013025619, 578962478,  1539989115, 691823909,  655816003,  1315102446, 1949668355, 1923497586,
        1805594913, 1861070898, 715643788,  464843328,  896678084,  1179439976, 1122278347, 416756875,
        267829958,  1835213917, 1328833962, 1418570761, 161033112,  304212574,  1539989115, 655816003,
        960914243,  1915696806, 2013025619, 1168140026, 1923497586, 167698528,  1528387973, 993794175,
        450926852,  1462772409, 1021685265, 83696007,   508154254,  1861070898, 26482542,   444956424,
        2115448041, 118254244,  471503978,  1215892992, 135346136,  1602504050, 160037322,  551454346,
        519485142,  383947510,  1968171878, 540872513,  2013025619, 475051709,  914834335,  810642687,
        1019331795, 2056065863, 1342855162, 1325809384, 1988803007, 765656702,  1368624604, 450181436,
        1927888393, 1759567256, 606425239,  19268348,   1298201670, 2041736264, 379756761,  28837162};
    static const struct {
        unsigned number;
        double makespan;
    } best[] = {{1, 1278},  {3, 1081},  {5, 1235},  {7, 1234},  {9, 1230},
                {31, 2724}, {33, 2621}, {35, 2863}, {51, 3850}, {53, 3640}};
    if (number < 1 || number > 120)
        return fail(error, SHOAL_INVALID, "Taillard's flow shops are ta001 to ta120, there is no ta%03u",
                    number);
    const unsigned short *size = sizes[(number - 1) / 10];
    int32_t seed = seeds[number - 1];
    enum shoal_status status = instance_allocate(data, size[1], size[0], error);
    for (size_t i = 0; !status && i < (size_t)size[0] * size[1]; i++)
        data->numbers[i] = taillard_time(&seed);
    data->dim = size[0];
    for (size_t i = 0; i < sizeof best / sizeof *best; i++)
        if (best[i].number == number)
            data->best = best[i].makespan;
    return status;
}

static enum shoal_status read_flow_shop(const char *path, struct instance_data *data,
                                        struct shoal_error *error)
{
    struct instance_reader reader;
    char *text = NULL;
    double jobs, machines;
    if (strlen(path) == 5 && strncmp(path, "ta", 2) == 0 && strspn(path + 2, "0123456789") == 3 &&
        access(path, F_OK) != 0)
        return make_taillard((unsigned)atoi(path + 2), data, error);
    enum shoal_status status = instance_open(path, &text, &reader, error);
    if (!status)
        status = instance_whole(&reader, "the number of jobs", 2, VARIABLES_PLACES, &jobs);
    if (!status)
        status = instance_whole(&reader, "the number of machines", 1, MOST_MACHINES, &machines);
    if (!status)
        status = instance_holds(&reader, machines * jobs, "times of jobs");
    if (!status)
        status = instance_allocate(data, (size_t)machines, (size_t)jobs, error);
    for (size_t i = 0; !status && i < (size_t)machines * (size_t)jobs; i++)
        status = instance_whole(&reader, "the time of a job", 0, INT32_MAX, &data->numbers[i]);
    if (!status)
        status = instance_end(&reader);
    data->dim = status ? 0 : (size_t)jobs;
    free(text);
    return status;
}
const struct instance_source instance_flow_shop = {.read = read_flow_shop};

/* Tours: a table with a point a row, in the formats of shoal/data.h ------------------------------------ */

static enum shoal_status read_tour(const char *path, struct instance_data *data, struct shoal_error *error)
{
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(path, NULL, &table, error);
    if (status)
        return status;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    if (info->rows < 2 || info->rows > VARIABLES_PLACES)
        status = fail(error, SHOAL_INVALID, "%s: a tour has 2 to %d points, one a row, not %zu", path,
                      VARIABLES_PLACES, (size_t)info->rows);
    /* Fails if the first row of numbers was taken for names of columns, since no option of this function can
     * say that it is a point. */
    if (!status && *info->notes && !info->leaves_index && shoal_table_column_name(table, 0))
        status =
            fail(error, SHOAL_IO,
                 "%s: its first line may be a point, or numbers of columns: write x,y above it, or leave it "
                 "out",
                 path);
    if (!status)
        status = instance_allocate(data, (size_t)info->rows, (size_t)info->columns, error);
    if (!status)
        status = shoal_table_read(table, 0, data->rows, data->numbers, error);
    data->dim = data->rows;
    shoal_table_destroy(&table);
    return status;
}
const struct instance_source instance_tour = {.read = read_tour};
