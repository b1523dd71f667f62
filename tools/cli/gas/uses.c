/* The uses that shoal gas has for a file of particles. */
#include "cli/gas/data.h"
#include "cli/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A description such as "4 particles in 2 dimensions, frame 1 of 2, box 8 x 8, with velocities". */
static char *text_of(const struct shoal_gas_start_info *info)
{
    char *box = cli_strdup(info->has_box ? ", box" : ", no box (--width and --height)");
    for (size_t k = 0; k < info->dim && info->has_box; k++) {
        char *longer = cli_sprintf("%s%s%.10g", box, k ? " x " : " ", info->length[k]);
        free(box);
        box = longer;
    }
    char *frame = info->frames > 1 ? cli_sprintf(", frame %" PRIu64 " of %" PRIu64, info->frame, info->frames)
                                   : cli_strdup("");
    char *text =
        cli_sprintf("%" PRIu64 " particles in %" PRIu64 " dimensions to start from%s%s, %s velocities",
                    info->particles, info->dim, frame, box, info->has_velocities ? "with" : "without");
    free(frame);
    free(box);
    return text;
}

/* Appends the notes to the text, without the name of the file, with which each note begins. */
static char *with_notes(char *text, const char *path, const char *notes)
{
    const size_t length = strlen(path);
    while (*notes) {
        const char *end = notes + strcspn(notes, "\n");
        const char *begin = strncmp(notes, path, length) == 0 ? notes + length : notes;
        begin += strspn(begin, ": ");
        char *longer = cli_sprintf("%s; %.*s", text, (int)(end - begin), begin);
        free(text);
        text = longer;
        notes = end + (*end == '\n');
    }
    return text;
}

void gas_uses(const struct cli_data_file *file, struct cli_uses *uses)
{
    struct shoal_gas_params params;
    struct shoal_gas_start_info info = {.size = sizeof info};
    struct shoal_error error = {0};
    shoal_gas_params_init(&params);
    params.start_file = file->table.path;
    if (gas_data_read(NULL, &params, &info, &error))
        cli_uses_refuse(uses, "gas --start-file", &error);
    else
        cli_uses_add(uses, "gas --start-file", with_notes(text_of(&info), params.start_file, info.notes),
                     info.notes);
}
