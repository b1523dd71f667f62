/* Axes, curves and text of the charts, as SVG. */
#ifndef SHOAL_TOOLS_CHART_H
#define SHOAL_TOOLS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes text between tags or in an attribute, without its control characters. */
void chart_escaped(FILE *out, const char *text);

struct chart_scale {
    double low, high; /* values at the ends of the axis, which are round */
    double step;      /* distance of ticks; on a logarithmic axis their ratio */
    bool logarithmic;
    double from, to; /* coordinates on the page that belong to low and high */
    /* length of a full turn, for longitudes: labels of ticks beyond half a turn are reduced by a turn; 0: no
     * longitudes */
    double turn;
};

/* Makes an axis for values from `least` to `most`, positive for a logarithmic axis, drawn from coordinate
 * `from` to coordinate `to`. */
struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to);
/* The coordinate of a value; values beyond a logarithmic axis get the coordinate of the end of the axis. */
double chart_place(const struct chart_scale *scale, double value);
/* chart_next_tick returns the tick after `tick`; chart_has_tick says whether `tick` is on the axis. The first
 * tick is scale->low; scale->high is the upper limit of ticks, apart from rounding. */
double chart_next_tick(const struct chart_scale *scale, double tick);
bool chart_has_tick(const struct chart_scale *scale, double tick);

enum { CHART_LEFT = 84, CHART_RIGHT = 836, CHART_TOP = 44, CHART_BOTTOM = 430 };
/* CHART_MOST_POINTS: twice the width of the chart in pixels. */
enum { CHART_COLOURS = 6, CHART_MOST_POINTS = 1500 };

/* Writes the beginning of the file: titles, and space for a legend of `keys` lines. The caller ends the file
 * with "</svg>". */
void chart_begin(FILE *out, const char *title, const char *subtitle, size_t keys);
void chart_axes(FILE *out, const struct chart_scale *across, const struct chart_scale *up,
                const char *across_name, const char *up_name);
/* Adds line `line` of the legend. */
void chart_key(FILE *out, const char *text, size_t colour, size_t line);
/* Writes, in place of curves, that no value of the chart is finite. */
void chart_nothing(FILE *out);

enum { CHART_BANDS = 2 };

struct chart_curve {
    const char *label;
    const double *x, *y; /* a value that is not finite is a gap */
    size_t count;
    /* low, high: edges of filled bands behind the curve; band 0 is the wider. A band begins at the first
     * point at which both edges are finite. NULL: no band. */
    const double *low[CHART_BANDS], *high[CHART_BANDS];
};

/* Curves that share a pair of axes. */
struct chart {
    const char *title, *across, *up;
    const char *subtitle;       /* text below the title, cut to whole values where it is long; NULL: none */
    bool is_tight;              /* the horizontal axis ends at the last point; x of curves must increase */
    bool across_is_logarithmic; /* the horizontal axis is logarithmic; x of curves must be above 0 */
    /* the vertical axis is logarithmic if no value is negative and positive values span more than a power of
     * ten */
    bool may_be_logarithmic;
    const struct chart_curve *curves;
    size_t count;
};

/* A chart of a file with several. */
struct chart_panel {
    void (*draw)(FILE *out, const void *data); /* writes what is a whole file by itself */
    size_t keys;                               /* lines of its legend, as chart_begin takes them */
};

/* Writes a whole file with charts below each other. data: for each `draw`. */
void chart_panels(FILE *out, const char *title, const struct chart_panel *panels, size_t count,
                  const void *data);

/* Writes a whole file, with a legend if there are several curves. */
void chart_curves(FILE *out, const struct chart *chart);
/* Checks before a run that a chart can be written to `path`, and that the name ends in .svg or has no
 * extension. Returns an exit code; a failure is reported in a line that names `option`. */
int chart_check(const char *option, const char *path);
/* Writes the chart to `path`. option: the option for messages. Returns an exit code. */
int chart_write(const char *option, const char *path, const struct chart *chart);
/* Writes to `path` the text that `draw` writes to `out`. Returns an exit code. */
int chart_write_drawn(const char *option, const char *path, void (*draw)(FILE *out, const void *data),
                      const void *data);

#endif
