/* Files with particles: what is read of them, and everything that is refused, with its line. */
#include "unit.h"

#include "io/particles/particles.h"

#include <math.h>

static struct particles particles;

static int tear_down(void **state)
{
    particles_free(&particles);
    return unit_teardown(state);
}

static void parse(const char *text)
{
    particles_free(&particles);
    assert_ok(particles_parse(text, strlen(text), "start", &particles, &test_error));
}

/* Refused with exactly this line. */
static void refuse(const char *text, const char *message)
{
    particles_free(&particles);
    assert_status(particles_parse(text, strlen(text), "start", &particles, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, message);
    assert_null(particles.position);
}

static void assert_reals(const double *values, size_t count, const double *wanted)
{
    for (size_t i = 0; i < count; i++)
        assert_close(values[i], wanted[i], 1e-15);
}
#define ASSERT_REALS(values, ...)                                                                            \
    assert_reals(values, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static void test_extended_xyz(void **state)
{
    (void)state;
    parse("3\nLattice=\"10 0 0 0 12 0 0 0 1\" Origin=\"-1 -2 0\" pbc=\"T T F\" "
          "Properties=species:S:1:pos:R:3:velo:R:3:id:I:1 Time=2.5\n"
          "A 1 2 0.5 0.1 0.2 0 30\nB 9.5 -1 0.5 -1 0 0 10\nA 4 2.5e0 .5 0 0 0 20\n");
    assert_int_equal(particles.count, 3);
    assert_int_equal(particles.frames, 1);
    assert_true(particles.has_box && particles.has_periodic);
    assert_true(particles.periodic[0] && particles.periodic[1] && !particles.periodic[2]);
    ASSERT_REALS(particles.length, 10, 12, 1);
    ASSERT_REALS(particles.origin, -1, -2, 0);
    /* By id. */
    ASSERT_REALS(particles.position, 9.5, -1, 0.5, 4, 2.5, 0.5, 1, 2, 0.5);
    ASSERT_REALS(particles.velocity, -1, 0, 0, 0, 0, 0, 0.1, 0.2, 0);
    /* Other names, other columns between, two coordinates, ends of lines of other systems. */
    parse("1\r\nProperties=mass:R:1:vel:R:2:skip:R:2:pos:R:2\r\n2 5 6 nan words 3 4\r\n");
    assert_true(!particles.has_box && !particles.has_periodic);
    ASSERT_REALS(particles.position, 3, 4, 0);
    ASSERT_REALS(particles.velocity, 5, 6, 0);
    /* Plain files; the last frame counts. */
    parse("\n2\na = comment \" of any kind\nAr 1 2 3\nAr 4 5 6\n1\n\n8 7 8 9 more\n");
    assert_int_equal(particles.frames, 2);
    assert_int_equal(particles.frame, 2);
    assert_int_equal(particles.count, 1);
    ASSERT_REALS(particles.position, 7, 8, 9);
    assert_null(particles.velocity);
    assert_true(particles.has_more && !particles.is_cut);
    parse("1\n\nAr 1 2 3\n");
    assert_false(particles.has_more);
}

/* As ASE writes them: momenta, masses, boxes without a length along some axes. */
static void test_ase(void **state)
{
    (void)state;
    parse("2\nLattice=\"8.0 0.0 0.0 0.0 9.0 0.0 0.0 0.0 0.0\" "
          "Properties=species:S:1:pos:R:3:masses:R:1:momenta:R:3 pbc=\"T T F\"\n"
          "Ar       1.00000000       1.00000000       0.00000000       4.00000000       0.10000000       "
          "0.20000000       0.00000000\n"
          "Ar 3.0 1.0 0.0 4.0 -2.0 0.5 0.0\n");
    assert_true(particles.has_box);
    ASSERT_REALS(particles.length, 8, 9, 0);
    ASSERT_REALS(particles.velocity, 0.025, 0.05, 0, -0.5, 0.125, 0);
    assert_true(particles.mass == 4 && !particles.has_momenta && !particles.differs);
    assert_string_equal(particles.unused, "");
    /* Without masses they are for the run to divide. */
    parse("1\nProperties=species:S:1:pos:R:3:momenta:R:3\nAr 1 2 0 3 4 0\n");
    assert_true(particles.has_momenta && particles.mass == 0 && !particles.has_box);
    ASSERT_REALS(particles.velocity, 3, 4, 0);
    /* Velocities that agree with the momenta up to the digits of both are taken, else the momenta: a program
     * that knows momenta alone leaves old velocities in the file. */
    parse("1\nProperties=pos:R:3:velo:R:3:masses:R:1:momenta:R:3\n1 2 0 0.333333333 0 0 3 1 0 0\n");
    assert_true(!particles.differs && particles.velocity[0] == 0.333333333);
    parse("2\nProperties=pos:R:3:velo:R:3:masses:R:1:momenta:R:3:id:I:1\n"
          "1 2 0 1 0 0 2 2 0 0 9\n1 3 0 1 0 0 2 3 0 0 8\n");
    assert_true(particles.differs);
    ASSERT_REALS(particles.velocity, 1.5, 0, 0, 1, 0, 0);
    /* What tells particles apart is named where it does. */
    parse("2\nProperties=species:S:1:pos:R:3:masses:R:1:initial_charges:R:1\nAr 1 2 0 4 0\nKr 1 3 0 5 0\n");
    assert_string_equal(particles.told, "species, masses");
    assert_string_equal(particles.unused, "");
    assert_true(isnan(particles.mass));
    parse("2\n\nAr 1 2 0\nKr 1 3 0\n");
    assert_string_equal(particles.told, "species");
    /* No box at all. */
    parse("1\nLattice=\"0 0 0 0 0 0 0 0 0\"\nAr 1 2 0\n");
    assert_false(particles.has_box);
}

/* Data files of LAMMPS: styles with and without charges, crossings, velocities in another order. */
static void test_data_files(void **state)
{
    (void)state;
    parse(
        "LAMMPS data file\n\n3 atoms\n2 atom types # two\n 1 bonds\n\n-1 9 xlo xhi\n0 12.5 ylo yhi\n"
        "-0.5 0.5 zlo zhi\n0 0 0 xy xz yz\n\nMasses\n\n1 1 # A\n2 4.5 # B\n\nPair Coeffs # lj/cut\n\n1 1 1\n"
        "2 1 1\n\nAtoms # charge\n\n30 2 -1 1 2 0 0 0 0\n10 1 1 3 4 0 1 -2 0 # comment\n20 1 1 5 6 0 0 0 "
        "0\n\n"
        "Velocities\n\n10 0.5 0 0\n20 1 0 0\n30 2 -1 0\n\nBonds\n\n1 1 10 20\n");
    assert_string_equal(particles.format, "LAMMPS data file");
    assert_true(particles.count == 3 && particles.frames == 1 && particles.frame == 1 && !particles.is_cut);
    assert_true(particles.has_box && !particles.has_periodic);
    ASSERT_REALS(particles.length, 10, 12.5, 1);
    ASSERT_REALS(particles.origin, -1, 0, -0.5);
    ASSERT_REALS(particles.position, 3, 4, 0, 5, 6, 0, 1, 2, 0);
    ASSERT_REALS(particles.velocity, 0.5, 0, 0, 1, 0, 0, 2, -1, 0);
    ASSERT_REALS(particles.masses, 1, 1, 4.5);
    assert_true(particles.image[0] == 1 && particles.image[1] == -2 && particles.image[6] == 0);
    assert_true(particles.kinds == 2 && particles.kind[0] != particles.kind[2]);
    ASSERT_REALS(particles.charges, 1, 1, -1);
    assert_string_equal(particles.told, "type, q, mass");
    /* The next section follows the masses without an empty line. Types may be words. */
    parse("t\n2 atoms\n\n0 4 xlo xhi\n0 4 ylo yhi\nMasses\n1 1\n2 4\nAtoms # atomic\n1 1 1 1 0\n2 2 2 2 0\n");
    ASSERT_REALS(particles.masses, 1, 4);
    parse("t\n2 atoms\n\n0 4 xlo xhi\n0 4 ylo yhi\nMasses\n\nAr 2\nKr 4\nAtoms\n\n1 Kr 1 1 0\n2 Ar 2 2 0\n");
    ASSERT_REALS(particles.masses, 4, 2);
    assert_string_equal(particles.unused, "");
    /* The least of a file; the last line has no end. */
    parse("\n1 atoms\n0 4 xlo xhi\n0 4 ylo yhi\nAtoms\n\n7 1 1 2 0");
    assert_true(particles.is_cut && !particles.velocity && !particles.masses && !particles.image);
    ASSERT_REALS(particles.position, 1, 2, 0);
}

static void test_refused_data_files(void **state)
{
    (void)state;
#define DATA "t\n2 atoms\n0 4 xlo xhi\n0 4 ylo yhi\n\n"
    refuse("t\n0 atoms\n", "start: line 2: the file has no particles: 0 atoms");
    refuse(DATA, "start: line 5: the file ends without a section Atoms");
    refuse(DATA "Atoms # full\n\n1 1 1 0 1 1 1\n", "start: line 8: atoms of atom_style 'full' are not read: "
                                                   "write the file with atom_style atomic or charge");
    refuse(
        DATA "Atoms\n\n1 1 0 1 1 0\n",
        "start: line 8: the third column may be a charge or a molecule: name the atom_style, as in 'Atoms # "
        "charge'");
    refuse(DATA "Atoms # atomic\n\n1 1 0 1 1 0\n",
           "start: line 8: has 6 columns, atoms of atom_style atomic have 5, or 8 with crossings");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n",
           "start: line 8: the file ends after 1 of 2 particles of its last frame");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n1 1 2 2 0\n", "start: two particles of a frame have the id 1");
    refuse(DATA "Atoms\n\n1 1 0 nan 0\n2 1 2 2 0\n", "start: line 8: y is 'nan', which is not finite");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n2 1 2 2 0\n\nAtoms\n\n",
           "start: line 11: the section Atoms is there twice");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n2 1 2 2 0\n\nVelocities\n\n1 0 0 0\n",
           "start: line 13: the section Velocities ends before the last of 2 particles");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n2 1 2 2 0\n\nVelocities\n\n1 0 0 0\n3 0 0 0\n",
           "start: line 14: the velocity of id 3, which no atom has");
    refuse(DATA "Atoms\n\n1 1 0 1 0\n2 1 2 2 0\n\nVelocities\n\n1 0 0 0\n1 0 0 0\n",
           "start: line 14: a second velocity of id 1");
    refuse(DATA "Masses\n\n1 0\n\nAtoms\n\n1 1 0 1 0\n2 1 2 2 0\n",
           "start: line 8: the mass of a type is 0, it must be above 0");
    refuse("t\n2 atoms\n0 0 xlo xhi\n", "start: line 3: the box is empty or endless along x: 0 to 0");
    refuse(
        "t\n2 atoms\n0 4 xlo xhi\n0.5 0 0 xy xz yz\n",
        "start: line 4: the box is oblique (triclinic): its tilts are 0.5, 0 and 0, boxes here are upright");
    refuse("t\n1 atoms\n0 4 xlo xhi\nAtoms\n\n1 1 1 1 0\n",
           "start: line 6: no line gives ylo and yhi of the box");
}

