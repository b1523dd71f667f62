#include "chart.h"

#include <math.h>

void chart_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<'    ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '&'  ? "&amp;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        if (entity)
            fputs(entity, out);
        else if ((unsigned char)*text >= 0x20)
            putc(*text, out);
    }
}

/* 1, 2 or 5 times a power of ten, so that ticks are round; at most five of them lie within `range`. */
static double round_step(double range)
{
    double step = pow(10, floor(log10(range / 5)));
    return range <= 10 * step ? 2 * step : range <= 25 * step ? 5 * step : 10 * step;
}

struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to)
{
    struct chart_scale scale = {.logarithmic = logarithmic, .from = from, .to = to};
    if (logarithmic) {
        double low = floor(log10(fmax(least, 1e-300))), high = fmax(ceil(log10(most)), low + 1);
        /* No more than about nine ticks. */
        double decades = ceil((high - low) / 8);
        scale.low = pow(10, low);
        scale.high = pow(10, low + ceil((high - low) / decades) * decades);
        scale.step = pow(10, decades);
        /* Beyond the largest number there is nothing. */
        if (isinf(scale.high))
            scale.high = most;
        return scale;
    }
    if (!(most > least))
        most = least + fmax(fabs(least), 1) * 1e-3;
    scale.step = round_step(most - least);
    scale.low = floor(least / scale.step) * scale.step;
    scale.high = ceil(most / scale.step) * scale.step;
    return scale;
}

double chart_place(const struct chart_scale *scale, double value)
{
    double share = (value - scale->low) / (scale->high - scale->low);
    if (scale->logarithmic) {
        value = fmin(fmax(value, scale->low), scale->high);
        share = (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low));
    }
    return scale->from + share * (scale->to - scale->from);
}

double chart_next_tick(const struct chart_scale *scale, double tick)
{
    return scale->logarithmic ? tick * scale->step : tick + scale->step;
}

bool chart_has_tick(const struct chart_scale *scale, double tick)
{
    double room = scale->logarithmic ? 1e-4 * tick : 1e-4 * scale->step;
    return tick <= scale->high + room;
}
