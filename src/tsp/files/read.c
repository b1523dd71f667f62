/* Reads a problem from a file of any supported format. */
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/text.h"
#include "tsp/files/files.h"

#include <shoal/data.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name of a file without folders and without its last extension. The caller frees the name. NULL:
 * no memory. */
static char *name_of(const char *path)
{
    const char *base = strcmp(path, "-") == 0 ? "stdin" : file_base_name(path), *dot = strrchr(base, '.');
    return dot && dot > base ? strndup(base, (size_t)(dot - base)) : strdup(base);
}

enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error)
{
    const char *path = problem->params->data;
    char *text;
    size_t bytes;
    enum shoal_status status = read_input_unpacked(path, "problem", &text, &bytes, error);
    if (status)
        return status;
    const bool is_npy = tsp_has_extension(path, ".npy") || (bytes >= 6 && memcmp(text, "\x93NUMPY", 6) == 0);
    const bool is_tsplib =
        tsp_is_tsplib(text, bytes) || tsp_has_extension(path, ".tsp") || tsp_has_extension(path, ".atsp");
    bool is_converted = false;
    if ((is_npy || is_tsplib) && problem->params->header == SHOAL_HEADER_YES)
        status = fail(error, SHOAL_INVALID, "header: it belongs to CSV, and %s is %s: leave it out", path,
                      is_npy ? ".npy" : "a file of TSPLIB");
    if (!status && !is_npy)
        status = input_to_utf8(&text, &bytes, &is_converted, error);
    if (is_converted && !status)
        tsp_note(problem, INPUT_LATIN_NOTE, path);
    if (!status)
        status = is_npy      ? tsp_read_npy(path, problem, error)
                 : is_tsplib ? tsp_parse_tsplib(text, bytes, path, problem, error)
                             : tsp_parse_csv(text, bytes, path, problem, error);
    free(text);
    if (status || problem->name)
        return status;
    problem->name = name_of(path);
    if (!problem->name)
        return fail_host_memory(error);
    text_clean(problem->name, "");
    return SHOAL_OK;
}
