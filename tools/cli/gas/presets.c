#include "cli/gas/presets.h"

#include <stddef.h>

/* The condensation of the thesis, which leaves parameters open. Here the unit of length is the distance of
 * the minimum of the short-range potential, and the unit of energy is about its depth. Two particles only
 * stay together if a third particle or a wall takes their energy, so the gas is dense and the run is long.
 * |A| n / 4 = 0.025 is below the temperatures of the run: the long-range attraction A alone does not make
 * droplets, as the control run without A also shows. */
static const char *const condensation[][2] = {{"potential", "real"},
                                              {"particles", "1000"},
                                              {"density", "0.3"},
                                              {"boundary-x", "walls"},
                                              {"boundary-y", "walls"},
                                              {"wall-left", "damping"},
                                              {"wall-right", "damping"},
                                              {"wall-bottom", "damping"},
                                              {"wall-top", "damping"},
                                              {"wall-damping", "0.6"},
                                              {"attraction", "1e-4"},
                                              {"short-attraction", "2"},
                                              {"softening", "0.25"},
                                              {"cutoff", "2.5"},
                                              {"temperature", "1"},
                                              {"dt", "0.014"},
                                              {"steps", "200000"},
                                              {"start", "random"},
                                              {"thermo", "2000"},
                                              {"cluster-distance", "1.5"},
                                              {"frames", "50000"},
                                              {"png", "condensation"},
                                              {"control", "true"},
                                              {"plot-temperature", "condensation-temperature.svg"},
                                              {NULL, NULL}};

/* A piston halves the length of a gas in 100 units of time and goes back, at a fifth of the thermal speed:
 * slowly enough that the temperature at the end is that at the begin but for about 5 %. */
static const char *const piston[][2] = {
    {"potential", "wca"},
    {"particles", "1000"},
    {"width", "80"},
    {"height", "40"},
    {"boundary-x", "walls"},
    {"boundary-y", "walls"},
    {"piston", "x"},
    {"piston-speed", "0"},
    {"temperature", "1"},
    {"dt", "0.005"},
    {"equilibration", "2000"},
    {"steps", "48000"},
    {"schedule",
     "2000 piston-speed -0.4 over 2000; 20000 piston-speed 0 over 2000; 26000 piston-speed 0.4 over "
     "2000; 44000 piston-speed 0 over 2000;"},
    {"thermo", "200"},
    {"frames", "8000"},
    {"png", "piston"},
    {"plot-samples", "piston.svg"},
    {"plot-columns", "temperature,pressure"},
    {NULL, NULL}};

/* The piston leaves a quarter of the box faster than the particles, which so do no work on it. */
static const char *const expansion[][2] = {{"particles", "2000"},
                                           {"width", "160"},
                                           {"height", "80"},
                                           {"boundary-x", "walls"},
                                           {"boundary-y", "walls"},
                                           {"start-part", "0.25"},
                                           {"piston", "x"},
                                           {"piston-speed", "0"},
                                           {"temperature", "1"},
                                           {"dt", "0.005"},
                                           {"equilibration", "2000"},
                                           {"steps", "24000"},
                                           {"schedule", "4000 piston-speed 20; 5200 piston-speed 0;"},
                                           {"thermo", "100"},
                                           {"frames", "4000"},
                                           {"png", "expansion"},
                                           {"plot-temperature", "expansion.svg"},
                                           {NULL, NULL}};

/* Far below the critical point, at T = 0.5 in two dimensions, the gas separates into liquid and vapour. The
 * range of S(k) leaves out the order of neighbours, at k = 6. */
static const char *const quench[][2] = {{"particles", "4096"},
                                        {"density", "0.35"},
                                        {"temperature", "2"},
                                        {"thermostat", "langevin"},
                                        {"friction", "0.5"},
                                        {"dt", "0.01"},
                                        {"equilibration", "1000"},
                                        {"steps", "40000"},
                                        {"schedule", "1000 temperature 0.35 over 500;"},
                                        {"thermo", "200"},
                                        {"structure-bins", "60"},
                                        {"structure-range", "3"},
                                        {"frames", "8000"},
                                        {"png", "quench"},
                                        {"plot-samples", "quench.svg"},
                                        {"plot-columns", "structure_length"},
                                        {NULL, NULL}};

/* A round triangular crystal in its vapour is heated beyond the triple point, at T = 0.4. */
static const char *const melting[][2] = {{"particles", "2000"},
                                         {"density", "0.4"},
                                         {"start", "droplet"},
                                         {"droplet-density", "0.91"},
                                         {"droplet-share", "1"},
                                         {"temperature", "0.2"},
                                         {"thermostat", "langevin"},
                                         {"friction", "0.5"},
                                         {"dt", "0.005"},
                                         {"equilibration", "1000"},
                                         {"steps", "50000"},
                                         {"schedule", "2000 temperature 0.65 over 46000;"},
                                         {"thermo", "250"},
                                         {"hexatic-range", "1.6"},
                                         {"frames", "10000"},
                                         {"png", "melting"},
                                         {"plot-samples", "melting.svg"},
                                         {"plot-columns", "temperature,hexatic_local,hexatic_global"},
                                         {NULL, NULL}};

const struct workload_preset gas_presets[] = {
    {"condensation",
     "a gas between damping walls condenses into droplets, with pictures and a control run (200000 steps, "
     "twice: minutes on a few CPU cores; for a shorter run give --steps, --frames and --thermo)",
     "condensation-*.png, condensation-temperature.svg, condensation-temperature-control.svg", condensation},
    {"piston", "a piston halves the length of a gas slowly, waits and goes back, with pictures",
     "piston-*.png, piston.svg", piston},
    {"expansion",
     "a piston sets a gas free, which expands without work and so keeps its energy, with pictures",
     "expansion-*.png, expansion.svg", expansion},
    {"quench",
     "a gas that is cooled at once separates into droplets, which grow: their size by S(k), with pictures",
     "quench-*.png, quench.svg", quench},
    {"melting", "a crystal is heated until it melts, with its hexatic order and pictures",
     "melting-*.png, melting.svg", melting},
    {NULL, NULL, NULL, NULL}};
