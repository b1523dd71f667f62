#include "compute/program/build_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next(const char *line)
{
    const size_t length = strcspn(line, "\n");
    return line + length + (line[length] == '\n');
}

/* Reads the number at `c`, which the character `end` must follow; 0: there is no such number. *behind:
 * receives the position after `end`. */
static unsigned long number_before(const char *c, char end, const char **behind)
{
    char *stop = NULL;
    const unsigned long number = *c >= '0' && *c <= '9' ? strtoul(c, &stop, 10) : 0;
    if (!number || *stop != end)
        return 0;
    *behind = stop + 1;
    return number;
}

/* Reads a line of a log. Returns false if the line has none of the forms "FILE:LINE:COLUMN: error: CAUSE",
 * "FILE:LINE: error: CAUSE", "FILE(LINE): error: CAUSE" (NVRTC) and "error: FILE:LINE:COLUMN: CAUSE"
 * (PoCL). */
static bool read_line(const char *line, struct build_fault *fault)
{
    static const char first[] = "error: ";
    const bool is_first = strncmp(line, first, sizeof first - 1) == 0;
    line += is_first ? sizeof first - 1 : 0;
    static const char *const kinds[] = {" error: ", " fatal error: ", " error #", " catastrophic error: "};
    const size_t length = strcspn(line, "\r\n"), place = strcspn(line, ":(\r\n");
    const char *c = line + place;
    const bool is_bracket = *c == '(';
    if (!place || (*c != ':' && !is_bracket))
        return false;
    fault->file = line;
    fault->file_length = (int)place;
    fault->line = number_before(c + 1, is_bracket ? ')' : ':', &c);
    if (!fault->line)
        return false;
    if (is_bracket)
        c += *c == ':';
    else
        (void)number_before(c, ':', &c);
    if (is_first) {
        fault->cause = c + (*c == ' ');
        fault->cause_length = (int)(line + length - fault->cause);
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t kind = strlen(kinds[i]);
        if (strncmp(c, kinds[i], kind) != 0)
            continue;
        fault->cause = c + kind;
        if (kinds[i][kind - 1] == '#' && number_before(fault->cause, ':', &fault->cause))
            fault->cause += *fault->cause == ' ';
        fault->cause_length = (int)(line + length - fault->cause);
        return true;
    }
    return false;
}

/* Finds the first error in file `name` or, if there is none, the first error in any file, since a compiler
 * may report an error only after the end of that file. name NULL: any file. False: the log has no error in a
 * form of gcc, clang, NVRTC or PoCL. */
static bool build_log_find(const char *log, const char *name, struct build_fault *fault)
{
    bool any = false;
    struct build_fault one;
    for (const char *line = log; *line; line = next(line)) {
        if (!read_line(line, &one))
            continue;
        const bool is_wanted =
            !name || ((size_t)one.file_length == strlen(name) && memcmp(one.file, name, strlen(name)) == 0);
        if (is_wanted || !any)
            *fault = one;
        any = true;
        if (is_wanted)
            break;
    }
    return any;
}

void build_log_describe(const char *log, const char *name, char *text, size_t size)
{
    struct build_fault fault;
    if (build_log_find(log, name, &fault)) {
        snprintf(text, size, "%.*s:%lu: %.*s", fault.file_length, fault.file, fault.line, fault.cause_length,
                 fault.cause);
        return;
    }
    const char *line = strstr(log, "error");
    line = line ? line : log + strspn(log, " \r\n");
    while (line > log && line[-1] != '\n')
        line--;
    snprintf(text, size, "%.*s", (int)strcspn(line, "\r\n"), line);
}