/* The frame that was read, of so many, and whether the file was found to be cut. */
static void expect_frame(const char *text, size_t frame, size_t frames, bool is_cut, double x)
{
    parse(text);
    assert_int_equal(particles.frame, frame);
    assert_int_equal(particles.frames, frames);
    assert_int_equal(particles.is_cut, is_cut);
    assert_true(particles.position[0] == x);
}

/* A writer that is killed leaves any part of a frame: each begin of the second gives the first. */
static void test_cut_frames(void **state)
{
    static const char *const frames[][2] = {
        {"2\nTime=0\nA 1 2 3\nA 4 5 6\n", "2\nTime=1\nA 1.5 2 3\nA 4.5 5 6.25\n"},
        {"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n-0.5 0.5\n"
         "ITEM: ATOMS id x y\n1 1 1\n2 3 1\n",
         "ITEM: TIMESTEP\n9\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n-0.5 0.5\n"
         "ITEM: ATOMS id x y\n1 1.5 1\n2 3 1.25\n"}};
    (void)state;
    for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
        char text[600];
        const size_t first = strlen(frames[f][0]), second = strlen(frames[f][1]);
        snprintf(text, sizeof text, "%s%s", frames[f][0], frames[f][1]);
        expect_frame(text, 2, 2, false, 1.5);
        for (size_t left = second - 1; left > 0; left--) {
            text[first + left] = '\0';
            expect_frame(text, 1, 2, true, 1);
        }
        text[first] = '\0';
        expect_frame(text, 1, 1, false, 1);
        /* The end of a single frame is all that its last number may lack. */
        text[first - 1] = '\0';
        expect_frame(text, 1, 1, true, 1);
    }
    /* What is wrong within the file is no end of it. */
    refuse("1\n\nA 1 2 3\n1\n\nA 1 x 3\n", "start: line 6: 'x' should be y");
    refuse("1\n\nA 1 2 3\nA 4 5 6\n",
           "start: line 4: 'A' should be the number of particles of a frame of extended XYZ");
}

