/* Tables of the quality of results, from files of bench/quality*.py: success, tour lengths, accuracy. */
#ifndef SHOAL_TOOLS_CLI_REPORT_QUALITY_H
#define SHOAL_TOOLS_CLI_REPORT_QUALITY_H

#include "cli/output/text.h"

/* Most columns of a table; the page says how many further ones are left out. */
enum { QUALITY_COLUMNS = 32 };

struct report_quality {
    const char *path;
    char *kind, *about; /* about: date, commit and device */
    char *titles[QUALITY_COLUMNS];
    char **cells; /* [row_count][column_count] */
    size_t column_count, row_count, left_out;
};

/* Reads the text of a file. False: it is no such file, and nothing is to be freed. */
bool quality_read(struct report_quality *quality, const char *text, const char *path);
void quality_free(struct report_quality *quality);
void quality_write(FILE *out, const struct report_quality *quality);

#endif
