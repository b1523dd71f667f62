/* The keys that tours add to their JSON documents. Lengths are in the unit of the problem (shoal data tsp).
 */
#include "cli/tsp/fields.h"

const struct json_field tsp_fields[] = {
    {"result.fields.algorithm", "", "the algorithm"},
    {"result.fields.chosen_for", "", "if the algorithm was not named: why it was chosen"},
    {"result.fields.time_limit", "s", "if neither time nor iterations were given: the time of the run"},
    {"result.fields.lists", "", "candidate lists: nearest, quadrant, file, or given by a program"},
    {"result.fields.cities", "", "number of cities"},
    {"result.fields.optimum", "unit of lengths", "length of the shortest known tour, if one is known"},
    {"result.fields.gap", "", "length over the optimum, less 1"},
    {"result.fields.bound", "unit of lengths", "with --bound: lower bound of the length of every tour"},
    {"result.fields.bound_gap", "", "length over the bound, less 1"},
    {"result.fields.optimal", "", "whether the length is proved to be the shortest"},
    {"result.fields.best_step", "steps", "step at which the tour was found"},
    {"result.fields.tours", "", "tours constructed"},
    {"result.fields.colonies", "", "number of colonies, if there are several"},
    {"result.fields.mean_length", "unit of lengths", "mean over the colonies of their best lengths"},
    {"result.fields.mean_length_error", "unit of lengths", "standard error of the mean length"},
    {"result.fields.cooling", "steps", "with lk: steps in which the threshold falls to 0"},
    {"result.fields.macro_time", "s", "time of the macro cycles of the thesis"},
    {"result.fields.micro_time", "s", "time of the micro cycles of the thesis"},
    {"tour[]", "", "ids of the cities in the order of the best tour"},
    {"series.step[]", "steps", "steps done"},
    {"series.seconds[]", "s", "time since the start"},
    {"series.tours[]", "", "tours constructed"},
    {"series.length[]", "unit of lengths", "length of the best tour at the sample"},
    {"series.gap[]", "", "length over the optimum, less 1"},
    JSON_FIELDS_END};

const struct json_field tsp_check_fields[] = {
    {"problem", "", "with --check: name of the problem"},
    {"tour", "", "the file checked"},
    {"cities", "", "number of cities"},
    {"length", "unit_name", "length of the tour"},
    {"unit_name", "", "unit of lengths, such as km; empty: the unit of the coordinates"},
    {"gap", "", "length over the optimum, less 1; null: no optimum is known"},
    {"tours", "", "tours in the file, of which the first is measured"},
    {"notes", "", "notes on how the problem was read, a sentence on each line, null: none"},
    {"index", "", "with --problems, in each line: number of the problem, from 0 on"},
    {"error", "", "with --problems: why this problem has no tour, in place of the following keys"},
    {"algorithm", "", "with --problems: the algorithm"},
    {"optimal", "", "with --problems: whether the length is proved to be the shortest"},
    {"steps", "", "with --problems: steps of the run"},
    {"seconds", "s", "with --problems: time of the run"},
    {"tour[]", "", "with --problems: ids of the cities in the order of the tour"},
    JSON_FIELDS_END};

const struct json_field tsp_data_fields[] = {
    {"problem", "", "name of the problem"},
    {"comment", "", "comment of the file, if it has one"},
    {"cities", "", "number of cities"},
    {"metric", "", "rule of the distances"},
    {"asymmetric", "", "whether the distance back may differ"},
    {"fixed_edges", "", "edges that every tour has"},
    {"unit", "unit_name", "length of one unit of distance"},
    {"unit_name", "", "name of the unit, such as km; empty: the unit of the coordinates"},
    {"optimum", "unit_name", "length of the shortest known tour, null: none is known"},
    {"optimal", "", "whether the shortest known tour is proved to be optimal"},
    {"ranges[][]", "", "least and greatest coordinate of each axis"},
    {"notes", "", "notes on how the problem was read, a sentence on each line, null: none"},
    {"file", "", "the file written"},
    JSON_FIELDS_END};