static void test_refused_xyz(void **state)
{
    (void)state;
    refuse("", "start: is empty");
    refuse("\n \n", "start: is empty");
    refuse("hello\n", "start: line 1: 'hello' should be the number of particles of a frame of extended XYZ");
    refuse("0\n\n", "start: line 1: a frame has no particles");
    refuse("-1\n\n", "start: line 1: '-1' should be the number of particles of a frame of extended XYZ");
    refuse("2\n", "start: line 1: the file ends before the second line of its last frame");
    refuse("2\n\nA 1 2 3\n", "start: line 3: the file ends after 1 of 2 particles of its last frame");
    refuse("9999\n\nA 1 2 3\n", "start: line 3: the file ends after 1 of 9999 particles of its last frame");
    refuse("1\nProperties=pos:R:3\n1 2 3 4\n",
           "start: line 3: has more than 3 columns, which particles here have");
    refuse("1\nProperties=pos:R:3:masses:R:1:momenta:R:3\n1 2 3 0 4 5 6\n",
           "start: line 3: the mass is 0, but a velocity is a momentum over a mass");
    refuse("1\nProperties=pos:R:3:momenta:R:3\n1 2 3 4 5 nan\n",
           "start: line 3: the momentum along z is 'nan', which is not finite");
    refuse("1\n\nA 1 2\n", "start: line 3: has 3 columns, particles here have 4");
    refuse("2\n\nA 1 2 3\nA 1 x 3\n", "start: line 4: 'x' should be y");
    refuse("2\n\nA 1 2 3\nA 1 0x10 3\n", "start: line 4: '0x10' should be y");
    refuse("2\n\nA 1 2 3\nA NaN 2 3\n", "start: line 4: x is 'NaN', which is not finite");
    refuse("2\n\nA 1 2 3\nA 1 2 -inf\n", "start: line 4: z is '-inf', which is not finite");
    refuse("1\nProperties=pos:R:3:velo:R:3\n1 2 3 4 5 1e999\n",
           "start: line 3: the velocity along z is '1e999', which is not finite");
    refuse("1\nProperties=pos:R\n1 2 3\n",
           "start: line 2: Properties should be NAME:TYPE:COLUMNS, joined by colons");
    refuse("1\nProperties=pos:R:three\n1 2 3\n",
           "start: line 2: 'three' should be a number of columns in Properties");
    refuse("1\nProperties=pos:R:300\n1 2 3\n", "start: line 2: Properties has more than 64 columns");
    refuse("1\nProperties=a:R:60:pos:R:3:b:R:3\n1 2 3\n", "start: line 2: has 66 columns, 64 are allowed");
    refuse("1\nProperties=pos:R:1\n1\n", "start: line 2: no column holds the position along y");
    refuse("1\nLattice=\"1 0 0 0 1 0 0 0\"\nA 1 2 3\n", "start: line 2: Lattice has 8 numbers, needs 9");
    refuse("1\nLattice=\"1 0 0 0 1 0 0 0 1 2\"\nA 1 2 3\n", "start: line 2: Lattice has more than 9 numbers");
    refuse("1\nLattice=\"1 0 0 0 -1 0 0 0 1\"\nA 1 2 3\n",
           "start: line 2: Lattice is -1 long along y, it must be above 0");
    refuse("1\nLattice=\"1 0 0 0.5 1 0 0 0 1\"\nA 1 2 3\n",
           "start: line 2: Lattice is oblique (triclinic), boxes here are upright: only its 1st, 5th and 9th "
           "number may differ from 0");
    refuse("1\nOrigin=\"0 0\"\nA 1 2 3\n", "start: line 2: Origin has 2 numbers, needs 3");
    refuse("1\npbc=\"T maybe F\"\nA 1 2 3\n", "start: line 2: pbc should be three of T and F");
    refuse("2\nProperties=pos:R:3:id:I:1\n1 2 3 4\n1 2 3 4\n",
           "start: two particles of a frame have the id 4");
    refuse("1\nProperties=pos:R:3:id:I:1\n1 2 3 -4\n", "start: line 3: '-4' should be the id");
}

