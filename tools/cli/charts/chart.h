/* Axes, curves and text of the charts, as SVG. */
#ifndef SHOAL_TOOLS_CHART_H
#define SHOAL_TOOLS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Text between tags or in an attribute; control characters are left out. */
void chart_escaped(FILE *out, const char *text);

struct chart_scale {
    double low, high; /* values at the ends of the axis: round ones */
    double step;      /* between ticks: added, or multiplied on a logarithmic axis */
    bool logarithmic;
    double from, to; /* coordinates on the page of low and high */
    double turn;     /* ticks beyond half of it are named by what is left below it: longitudes; 0: none are */
};

/* An axis that holds `least` to `most` (positive where logarithmic), drawn between two places. */
struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to);
/* Values beyond a logarithmic axis are put on its end. */
double chart_place(const struct chart_scale *scale, double value);
/* Next tick; the first is scale->low, the last at most scale->high (by rounding a little above). */
double chart_next_tick(const struct chart_scale *scale, double tick);
bool chart_has_tick(const struct chart_scale *scale, double tick);

enum { CHART_LEFT = 84, CHART_RIGHT = 836, CHART_TOP = 44, CHART_BOTTOM = 430 };
/* Most points drawn: twice the width of the chart in pixels. */
enum { CHART_COLOURS = 6, CHART_MOST_POINTS = 1500 };

/* The head of the file with its titles and room for `keys` lines of a legend, up to the caller's "</svg>". */
void chart_begin(FILE *out, const char *title, const char *subtitle, size_t keys);
void chart_axes(FILE *out, const struct chart_scale *across, const struct chart_scale *up,
                const char *across_name, const char *up_name);
/* Adds line `line` of the legend. */
void chart_key(FILE *out, const char *text, size_t colour, size_t line);
/* Shown instead of curves if no value is finite. */
void chart_nothing(FILE *out);

enum { CHART_BANDS = 2 };

struct chart_curve {
    const char *label;
    const double *x, *y; /* a value that is not finite is a gap */
    size_t count;
    /* Filled behind the curve, the wider one first, from the first point at which both ends are finite. NULL:
     * none. */
    const double *low[CHART_BANDS], *high[CHART_BANDS];
};

/* Curves over one pair of axes. */
struct chart {
    const char *title, *across, *up;
    const char *subtitle;    /* below the title, its first words where it is long; NULL: none */
    bool is_tight;           /* the axis across ends with the last point, whose x only grow */
    bool may_be_logarithmic; /* the axis up, where positive values span more than a power of ten */
    const struct chart_curve *curves;
    size_t count;
};

/* A whole file, with a legend where there are several curves. */
void chart_curves(FILE *out, const struct chart *chart);
/* Before a run: can a chart be written to `path`, and does its name end in .svg, or have no ending? Exit code
 * after a line that names `option`. */
int chart_check(const char *option, const char *path);
/* Writes the chart to `path`, which `option` gave. Exit code. */
int chart_write(const char *option, const char *path, const struct chart *chart);
/* Writes a file whose text `draw` makes. Exit code. */
int chart_write_drawn(const char *option, const char *path, void (*draw)(FILE *out, const void *data),
                      const void *data);

#endif
