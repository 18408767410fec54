"""Reads files of Pericenter with the programs that users read them with; see clients.sh."""

import csv
import subprocess
import sys
import unittest

import h5py
import numpy as np
import pynbody
import swiftsimio
import yt

PROGRAM = sys.argv.pop(1)
KPC = 3.0856775814913673e21
MSUN = 1.98841e33
yt.set_log_level(50)


def pericenter(*arguments):
    command = [PROGRAM, *arguments, "--no-progress"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(" ".join(command) + "\n" + done.stderr)
    return done.stdout


def exact(path):
    """Bodies of a saved run in scene units, and its attributes."""
    with h5py.File(path) as file:
        groups = [file[name] for name in file if name.startswith("PartType")]
        columns = {name: np.concatenate([group["Pericenter" + name][:] for group in groups])
                   for name in ("Coordinates", "Velocities", "Masses")}
        return columns, dict(file["Pericenter"].attrs)


class SavedRun(unittest.TestCase):
    """Units, time, softening and families of a run of a scene."""

    @classmethod
    def setUpClass(cls):
        pericenter("--headless", "-n", "2000", "-s", "20", "--save", "run.hdf5")
        cls.bodies, cls.run_attributes = exact("run.hdf5")
        cls.length = cls.run_attributes["LengthUnit_kpc"]
        cls.velocity = cls.run_attributes["VelocityUnit_km_s"]
        # G = 1: the mass unit from the units of length and velocity, G in kpc (km/s)^2 / Msun.
        cls.mass = cls.length * cls.velocity**2 / 4.30091e-6
        cls.myr = cls.run_attributes["SceneTime"] * cls.run_attributes["TimeUnit_Myr"]

    def test_pynbody(self):
        snap = pynbody.load("run.hdf5")
        self.assertEqual([family.name for family in snap.families()], ["dm", "star"])
        np.testing.assert_allclose(snap["pos"].in_units("kpc"), self.bodies["Coordinates"] * self.length, 1e-4, 1e-4)
        np.testing.assert_allclose(snap["vel"].in_units("km s**-1"), self.bodies["Velocities"] * self.velocity,
                                   1e-4, 1e-3)
        np.testing.assert_allclose(snap["mass"].in_units("Msol").sum(), self.bodies["Masses"].sum() * self.mass, 1e-3)
        np.testing.assert_allclose(snap["eps"].in_units("kpc"), self.run_attributes["Softening"] * self.length, 1e-4)
        self.assertAlmostEqual(float(snap.properties["time"].in_units("Myr")), self.myr, delta=0.002 * self.myr)

    def test_yt(self):
        data = yt.load("run.hdf5")
        everything = data.all_data()
        mass = float(everything["all", "particle_mass"].sum().to("Msun"))
        np.testing.assert_allclose(mass, self.bodies["Masses"].sum() * self.mass, 1e-3)
        farthest = float(abs(everything["all", "particle_position"]).max().to("kpc"))
        np.testing.assert_allclose(farthest, abs(self.bodies["Coordinates"]).max() * self.length, 1e-4)
        fastest = float(abs(everything["all", "particle_velocity_x"]).max().to("km/s"))
        np.testing.assert_allclose(fastest, abs(self.bodies["Velocities"][:, 0]).max() * self.velocity, 1e-4)
        self.assertAlmostEqual(float(data.current_time.to("Myr")), self.myr, delta=0.002 * self.myr)
        self.assertGreater(float(data.domain_width[0].to("kpc")), 2 * farthest)
        plot = yt.ParticleProjectionPlot(data, 2, ("all", "particle_mass"), center=[0, 0, 0])
        self.assertTrue(plot.save("projection.png"))


class LoadedFile(unittest.TestCase):
    """A file that is loaded and saved keeps what it defines."""

    POSITIONS = np.array([[100.0, 50, 0], [102, 50, 0], [101, 52, 1]])
    VELOCITIES = np.array([[30.0, 1, 0], [30, -1, 0], [30, 0, 0.5]])

    @classmethod
    def write_source(cls, path, time):
        with h5py.File(path, "w") as file:
            header = file.create_group("Header").attrs
            counts = np.array([1, 1, 0, 0, 1, 0], "u4")
            header["NumPart_ThisFile"] = header["NumPart_Total"] = counts
            header["NumPart_Total_HighWord"] = np.zeros(6, "u4")
            header["MassTable"] = np.zeros(6)
            header["Time"] = time
            header["BoxSize"] = 500.0
            header["NumFilesPerSnapshot"] = 1
            for name in ("Redshift", "Omega0", "OmegaLambda"):
                header[name] = 0.0
            header["HubbleParam"] = 1.0
            file.create_group("Parameters").attrs.update(cls.units)
            for row, kind in enumerate((0, 1, 4)):
                group = file.create_group("PartType%d" % kind)
                group["Coordinates"] = cls.POSITIONS[row:row + 1]
                group["Velocities"] = cls.VELOCITIES[row:row + 1]
                group["Masses"] = np.array([2.0 + row])
                group["ParticleIDs"] = np.array([11 + row], "u8")

    @classmethod
    def setUpClass(cls):
        cls.units = {"UnitLength_in_cm": 1e3 * KPC, "UnitMass_in_g": 1e10 * MSUN, "UnitVelocity_in_cm_per_s": 1e5}
        cls.write_source("source.hdf5", 2.0)
        cls.write_source("frame_0.hdf5", 2.0)
        cls.write_source("frame_1.hdf5", 3.0)
        pericenter("--headless", "--play", "frame_0.hdf5", "-s", "0", "--save", "played.hdf5")
        pericenter("--headless", "--load", "source.hdf5", "-s", "0", "--save", "once.hdf5")
        pericenter("--headless", "--load", "once.hdf5", "-s", "0", "--save", "twice.hdf5")
        pericenter("--headless", "--load", "once.hdf5", "-s", "50", "--save", "later.hdf5")

    def test_h5py(self):
        for path in ("once.hdf5", "twice.hdf5", "played.hdf5"):
            with h5py.File(path) as file:
                for row, kind in enumerate((0, 1, 4)):
                    group = file["PartType%d" % kind]
                    self.assertEqual(group["ParticleIDs"][:].tolist(), [11 + row])
                    np.testing.assert_allclose(group["Coordinates"][0], self.POSITIONS[row], atol=1e-5)
                    np.testing.assert_allclose(group["Velocities"][0], self.VELOCITIES[row], atol=1e-5)
                    np.testing.assert_allclose(group["Masses"][0], 2 + row, 1e-6)
                for name, value in self.units.items():
                    self.assertEqual(file["Units"].attrs[name], value)
                self.assertAlmostEqual(file["Header"].attrs["Time"], 2, delta=1e-12)
                self.assertEqual(file["Header"].attrs["BoxSize"], 500)

    def test_centre_of_mass_drifts(self):
        with h5py.File("later.hdf5") as file:
            elapsed = file["Header"].attrs["Time"] - 2
            groups = [file["PartType%d" % kind] for kind in (0, 1, 4)]
            masses = np.array([group["Masses"][0] for group in groups])
            centre = sum(m * group["Coordinates"][0] for m, group in zip(masses, groups)) / masses.sum()
        self.assertGreater(elapsed, 0)
        weights = np.array([2.0, 3, 4]) / 9
        np.testing.assert_allclose(centre, weights @ self.POSITIONS + elapsed * (weights @ self.VELOCITIES), atol=1e-4)

    def test_pynbody(self):
        snap = pynbody.load("once.hdf5")
        self.assertEqual({family.name: len(snap[family]) for family in snap.families()}, {"gas": 1, "dm": 1, "star": 1})
        np.testing.assert_allclose(snap.s["pos"].in_units("Mpc")[0], self.POSITIONS[2], atol=1e-4)
        self.assertEqual(snap["iord"].tolist(), [11, 12, 13])

    def test_yt(self):
        """yt ignores the units in the file, so they are given, as for the source."""
        data = yt.load("once.hdf5", unit_base=dict(self.units))
        everything = data.all_data()
        for row, kind in enumerate((0, 1, 4)):
            position = everything["PartType%d" % kind, "particle_position"].to("Mpc").value
            np.testing.assert_allclose(position, self.POSITIONS[row:row + 1], atol=1e-3)


class Series(unittest.TestCase):
    """The files of --save-every and the physics in --csv."""

    @classmethod
    def setUpClass(cls):
        pericenter("--headless", "-n", "500", "-s", "20", "--save", "part.hdf5", "--save-every", "10", "--csv",
                   "steps.csv", "--energy-every", "5")

    def test_pynbody_reads_all(self):
        snaps = [pynbody.load("part_%06d.hdf5" % step) for step in (0, 10, 20)]
        times = [float(snap.properties["time"].in_units("Myr")) for snap in snaps]
        np.testing.assert_allclose(np.diff(times), 10 * 0.03 * 13.8, 0.002)

    def test_is_played(self):
        self.assertIn("part_000000", pericenter("--headless", "--play", "part_000000.hdf5", "-s", "3"))

    def test_table(self):
        with open("steps.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["step"]) for row in rows], list(range(21)))
        for step in (0, 5, 20):
            row = {name: float(rows[step][name]) for name in (
                "time", "time_myr", "kinetic", "potential", "energy", "energy_error", "momentum", "angular_momentum",
                "com_x", "com_y", "com_z", "separation", "virial_ratio")}
            self.assertAlmostEqual(row["energy"], row["kinetic"] + row["potential"], places=6)
            self.assertAlmostEqual(row["time_myr"], 13.8 * row["time"], places=6)

    def test_energy_error_continues(self):
        pericenter("--headless", "--load", "part_000010.hdf5", "-s", "10", "--csv", "rest.csv")
        with open("steps.csv") as whole, open("rest.csv") as rest:
            end, same = list(csv.DictReader(whole))[-1], list(csv.DictReader(rest))[-1]
        for name in ("step", "energy", "energy_error", "separation"):
            self.assertEqual(same[name], end[name], name)


class SwiftInitialConditions(unittest.TestCase):
    def test_swiftsimio(self):
        pericenter("export", "--for", "swift", "swift", "-n", "1000")
        data = swiftsimio.load("swift/ics.hdf5")
        with h5py.File("swift/ics.hdf5") as file:
            positions = file["PartType1/Coordinates"][:]
            masses = file["PartType1/Masses"][:].sum()
            box = file["Header"].attrs["BoxSize"][0]
        self.assertEqual(data.metadata.n_dark_matter, 1000)
        np.testing.assert_allclose(data.metadata.boxsize.to("kpc").value, [box] * 3)
        np.testing.assert_allclose(data.dark_matter.coordinates.to("kpc").value, positions)
        np.testing.assert_allclose(float(data.dark_matter.masses.sum().to("Msun").value), 1e10 * masses, 1e-4)
        self.assertEqual(data.dark_matter.velocities.units.dimensions, swiftsimio.objects.unyt.dimensions.velocity)


if __name__ == "__main__":
    unittest.main()
