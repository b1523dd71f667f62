#include "compute/program/comments.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Length of a continuation: a backslash and the end of its line, between which compilers accept blanks; 0:
 * there is none at `c`. */
static size_t continuation(const char *c)
{
    if (*c != '\\')
        return 0;
    size_t length = 1 + strspn(c + 1, " \t\r");
    return c[length] == '\n' ? length + 1 : 0;
}

/* Returns the position after any continuations at `c`, and adds their number to *joined. */
static const char *skip_continuations(const char *c, size_t *joined)
{
    for (size_t length; (length = continuation(c)) > 0; c += length)
        ++*joined;
    return c;
}

struct stripper {
    struct text *out;
    /* number of lines that were joined since the last line feed in `out`; as many line feeds are added at the
     * next end of a line or of the text */
    size_t joined;
};

static void make_up_lines(struct stripper *s)
{
    for (; s->joined > 0; s->joined--)
        text_append(s->out, "\n", 1);
}

/* Returns the position after a comment, from a position after its first two characters; NULL: the comment has
 * no end. */
static const char *skip_comment(struct stripper *s, const char *c, bool block)
{
    for (;;) {
        c = skip_continuations(c, &s->joined);
        if (!*c || (*c == '\n' && !block))
            return *c || !block ? c : NULL;
        if (*c == '\n')
            s->joined++;
        const char *after = skip_continuations(c + 1, &s->joined);
        if (block && *c == '*' && *after == '/')
            return after + 1;
        c = after;
    }
}

/* Copies a string or character literal, which ends on its line at the latest. */
static const char *copy_quoted(struct stripper *s, const char *c)
{
    const char quote = *c;
    text_append(s->out, c, 1);
    for (c = skip_continuations(c + 1, &s->joined); *c && *c != '\n';
         c = skip_continuations(c + 1, &s->joined)) {
        text_append(s->out, c, 1);
        if (*c == quote)
            return c + 1;
        if (*c != '\\')
            continue;
        c = skip_continuations(c + 1, &s->joined);
        if (!*c || *c == '\n')
            return c;
        text_append(s->out, c, 1);
    }
    return c;
}

char *text_without_comments(const char *text, bool *open)
{
    /* the result is at most a little longer than `text` */
    struct text out = {.capacity = strlen(text) + 2};
    struct stripper s = {.out = &out};
    *open = false;
    out.data = malloc(out.capacity);
    if (!out.data)
        return NULL;
    out.data[0] = '\0';
    for (const char *c = text; *(c = skip_continuations(c, &s.joined));) {
        size_t joined = s.joined;
        const char *after = skip_continuations(c + 1, &joined);
        if (*c == '/' && (*after == '/' || *after == '*')) {
            s.joined = joined;
            c = skip_comment(&s, after + 1, *after == '*');
            text_append(&out, " ", 1);
            if (!c) {
                *open = true;
                break;
            }
        } else if (*c == '"' || *c == '\'') {
            c = copy_quoted(&s, c);
        } else if (*c == '\n') {
            text_append(&out, "\n", 1);
            make_up_lines(&s);
            c++;
        } else {
            if (*c != '\r' || c[1] != '\n')
                text_append(&out, c, 1);
            c++;
        }
    }
    make_up_lines(&s);
    if (out.failed)
        text_free(&out);
    return out.data;
}
