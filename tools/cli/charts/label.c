/* Characters drawn as lines, so that no font is needed, at any size. */
#include "cli/charts/label.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A digit is ADVANCE - 2 units wide and HEIGHT units high. */
enum { HEIGHT = 6, ADVANCE = 6 };

/* Lines of a glyph, separated by blanks. Each point has two digits: units to the right and units down from
 * the upper left corner. */
static const struct glyph {
    char character;
    const char *lines;
} glyphs[] = {
    {'0', "103041453616050110"},
    {'1', "112026 1636"},
    {'2', "01103041420646"},
    {'3', "01103041423313 334445361605"},
    {'4', "36300444"},
    {'5', "400003334445361605"},
    {'6', "413010010516364544331304"},
    {'7', "004016"},
    {'8', "13020110304142331304051636454433"},
    {'9', "051636454130100102133342"},
    {'.', "2626"},
    {'-', "0343"},
    {'+', "0343 2125"},
    {'c', "4332120305163645"},
    {'d', "4046 4332120305163645"},
    {'e', "04444332120305163645"},
    {'i', "2226 2020"},
    {'m', "0206 03122326 23324346"},
    {'n', "0206 03123243 4346"},
    {'p', "0208 0312324345361605"},
    {'s', "43321203143445361605"},
    {'t', "10152636 0232"},
    {'y', "02052636 4247380838"},
};

static const char *lines_of(char character)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].character == character)
            return glyphs[i].lines;
    return "";
}

double label_width(const char *text, double size)
{
    return (double)strlen(text) * size / HEIGHT * ADVANCE;
}

/* x, y: upper left corner of the glyph. */
static void draw_lines(struct canvas *canvas, double x, double y, double unit, const char *lines,
                       const unsigned char colour[CANVAS_CHANNELS])
{
    double last[2] = {0, 0};
    for (bool is_first = true; *lines; lines += *lines == ' ' ? 1 : 2) {
        if (*lines == ' ') {
            is_first = true;
            continue;
        }
        const double point[2] = {x + unit * (lines[0] - '0'), y + unit * (lines[1] - '0')};
        if (!is_first)
            canvas_line(canvas, last, point, fmax(0.8 * unit, 1), colour);
        memcpy(last, point, sizeof last);
        is_first = false;
    }
}

void label_draw(struct canvas *canvas, double x, double y, double size, const char *text,
                const unsigned char colour[CANVAS_CHANNELS])
{
    const double unit = size / HEIGHT;
    for (; *text; text++, x += unit * ADVANCE)
        draw_lines(canvas, x, y - size, unit, lines_of(*text), colour);
}
