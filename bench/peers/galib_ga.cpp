/* GAlib (Wall 1996) on the sequential run that the thesis measured it with: the peer of thesis-ga.profile.*.
 *
 *     bench/peers/run.py galib        (Debian: libga-dev)
 *
 * 128 individuals of two real genes, Griewank's function in +-5, roulette, single-point crossover of 0.9,
 * Gaussian mutation of 0.01 a gene, no elitism, as GASimpleGA has them. A sample is some generations.
 */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ga/GARealGenome.h>
#include <ga/GASimpleGA.h>
#include <ga/garandom.h>
#include <link.h>
#include <memory>
#include <stdlib.h>
#include <string>
#include <vector>

/* The templates of real genomes are instantiated by their users. */
#include <ga/GARealGenome.C>

namespace {
const int population = 128, generations = 2000, samples = 9;

double griewank(double x, double y)
{
    return 1 + (x * x + y * y) / 4000 - std::cos(x) * std::cos(y / std::sqrt(2.0));
}

float objective(GAGenome &genome)
{
    const GARealGenome &genes = static_cast<GARealGenome &>(genome);
    return (float)griewank(genes.gene(0), genes.gene(1));
}

/* Its headers have no version: "2.4.7" of the library that is loaded, by the name of its file. */
std::string version()
{
    std::string number;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *out) {
            const std::unique_ptr<char, decltype(&free)> path(realpath(info->dlpi_name, nullptr), &free);
            const std::string file = path ? path.get() : "", name = "/libga.so.";
            const size_t at = file.rfind(name);
            if (at != std::string::npos)
                *static_cast<std::string *>(out) = file.substr(at + name.size());
            return 0;
        },
        &number);
    return number;
}
} // namespace

int main()
{
    const std::string number = version();
    if (number.empty()) {
        std::fputs("the version of GAlib is not known: no shared library libga.so is loaded\n", stderr);
        return 1;
    }
    GARandomSeed(1);
    GARealAlleleSet box(-5, 5);
    GARealGenome genome(2, box, objective);
    genome.crossover(GARealGenome::OnePointCrossover);
    genome.mutator(GARealGaussianMutator);
    GASimpleGA ga(genome);
    ga.minimize();
    ga.populationSize(population);
    ga.nGenerations(generations * (samples + 1));
    ga.pCrossover(0.9);
    ga.pMutation(0.01);
    ga.elitist(gaFalse);
    ga.selectScores(0);
    ga.initialize(1);
    std::vector<double> rates;
    for (int sample = 0; sample <= samples; sample++) {
        const auto start = std::chrono::steady_clock::now();
        for (int g = 0; g < generations; g++)
            ga.step();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        if (sample) /* the first warms up */
            rates.push_back((double)population * generations / seconds.count());
    }
    const GARealGenome &best = static_cast<const GARealGenome &>(ga.population().best());
    const double off = std::fabs((double)best.score() - griewank(best.gene(0), best.gene(1)));
    std::printf(
        "{\"case\": \"peer.galib-%s.griewank2-%d\", \"device\": \"host\", \"variant\": \"t1\", "
        "\"precision\": \"fp32\", \"unit\": \"evaluations/s\", \"better\": \"higher\", \"check\": \"%s\", "
        "\"error\": %.3g, \"samples\": [",
        number.c_str(), population, off <= 1e-6 ? "pass" : "fail", off);
    for (size_t i = 0; i < rates.size(); i++)
        std::printf("%s%.17g", i ? ", " : "", rates[i]);
    std::printf("]}\n");
    return 0;
}
