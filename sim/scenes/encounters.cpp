#include "sim/scenes/galaxy_scene.h"

namespace pericenter {
namespace {

// The disc rotates as fast as that of the default galaxy, with a third of its dark mass: massive halos suppress tails
// (Dubinski, Mihos and Hernquist 1996, doi:10.1086/177174).
constexpr GalaxyModel kLightHalo = {.disc = {}, .halo = {6, 6, 40}};

// Without marked arms, so that all arms are those that the passage makes.
constexpr GalaxyModel kSmoothDisc = {.disc = {.height = 0.15, .arms = {.number = 0}}, .halo = {6, 6, 40}};

constexpr Encounter kCollision = {.orbit = {.pericenter = 4, .eccentricity = 1, .separation = 25},
                                  .first = {0, 0},
                                  .second = {71, 30},
                                  .speed_factor = 0.74};
constexpr Encounter kRetrograde = {.orbit = kCollision.orbit,
                                   .first = reversed(kCollision.first),
                                   .second = reversed(kCollision.second),
                                   .speed_factor = kCollision.speed_factor};

// High enough above the plane of the orbit that the tails of its discs do not run across the image alone.
constexpr StoryView kAboveTails = {.first = ViewAngles{.yaw = -105, .pitch = 22},
                                   .last = ViewAngles{.yaw = -60, .pitch = 60},
                                   .key = ViewAngles{.yaw = -90, .pitch = 50}};

constexpr GalaxyScene kEncounters[] = {
    // Merges within a lesson: first pericentre at 19.4 (270 Myr), tails and a bridge at 28 (390 Myr), second pericentre
    // at 58.
    {.name = "collision",
     .title = "Galaxy collision",
     .summary = "Two disc galaxies with bulges and dark halos collide, form tidal tails, and merge.",
     .caption = "Two galaxies fall towards each other. Watch what gravity does to their stars.",
     .highlight_caption =
         "Tidal tails! Each galaxy pulled harder on the near side of the other, and stretched it into two long arms "
         "of stars.",
     .encounter = kCollision,
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 15,
     .highlight_time = 28.3,
     .moments = {19.5, 64},
     .story = kAboveTails},
    // Discs as in figure 23 of Toomre and Toomre 1972 (doi:10.1086/151823); pericentre (10.4 kpc) and eccentricity
    // after Karl et al. 2010 (doi:10.1088/2041-8205/715/2/L88). Our choice: a slower start than on that orbit, so that
    // the discs are close again while the tails last. First pericentre at 32.
    {.name = "antennae",
     .title = "The Antennae",
     .summary = "Two equal discs meet on a slow orbit and form two long tails, as NGC 4038 and 4039 have them. The "
                "tails are stars of the discs, drawn out by tides alone.",
     .caption = "Two equal galaxies meet slowly. Watch the stars at their edges.",
     .highlight_caption =
         "Two long tails, like the antennae of an insect. They are stars that gravity pulled out of the "
         "discs.",
     .first = kLightHalo,
     .second = kLightHalo,
     .encounter = Encounter{.orbit = {.pericenter = 3, .eccentricity = 0.96, .separation = 30},
                            .first = {60, -30},
                            .second = {60, -30},
                            .speed_factor = 0.88},
     .dt = 1.0 / 16,
     .softening = 0.1,
     .view_radius = 19,
     .angles = ViewAngles{.yaw = -70, .pitch = 3},
     .highlight_time = 57,
     .moments = {32.3, 82},
     .group_names = {"NGC 4038", "NGC 4039"},
     .story = {.first = ViewAngles{.yaw = -87, .pitch = -27}, .key = ViewAngles{.yaw = -43, .pitch = -40}}},
    // Discs as in figure 22 of Toomre and Toomre 1972; pericentre (14.8 kpc), parabola and start (100 kpc) after Privon
    // et al. 2013 (doi:10.1088/0004-637X/771/2/120), who date the present view 175 Myr after pericentre. Pericentre at
    // 28. At the key moment, the camera looks along the plane of the first disc.
    {.name = "mice",
     .title = "The Mice",
     .summary = "NGC 4676: two discs shortly after their first passage. One tail is seen edge-on and looks straight, "
                "the other shows its curve; both have the same shape.",
     .caption = "Two galaxies are about to pass each other for the first time.",
     .highlight_caption = "Two mice with tails. One tail looks straight only because we see it from its edge.",
     .first = kLightHalo,
     .second = kLightHalo,
     .encounter = Encounter{.orbit = {.pericenter = 4.23, .eccentricity = 1, .separation = 28.6},
                            .first = {15, -90},
                            .second = {60, -90},
                            .speed_factor = 0.97},
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 18,
     .angles = ViewAngles{.yaw = -12, .pitch = 15},
     .highlight_time = 42.5,
     .moments = {27.7, 74},
     .group_names = {"NGC 4676 A", "NGC 4676 B"},
     .story = {.first = ViewAngles{.yaw = 96, .pitch = 32},
               .last = ViewAngles{.yaw = 95, .pitch = 40},
               .key = ViewAngles{.yaw = 78, .pitch = 15}}},
    // A bound prograde passage after Salo and Laurikainen 2000 (doi:10.1046/j.1365-8711.2000.03650.x), with values of
    // our choice. The companion rotates against the orbit, so that it forms no tail. Pericentre at 19.
    {.name = "m51",
     .title = "Whirlpool (M51)",
     .summary =
         "A companion with less than half the mass passes one side of a disc. It leaves two open spiral arms and "
         "a bridge, as in M51: a passing neighbour can create a grand-design spiral.",
     .caption = "A small galaxy passes a large one. What remains after the visit?",
     .highlight_caption = "Two great spiral arms, and a bridge of stars to the small galaxy: the visitor made them.",
     .first = kLightHalo,
     .second = kLightHalo,
     .encounter = Encounter{.orbit = {.pericenter = 4, .eccentricity = 0.8, .separation = 15},
                            .first = {20, 0},
                            .second = {120, 0},
                            .mass_ratio = 0.35},
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 14,
     .angles = ViewAngles{.yaw = -90, .pitch = 75},
     .highlight_time = 26.5,
     .moments = {18.1, 70},
     .group_names = {"M51", "NGC 5195"},
     .story = {.first = ViewAngles{.yaw = -70, .pitch = 84}}},
    // A light companion on a parabola with the rotation, nearly in the plane; values are our choice. With two or three
    // times its mass, the arm on its side would be a straight bridge. It rotates against the orbit, so that it forms no
    // tail. Pericentre at 11.
    {.name = "grand-design",
     .title = "Grand-design spiral",
     .summary = "A companion with 7 % of the mass passes a smooth disc once. Tides make a wave of two long, symmetric "
                "spiral arms; later a bar remains.",
     .caption = "A smooth disc without arms, and a small visitor. Watch the disc from above.",
     .highlight_caption =
         "Two spiral arms from the centre to the edge. The visitor has made them, and is already leaving.",
     .first = kSmoothDisc,
     .second = kSmoothDisc,
     .encounter = Encounter{.orbit = {.pericenter = 3, .eccentricity = 1, .separation = 12},
                            .first = {10, 0},
                            .second = {120, 0},
                            .mass_ratio = 0.07},
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 11,
     .angles = ViewAngles{.yaw = 0, .pitch = 90},
     .highlight_time = 26,
     .story = {.radius = 14, .first = ViewAngles{.yaw = -32, .pitch = 90}}},
    // Along the axis, slightly off centre, as the displaced nucleus requires (Lynds and Toomre 1976, ApJ 209, 382). The
    // target is a cool disc, which gives a thin ring; the intruder is mostly dark and so extended that the ring stays
    // in one piece. Values are our choice. Impact at 10.
    {.name = "cartwheel",
     .title = "Cartwheel ring",
     .summary = "A small galaxy falls straight through the centre of a disc. Its gravity pulls all stars inwards; they "
                "rebound together, and a ring expands through the disc like a wave on a pond.",
     .caption = "A small galaxy falls straight through the middle of a large one.",
     .highlight_caption = "A ring of stars runs outwards, like the wave on a pond after a stone has fallen in.",
     .first = {.disc = {.toomre_q = 1}, .halo = {6, 6, 40}},
     .second = {.disc = {.mass = 0}, .bulge = {0.03, 0.5, 10}, .halo = {1, 2, 40, SphereProfile::plummer}},
     .encounter = Encounter{.orbit = {.pericenter = 0.3, .eccentricity = 1, .separation = 13},
                            .first = {90, 90},
                            .second = {},
                            .mass_ratio = 0.3},
     .dt = 1.0 / 32,
     .softening = 0.1,
     .view_radius = 12,
     .angles = ViewAngles{.yaw = -35, .pitch = 30},
     .highlight_time = 20,
     .moments = {9.8, 51},
     .group_names = {"Cartwheel", "companion"}},
    // M31 moves at (66, -76, 45) km/s at (-379, 613, -283) kpc from us (van der Marel et al. 2012,
    // doi:10.1088/0004-637X/753/1/8); the scene starts at a distance of 112 kpc. The spins are those of the two discs,
    // with that of M31 towards l = 240, b = -30 degrees. A mass of M31 of 1.5 times ours is within the uncertainty.
    // First pericentre at 20. Whether the two merge at all is open: 2 % of runs with the uncertainties of today's
    // measurements do in five billion years, and half of them in ten (Sawala et al. 2025,
    // doi:10.1038/s41550-025-02563-1).
    {.name = "milky-way-andromeda",
     .title = "Milky Way and Andromeda",
     .summary = "A possible future of our galaxy, from the motion of M31 as measured in 2012: the two discs pass each "
                "other, form tails, fall back, and merge into an elliptical galaxy. Measurements leave open whether "
                "they will: the odds that they merge within ten billion years are about even.",
     .caption = "Our own galaxy and its neighbour Andromeda, as they may meet in some billions of years.",
     .highlight_caption =
         "They have passed each other and drawn out tails. Here they will become one galaxy; in reality "
         "the odds are about even.",
     .encounter = Encounter{.orbit = {.pericenter = 2.8, .eccentricity = 0.988, .separation = 32},
                            .first = {28, -60},
                            .second = {70, -177},
                            .mass_ratio = 1.5},
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 22,
     .angles = ViewAngles{.yaw = 105, .pitch = 45},
     .highlight_time = 33,
     .moments = {19.7, 105},
     .group_names = {"Milky Way", "Andromeda"},
     .story = {.first = ViewAngles{.yaw = 75, .pitch = 24}}},
    // A radial fall, which forms shells (Quinn 1984, doi:10.1086/161924; Hernquist and Quinn 1988, doi:10.1086/166592).
    // Our choice: it starts nearly at rest, so that the shells stay within the view. The elliptical has few stars in
    // much dark matter and the satellite dissolves quickly, so that the shells are visible.
    {.name = "minor-merger",
     .title = "Minor merger with shells",
     .summary = "A dwarf falls straight into an elliptical galaxy and dissolves. Its stars pile up at their turning "
                "points and form shells on both sides, which last for billions of years. Colours by origin show them "
                "best.",
     .caption = "A dwarf galaxy falls into a heavy one, most of which is dark matter.",
     .highlight_caption =
         "Shells: the stars of the dwarf crowd where they turn back, on both sides of the heavy galaxy.",
     .first = {.disc = {.mass = 0}, .bulge = {0.15, 0.3, 30}},
     .second = lone_sphere({1, 5, 100, SphereProfile::plummer}),
     .encounter = Encounter{.orbit = {.pericenter = 0, .eccentricity = 1, .separation = 8},
                            .first = {},
                            .second = {},
                            .speed_factor = 0.05,
                            .mass_ratio = 0.02},
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 9.5,
     .angles = ViewAngles{.yaw = -90, .pitch = 60},
     .highlight_time = 44,
     .moments = {14.8, 80},
     .group_names = {"elliptical galaxy", "dwarf galaxy"},
     .story = {.first = ViewAngles{.yaw = -48, .pitch = 52}, .key = ViewAngles{.yaw = -70, .pitch = 60}},
     .by_origin = true},
    // Stars that do not keep pace with the companion form no tails (Toomre and Toomre 1972). The discs are in the same
    // planes.
    {.name = "retrograde",
     .title = "Retrograde collision",
     .summary = "The default collision on the same orbit, but both discs rotate against it: hardly any tails form. "
                "Compare the two: tails need stars that keep pace with the passing galaxy.",
     .caption = "The same collision, but both galaxies spin the other way round.",
     .highlight_caption =
         "Hardly any tails: these stars move against the passing galaxy, and feel its pull only briefly.",
     .encounter = kRetrograde,
     .dt = 1.0 / 8,
     .softening = 0.1,
     .view_radius = 15,
     .highlight_time = 28.3,
     .moments = {19.5, 64},
     .story = kAboveTails},
    // The discs and bulges of the default collision alone, from half its distance on a parabola. They are lighter, so
    // everything takes longer, and have no halos to give their orbital energy to (Barnes 1988, doi:10.1086/166593):
    // they merge after 1,860 to 2,230 Myr. With halos, the same orbit (separation=12 speed=1) ends after 1,370 to
    // 1,610 Myr.
    {.name = "without-halos",
     .title = "Collision without dark halos",
     .summary = "Two discs without dark matter pass each other. Little slows them down, so they part again, and merge "
                "much later than with dark halos on the same orbit.",
     .caption = "A collision without dark matter. How long will it take these galaxies to become one?",
     .highlight_caption = "They have passed each other and are as far apart as at the start: without dark matter, "
                          "little slows them down.",
     .first = {.disc = {}, .halo = {.mass = 0}},
     .second = {.disc = {}, .halo = {.mass = 0}},
     .encounter =
         Encounter{
             .orbit = {.pericenter = 4, .eccentricity = 1, .separation = 12}, .first = {0, 0}, .second = {71, 30}},
     .dt = 1.0 / 16,
     .softening = 0.1,
     .view_radius = 15,
     .highlight_time = 65,
     .moments = {18.1, 108},
     .story = {.radius = 28, .first = ViewAngles{.yaw = -72, .pitch = 30}, .key = ViewAngles{.yaw = -90, .pitch = 65}}},
    // From a distance at which they hardly overlap, as fast as on a parabola. In Henon units (Heggie and Mathieu 1986,
    // doi:10.1007/BFb0116419) each has the scale length 3 pi / 16.
    {.name = "head-on",
     .title = "Head-on spheres",
     .summary =
         "Two spherical star clusters fall straight towards each other, pass through each other without a single "
         "collision of stars, fall back, and merge. In Henon units.",
     .caption = "Two star clusters fall straight towards each other. Will stars hit each other?",
     .highlight_caption = "They have passed through each other, and not a single pair of stars has collided.",
     .first = lone_sphere({1, 0.589, 13.4, SphereProfile::plummer}),
     .second = lone_sphere({1, 0.589, 13.4, SphereProfile::plummer}),
     .encounter = Encounter{.orbit = {.pericenter = 0, .eccentricity = 1, .separation = 5}, .first = {}, .second = {}},
     .dt = 0.01,
     .softening = 0.03,
     .units = {},
     .view_radius = 4,
     .highlight_time = 6,
     .moments = {3.9, 17},
     .group_names = {"first cluster", "second cluster"},
     .single_stars = true,
     .by_origin = true},
};

}  // namespace

std::vector<SceneInfo> encounters_scenes() {
  return scenes_of(kEncounters);
}

}  // namespace pericenter
