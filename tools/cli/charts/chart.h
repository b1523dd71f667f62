/* Axes, curves and text of the charts, as SVG. */
#ifndef SHOAL_TOOLS_CHART_H
#define SHOAL_TOOLS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes text between tags or in an attribute, without its control characters. */
void chart_escaped(FILE *out, const char *text);

struct chart_scale {
    double low, high; /* round values at the ends of the axis */
    double step;      /* from one tick to the next: added, or multiplied on a logarithmic axis */
    bool logarithmic;
    double from, to; /* coordinates on the page that belong to low and high */
    double turn;     /* length of a full turn, for longitudes: ticks beyond half a turn are labelled less one
                      * turn; 0: no turn */
};

/* Makes an axis for values from `least` to `most` (positive where logarithmic), drawn between two
 * coordinates. */
struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to);
/* The coordinate of a value; values beyond a logarithmic axis get the coordinate of its end. */
double chart_place(const struct chart_scale *scale, double value);
/* Next tick. The first tick is scale->low, and the last is at most scale->high, apart from rounding. */
double chart_next_tick(const struct chart_scale *scale, double tick);
bool chart_has_tick(const struct chart_scale *scale, double tick);

enum { CHART_LEFT = 84, CHART_RIGHT = 836, CHART_TOP = 44, CHART_BOTTOM = 430 };
/* CHART_MOST_POINTS: twice the width of the chart in pixels. */
enum { CHART_COLOURS = 6, CHART_MOST_POINTS = 1500 };

/* Writes the begin of the file with the titles and room for `keys` lines of a legend; the caller ends the
 * file with "</svg>". */
void chart_begin(FILE *out, const char *title, const char *subtitle, size_t keys);
void chart_axes(FILE *out, const struct chart_scale *across, const struct chart_scale *up,
                const char *across_name, const char *up_name);
/* Adds line `line` of the legend. */
void chart_key(FILE *out, const char *text, size_t colour, size_t line);
/* Writes a text in place of curves, where no value is finite. */
void chart_nothing(FILE *out);

enum { CHART_BANDS = 2 };

struct chart_curve {
    const char *label;
    const double *x, *y; /* a value that is not finite is a gap */
    size_t count;
    /* Bands, filled behind the curve, the wider band first, from the first point at which both edges are
     * finite. NULL: no band. */
    const double *low[CHART_BANDS], *high[CHART_BANDS];
};

/* Curves that share a pair of axes. */
struct chart {
    const char *title, *across, *up;
    const char *subtitle;    /* text below the title, cut to whole values where it is long; NULL: none */
    bool is_tight;           /* the horizontal axis ends with the last point; the x of curves only grow */
    bool may_be_logarithmic; /* the vertical axis is logarithmic where positive values span more than a power
                              * of ten */
    const struct chart_curve *curves;
    size_t count;
};

/* Writes a whole file, with a legend where there are several curves. */
void chart_curves(FILE *out, const struct chart *chart);
/* Checks before a run that a chart can be written to `path`, and that the name ends in .svg or has no
 * extension. Returns an exit code, after a line that names `option`. */
int chart_check(const char *option, const char *path);
/* Writes the chart to `path`, which `option` gave. Exit code. */
int chart_write(const char *option, const char *path, const struct chart *chart);
/* Writes a file whose text `draw` makes. Exit code. */
int chart_write_drawn(const char *option, const char *path, void (*draw)(FILE *out, const void *data),
                      const void *data);

#endif
