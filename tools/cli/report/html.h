/* Pieces of the page: text, tables, bars and curves, without scripts. */
#ifndef SHOAL_TOOLS_CLI_REPORT_HTML_H
#define SHOAL_TOOLS_CLI_REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

extern const char html_style[];

/* Writes text. Long words get places where a narrow page may break them, behind their signs. */
void html_text(FILE *out, const char *text);
/* Writes an element that contains text. */
void html_element(FILE *out, const char *tag, const char *text);

/* A table, whose cells are written in the order of the titles. next: index of the next cell; first_number:
 * index of the first column of numbers. */
struct html_table {
    FILE *out;
    const char *const *titles; /* ended by NULL */
    size_t next, first_number;
};
/* html_table_begin writes the titles. Each row is the cells between html_row_begin and html_row_end. */
void html_table_begin(struct html_table *table);
void html_table_end(struct html_table *table);
void html_row_begin(struct html_table *table);
void html_row_end(struct html_table *table);
void html_cell(struct html_table *table, const char *text);
/* Writes a sentence across the remaining cells of a row. */
void html_across(struct html_table *table, const char *text);

enum { HTML_COLOURS = 6 }; /* colours of bars and curves; further ones repeat */

struct html_bar {
    char *name;        /* label of the bar; the owner frees it */
    const char *about; /* a few words behind the name */
    char *facts;       /* what follows the figure: "; 29 % of the memory bandwidth"; the owner frees it */
    const char *why;   /* shown in place of a figure; NULL: there is a figure */
    double value;
    double least, most; /* range of the samples; equal: none is drawn */
    double marker;      /* value at the roof; 0: not drawn */
    size_t colour;
    bool is_faint; /* the figure of another program */
};
struct html_bars {
    const char *caption; /* what is drawn; NULL: the heading above says it */
    const char *axis;    /* what the axis means */
    const char *unit;
    struct html_bar *bars;
    size_t count;
};
/* Draws bars on one axis, which starts at 0 or is logarithmic where bars would be too short to be seen. A bar
 * whose name is NULL is a heading: `about`, followed by `facts` if these are not NULL. */
void html_bars(FILE *out, const struct html_bars *bars);
/* Frees the texts of the bars and the array. */
void html_bars_free(struct html_bars *bars);

struct html_point {
    double x, y;
    const char *label; /* label of x */
};
struct html_curve {
    char *name;                /* the owner frees it */
    struct html_point *points; /* by rising x; the owner frees them */
    size_t count, colour;
    bool is_dashed;
};
/* Draws curves with a point for each figure. The horizontal axis has the labels of the points. */
void html_curves(FILE *out, const char *caption, const char *across, const char *unit,
                 const struct html_curve *curves, size_t count);

#endif
