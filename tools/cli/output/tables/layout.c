#include "cli/output/tables/layout.h"

#include "cli/output/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 100000 };

size_t cli_width(FILE *file)
{
    struct winsize size;
    const int fd = fileno(file);
    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST_WIDTH)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    const long width = columns ? strtol(columns, NULL, 10) : 0;
    return width >= LEAST_WIDTH && width <= MOST_WIDTH ? (size_t)width : DEFAULT_WIDTH;
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Number of columns that the first `bytes` bytes take. */
static size_t columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes; i++)
        columns += !continues(text[i]);
    return columns;
}

size_t cli_columns(const char *text)
{
    return columns_of(text, strlen(text));
}

/* Pointer to the first byte after `columns` code points. */
static const char *after(const char *text, size_t columns)
{
    while (*text && (columns || continues(*text))) {
        columns -= !continues(*text);
        text++;
    }
    return text;
}

char *cli_shortened(const char *text, size_t width)
{
    static const char gap[] = "...";
    const size_t length = cli_columns(text), kept = width - (sizeof gap - 1);
    if (length <= width)
        return cli_strdup(text);
    return cli_sprintf("%.*s%s%s", (int)(after(text, kept - kept / 2) - text), text, gap,
                       after(text, length - kept / 2));
}

void cli_wrap(FILE *file, const char *text, size_t at, size_t indent, size_t width)
{
    size_t blanks = 0; /* blanks before the word; none at the begin of a line */
    while (*(text += strspn(text, " "))) {
        const size_t bytes = strcspn(text, " "), columns = columns_of(text, bytes);
        if (at > indent && at + blanks + columns > width) {
            fprintf(file, "\n%*s", (int)indent, "");
            at = indent;
            blanks = 0;
        }
        fprintf(file, "%*s%.*s", (int)blanks, "", (int)bytes, text);
        at += blanks + columns;
        text += bytes;
        blanks = strspn(text, " ");
    }
}

void cli_paragraph(FILE *file, size_t indent, const char *text)
{
    cli_wrap(file, text, 0, indent, cli_width(file));
    putc('\n', file);
}