#define HEAD(atoms) "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n" atoms "\n"
#define BOX         "ITEM: BOX BOUNDS pp pp ff\n0 10\n-5.0e+00 5.0\n-0.5 0.5\n"

static void test_dumps(void **state)
{
    (void)state;
    parse(HEAD("2") BOX "ITEM: ATOMS id type xs ys zs vx vy vz\n"
                        "2 1 0.5 0.25 0.5 1 2 0\n1 1 0.1 0.9 0.5 -1 0 0\n");
    assert_true(particles.has_box && particles.has_periodic);
    assert_true(particles.periodic[0] && particles.periodic[1] && !particles.periodic[2]);
    ASSERT_REALS(particles.origin, 0, -5, -0.5);
    ASSERT_REALS(particles.length, 10, 10, 1);
    ASSERT_REALS(particles.position, 1, 4, 0, 5, -2.5, 0);
    ASSERT_REALS(particles.velocity, -1, 0, 0, 1, 2, 0);
    /* Sections that are not ours, a box without boundaries, the last of two frames, unwrapped. */
    parse("ITEM: UNITS\nlj\nITEM: TIME\n0.5\n" HEAD("1") BOX "ITEM: ATOMS x y z\n1 2 0\n" HEAD(
        "2") "ITEM: BOX BOUNDS\n0 1\n0 2\n0 3\nITEM: ATOMS xu yu type\n3 4 1\n-5 6 1\n");
    assert_int_equal(particles.frames, 2);
    assert_false(particles.has_periodic);
    ASSERT_REALS(particles.position, 3, 4, 0, -5, 6, 0);
    ASSERT_REALS(particles.length, 1, 2, 3);
    parse(HEAD("1") BOX "ITEM: ATOMS xsu ysu zsu\n-0.5 1.5 0.5\n");
    ASSERT_REALS(particles.position, -5, 10, 0);
    /* Crossings belong to positions in the box; unwrapped ones have theirs in themselves, and give way. */
    parse(HEAD("2") BOX "ITEM: ATOMS id mass type xu yu x y ix iy iz\n"
                        "2 2 1 11 2 1 2 1 -3 0\n1 2 1 3 4 3 4 0 0 0\n");
    ASSERT_REALS(particles.position, 3, 4, 0, 1, 2, 0);
    assert_true(particles.image[0] == 0 && particles.image[3] == 1 && particles.image[4] == -3);
    assert_true(particles.mass == 2);
    parse(HEAD("1") BOX "ITEM: ATOMS xu yu zu ix iy iz\n11 2 0 1 0 0\n");
    ASSERT_REALS(particles.position, 11, 2, 0);
    assert_int_equal(particles.image[0], 0);
    parse(HEAD("1") BOX "ITEM: ATOMS x y\n1 2\n");
    assert_null(particles.image);
    /* Types that differ, other units, which a dump names once, tilts of 0, a flat box. */
    parse("ITEM: UNITS\nmetal\n" HEAD("1") BOX "ITEM: ATOMS x y\n1 2\n" HEAD(
        "2") "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 8 0\n0 9 0.0\n0 0 0\nITEM: ATOMS type mass x y\n"
             "1 1 1 1\n2 4 3 1\n");
    assert_string_equal(particles.units, "metal");
    assert_string_equal(particles.told, "type, mass");
    ASSERT_REALS(particles.length, 8, 9, 0);
    assert_true(particles.periodic[2]);
}

