/* What the charts of the command share: axes and text, as SVG. */
#ifndef SHOAL_TOOLS_CHART_H
#define SHOAL_TOOLS_CHART_H

#include <stdbool.h>
#include <stdio.h>

/* Text between tags or in an attribute; control characters are left out. */
void chart_escaped(FILE *out, const char *text);

struct chart_scale {
    double low, high; /* values at the ends of the axis: round ones */
    double step;      /* between ticks: added, or multiplied on a logarithmic axis */
    bool logarithmic;
    double from, to; /* places of low and high on the page */
};

/* An axis that holds `least` to `most` (positive where logarithmic), drawn between two places. */
struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to);
/* Values beyond a logarithmic axis are put on its end. */
double chart_place(const struct chart_scale *scale, double value);
/* Next tick; the first is scale->low, the last at most scale->high (by rounding a little above). */
double chart_next_tick(const struct chart_scale *scale, double tick);
bool chart_has_tick(const struct chart_scale *scale, double tick);

#endif
