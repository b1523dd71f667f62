/* What of a file of lines or frames stays when a run goes on. */
#include "cli/gas/frames.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* A file of whole lines. */
struct reader {
    FILE *in;
    char *line;
    size_t room, bytes; /* bytes: of the lines read so far */
    unsigned long long number;
};

/* False: there is no other whole line. */
static bool next_line(struct reader *reader)
{
    const ssize_t length = getline(&reader->line, &reader->room, reader->in);
    if (length <= 0 || reader->line[length - 1] != '\n')
        return false;
    reader->bytes += (size_t)length;
    reader->number++;
    return true;
}

static bool skip_lines(struct reader *reader, uint64_t count)
{
    while (count > 0 && next_line(reader))
        count--;
    return count == 0;
}

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

/* The count that `text` begins with, blanks before it; one of `ends` follows it. */
static bool read_count(const char *text, const char *ends, uint64_t *count)
{
    char *end;
    text += strspn(text, " ");
    if (*text < '0' || *text > '9')
        return false;
    *count = strtoull(text, &end, 10);
    return *end && strchr(ends, *end);
}

/* A piece is a line, with the head of a table or of CSV before the first, or a frame. */
enum piece {
    WHOLE,
    NO_MORE, /* the end of the file, perhaps in the middle of a piece */
    STRANGE  /* something else */
};

static enum piece next_thermo(struct reader *reader, enum gas_format format, uint64_t *step)
{
    static const char first[] = "{\"step\": ";
    if (!next_line(reader))
        return NO_MORE;
    const char *head = reader->line + strspn(reader->line, " ");
    if (reader->number == 1 && format != GAS_JSON_LINES && begins_with(head, "step") && !next_line(reader))
        return NO_MORE;
    if (format == GAS_JSON_LINES && !begins_with(reader->line, first))
        return STRANGE;
    const char *count = reader->line + (format == GAS_JSON_LINES ? sizeof first - 1 : 0);
    return read_count(count, format == GAS_TABLE ? " " : ",", step) ? WHOLE : STRANGE;
}

static enum piece next_xyz(struct reader *reader, uint64_t *step)
{
    static const char name[] = " Step=";
    uint64_t particles;
    if (!next_line(reader))
        return NO_MORE;
    if (!read_count(reader->line, "\n", &particles))
        return STRANGE;
    if (!next_line(reader))
        return NO_MORE;
    const char *found = strstr(reader->line, name);
    if (!found || !read_count(found + sizeof name - 1, " \n", step))
        return STRANGE;
    return skip_lines(reader, particles) ? WHOLE : NO_MORE;
}

static enum piece next_dump(struct reader *reader, uint64_t *step)
{
    /* Titles, and how many lines of numbers follow each. */
    uint64_t particles = 0, *const counts[] = {step, &particles, NULL, NULL};
    static const char *const titles[] = {"ITEM: TIMESTEP\n", "ITEM: NUMBER OF ATOMS\n", "ITEM: BOX BOUNDS ",
                                         "ITEM: ATOMS "};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (!next_line(reader))
            return NO_MORE;
        if (!begins_with(reader->line, titles[i]))
            return STRANGE;
        if (!counts[i] && !skip_lines(reader, i == 2 ? 3 : particles))
            return NO_MORE;
        if (counts[i] && !next_line(reader))
            return NO_MORE;
        if (counts[i] && !read_count(reader->line, "\n", counts[i]))
            return STRANGE;
    }
    return WHOLE;
}

static enum piece next_piece(struct reader *reader, enum gas_format format, uint64_t *step)
{
    switch (format) {
    case GAS_XYZ:
        return next_xyz(reader, step);
    case GAS_DUMP:
        return next_dump(reader, step);
    default:
        return next_thermo(reader, format, step);
    }
}

enum shoal_status gas_kept_bytes(const char *path, enum gas_format format, uint64_t step, uint64_t interval,
                                 size_t *bytes, struct shoal_error *error)
{
    struct reader reader = {.in = fopen(path, "re")};
    enum shoal_status status = SHOAL_OK;
    enum piece piece;
    uint64_t found;
    *bytes = 0;
    if (!reader.in)
        return cli_io_failed(error, path, "open", "cannot be read", "");
    while ((piece = next_piece(&reader, format, &found)) == WHOLE && found < step &&
           (found == 0 || (interval && found % interval == 0)))
        *bytes = reader.bytes;
    if (piece == STRANGE)
        status = cli_set_error(
            error, SHOAL_IO, "%s: line %llu is not of this run; move the file away to continue in a new one",
            path, reader.number);
    else if (ferror(reader.in))
        status = cli_io_failed(error, path, "read", "cannot be read", "");
    fclose(reader.in);
    free(reader.line);
    return status;
}