static void test_refused_dumps(void **state)
{
    (void)state;
    refuse("ITEM: TIMESTEP\n", "start: line 1: the file ends before the number of a step");
    refuse("ITEM: TIMESTEP\nnow\n", "start: line 2: 'now' should be the number of a step");
    refuse(HEAD("1"), "start: line 4: the file ends before the particles of its last frame");
    refuse(HEAD("none") BOX, "start: line 4: 'none' should be the number of atoms");
    refuse(HEAD("0") BOX, "start: line 4: a frame has no particles");
    refuse("ITEM: ATOMS x y\n1 2\n", "start: line 1: the particles come before their number");
    refuse(HEAD("1") "1 2 3\n", "start: line 5: a section of a LAMMPS dump should begin here, with ITEM:");
    refuse(HEAD("1") "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0\n0 1 0.5\n0 1 0\n",
           "start: line 7: the box is oblique (triclinic): xz is 0.5, boxes here are upright");
    refuse(HEAD("1") "ITEM: BOX BOUNDS abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0\n",
           "start: line 5: the box is oblique (triclinic), boxes here are upright");
    refuse(HEAD("1") BOX "ITEM: ATOMS x y ix\n1 2 0.5\n",
           "start: line 10: the crossings along x are 0.5, which is no count up to 1e+09");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0 1\n",
           "start: line 6: the file ends before the three lines of the box");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0 1\n1 0\n0 1\n",
           "start: line 7: the box is empty or endless along y: 1 to 0");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n-1e308 1e308\n",
           "start: line 8: the box is empty or endless along z: -1e+308 to 1e+308");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0 1e10\n0 1\n0 1\nITEM: ATOMS xs ys\n1e300 0\n",
           "start: line 10: the particle is too far away for a number");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0\n0 1\n0 1\n",
           "start: line 6: '' should be a bound of the box");
    refuse(HEAD("1") "ITEM: BOX BOUNDS pp pp pp\n0 inf\n0 1\n0 1\n",
           "start: line 6: a bound of the box is 'inf', which is not finite");
    refuse(HEAD("1") "ITEM: ATOMS xs ys\n0.5 0.5\n",
           "start: line 5: positions are fractions of a box that is not given");
    refuse(HEAD("1") BOX "ITEM: ATOMS id type x\n1 1 1\n",
           "start: line 9: no column holds the position along y");
    refuse(HEAD("2") BOX "ITEM: ATOMS id x y\n1 1 1\n",
           "start: line 10: the file ends after 1 of 2 particles of its last frame");
    refuse(HEAD("2") BOX "ITEM: ATOMS id x y\n1 1 1\n1 2 2\n",
           "start: two particles of a frame have the id 1");
    refuse(HEAD("1") BOX "ITEM: ATOMS x y vz\n1 1 nan\n",
           "start: line 10: the velocity along z is 'nan', which is not finite");
}

static void test_files(void **state)
{
    (void)state;
    assert_status(particles_read(test_path("absent.xyz"), &particles, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "absent.xyz");
    assert_status(particles_read(test_folder(), &particles, &test_error), SHOAL_IO);
    test_write_file(test_path("bytes.xyz"), "1\n\nA 1\0 2 3\n", 12);
    assert_status(particles_read(test_path("bytes.xyz"), &particles, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "line 3");
    test_write_text(test_path("good.xyz"), "1\n\nA 1 2 3\n");
    assert_ok(particles_read(test_path("good.xyz"), &particles, &test_error));
    ASSERT_REALS(particles.position, 1, 2, 3);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, unit_setup, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_extended_xyz), TEST(test_ase),        TEST(test_cut_frames),
        TEST(test_refused_xyz),  TEST(test_dumps),      TEST(test_refused_dumps),
        TEST(test_files),        TEST(test_data_files), TEST(test_refused_data_files),
    };
    return cmocka_run_group_tests_name("particles", tests, NULL, NULL);
}
