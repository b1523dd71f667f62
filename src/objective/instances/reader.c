#include "objective/instances/reader.h"
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "objective/number.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status instance_open(const char *path, char **text, struct instance_reader *reader,
                                struct shoal_error *error)
{
    size_t bytes;
    *reader = (struct instance_reader){.name = file_base_name(path), .line = 1, .error = error};
    enum shoal_status status = read_input_unpacked(path, "instance", text, &bytes, error);
    if (status)
        return status;
    reader->at = *text;
    if (strlen(*text) != bytes)
        return fail(error, SHOAL_IO, "%s: byte %zu is 0: an instance is a text", reader->name,
                    strlen(*text) + 1);
    return SHOAL_OK;
}

enum shoal_status instance_fail(const struct instance_reader *reader, const char *format, ...)
{
    char reason[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return fail(reader->error, SHOAL_IO, "%s: line %zu: %s", reader->name, reader->line, reason);
}

enum shoal_status instance_holds(const struct instance_reader *reader, double count, const char *what)
{
    /* Each number or line has at least one character, so a shorter text has fewer of them. */
    if (count > (double)strlen(reader->at))
        return instance_fail(reader, "the file is too short for %.0f %s", count, what);
    return SHOAL_OK;
}

enum shoal_status instance_exact(const struct instance_reader *reader, double greatest)
{
    if (greatest > 0x1p53)
        return fail(reader->error, SHOAL_IO,
                    "%s: values may reach %.3g, whole numbers are exact up to 2^53: scale its numbers down",
                    reader->name, greatest);
    return SHOAL_OK;
}

bool instance_next(struct instance_reader *reader)
{
    for (; isspace((unsigned char)*reader->at); reader->at++)
        reader->line += *reader->at == '\n';
    return *reader->at != '\0';
}

/* Returns how many characters of a word a message shows: at most 30, and only printable ones. */
static int shown(const char *word)
{
    int length = 0;
    while (length < 30 && isgraph((unsigned char)word[length]))
        length++;
    return length;
}

enum shoal_status instance_number(struct instance_reader *reader, const char *what, double *value)
{
    if (!instance_next(reader))
        return instance_fail(reader, "the file ends where %s is expected", what);
    const char *word = reader->at, *digits = word + (*word == '-' || *word == '+');
    const char *end = number_read(digits, value);
    if (end == digits || (*end && !isspace((unsigned char)*end)) || !isfinite(*value))
        return instance_fail(reader, "'%.*s' where %s is expected", shown(word), word, what);
    *value = *word == '-' ? -*value : *value;
    reader->at = end;
    return SHOAL_OK;
}

enum shoal_status instance_whole(struct instance_reader *reader, const char *what, double least, double most,
                                 double *value)
{
    enum shoal_status status = instance_number(reader, what, value);
    if (!status && !(*value >= least && *value <= most && *value == floor(*value)))
        return instance_fail(reader, "%s is %.15g: whole numbers from %.0f to %.0f are possible", what,
                             *value, least, most);
    return status;
}

enum shoal_status instance_row(struct instance_reader *reader, const char *what, size_t count,
                               double *numbers)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = instance_whole(reader, what, INT32_MIN, INT32_MAX, &numbers[i]);
    return status;
}

enum shoal_status instance_end(struct instance_reader *reader)
{
    if (!instance_next(reader))
        return SHOAL_OK;
    return instance_fail(reader, "'%.*s' where the file should end", shown(reader->at), reader->at);
}
