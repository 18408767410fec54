#!/usr/bin/env python3
"""Compares the light of images of few bodies with that of many: brightness and colour, before exposure and tone curve.

    assets/benchmarks/light.py PROGRAM OUT.csv [--scenes collision,galaxy,m51] [-n 20000,100000,1000000] [--seeds 6]
                               [--steps N --dt DT] [--reference 5000000] [--cache FOLDER]
                               [--backend cpu] [--same-run]

The reference is the image of --reference bodies of the same seed (on which the place of the arms depends), in which each body is a
point that is not smoothed. Without --steps it shows the start of a scene; with them, moments that were simulated, with as many bodies as the image shows;
with --same-run, images show bodies that are drawn at random from the run of the reference, so that only the image differs, not where things are. The camera rests, because its story
depends on the bodies. Images are 1280 x 720, blurred by a Gaussian of 1.5, 3 and 6 pixels, and compared where the reference has more than 5 % of its maximum. Columns, as mean
over the seeds: root mean square of the relative difference of the luminance; luminance over that of the reference; root mean
square of the distance in the chromaticity diagram u'v' (CIE 1976). Needs numpy, with --same-run also h5py."""

import argparse
import csv
import subprocess
import tempfile
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 1280, 720
BLURS = (1.5, 3, 6)  # pixels
FAINTEST = 0.05      # of the maximum of the reference
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])  # of linear sRGB


def read_pfm(path):
    """Light as array of rows, columns and channels."""
    with open(path, "rb") as file:
        file.readline()
        width, height = map(int, file.readline().split())
        file.readline()
        return np.frombuffer(file.read(), "<f4").reshape(height, width, 3).astype(float)


def blurred(image, pixels):
    """Convolution with a Gaussian of this standard deviation; the image continues periodically."""
    for axis, side in ((0, image.shape[0]), (1, image.shape[1])):
        frequency = np.fft.rfftfreq(side) if axis == 1 else np.fft.fftfreq(side)
        kernel = np.exp(-2 * (np.pi * pixels * frequency) ** 2)
        transform = np.fft.rfft if axis == 1 else np.fft.fft
        inverse = (lambda a: np.fft.irfft(a, side, axis=1)) if axis == 1 else (lambda a: np.fft.ifft(a, axis=0).real)
        shape = (1, -1, 1) if axis == 1 else (-1, 1, 1)
        image = inverse(transform(image, axis=axis) * kernel.reshape(shape))
    return image


def chromaticity(xyz):
    divisor = np.maximum(xyz @ (1, 15, 3), 1e-12)
    return np.stack((4 * xyz[..., 0] / divisor, 9 * xyz[..., 1] / divisor), -1)


def differences(image, reference):
    """Rows of root mean square, mean ratio and distance of colours, for each blur."""
    rows = []
    for pixels in BLURS:
        one, other = blurred(image @ XYZ.T, pixels), blurred(reference @ XYZ.T, pixels)
        bright = other[..., 1] > FAINTEST * other[..., 1].max()
        ratio = one[bright][:, 1] / other[bright][:, 1]
        moved = chromaticity(one[bright]) - chromaticity(other[bright])
        rows.append((np.sqrt(np.mean((ratio - 1) ** 2)), one[bright][:, 1].sum() / other[bright][:, 1].sum(),
                     np.sqrt(np.mean((moved ** 2).sum(-1)))))
    return rows


def write_sample(run, sample, bodies, seed):
    """Writes a saved run of this many bodies of another one, drawn at random, with the same total mass."""
    import h5py
    with h5py.File(run) as source, h5py.File(sample, "w") as target:
        types = [name for name in source if name.startswith("PartType")]
        identities = np.concatenate([source[name]["ParticleIDs"][:] for name in types])
        kept = np.zeros(len(identities), bool)
        kept[np.random.default_rng(seed).permutation(len(identities))[:bodies]] = True
        rank, first = np.cumsum(kept) - 1, identities.min()
        counts = np.zeros(6, int)
        for name in source:
            if name not in types:
                source.copy(source[name], target, name=name)
                continue
            index = source[name]["ParticleIDs"][:] - first
            here = kept[index]
            counts[int(name[-1])] = here.sum()
            for field in source[name]:
                values = rank[index[here]] + first if field == "ParticleIDs" else source[name][field][:][here]
                if field.endswith("Masses"):
                    values = values * np.float32(len(identities) / bodies)
                target.create_dataset(f"{name}/{field}", data=values.astype(source[name][field].dtype))
        for attribute in ("NumPart_ThisFile", "NumPart_Total"):
            target["Header"].attrs.modify(attribute, counts)


class Images:
    """Images of a program, kept in a folder."""

    def __init__(self, arguments, folder):
        self.program, self.steps, self.options = arguments.program, arguments.steps, ["--backend", arguments.backend]
        if arguments.dt:
            self.options += ["--dt", str(arguments.dt)]
        self.folder, self.same_run = Path(folder), arguments.same_run

    def of(self, scene, bodies, seed, points=False):
        steps = self.steps or 0
        path = self.folder / f"{scene}-{bodies}-{seed}-{steps}{'-points' if points else ''}.pfm"
        if not path.exists():
            more = ["--save", self.run(scene, seed)] if points and self.same_run else []
            more += ["--scene-string", "pericenter/1 stars=splat"] if points else []
            self.write(path, "--scene", scene, "-n", bodies, "--seed", seed, "-s", steps, *more)
        return read_pfm(path)

    def of_sample(self, run, bodies, seed):
        with tempfile.TemporaryDirectory() as folder:
            sample, path = Path(folder) / "sample.hdf5", Path(folder) / "sample.pfm"
            write_sample(run, sample, bodies, seed)
            self.write(path, "--load", sample, "-s", 0)
            return read_pfm(path)

    def run(self, scene, seed):
        """File of the bodies of a reference."""
        return self.folder / f"{scene}-{seed}-{self.steps or 0}.hdf5"

    def write(self, path, *options):
        subprocess.run([self.program, "--headless", "--no-progress", *self.options, "--camera-path", "off", *map(str, options),
                        "--size", f"{WIDTH}x{HEIGHT}", "--screenshot", path], check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--scenes", default="collision,galaxy,m51")
    parser.add_argument("-n", default="20000,100000,1000000")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--dt", type=float)
    parser.add_argument("--backend", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--reference", type=int, default=5_000_000)
    parser.add_argument("--same-run", action="store_true")
    parser.add_argument("--cache", help="folder with the references, which it keeps for the next call")
    arguments = parser.parse_args()
    if arguments.cache:
        Path(arguments.cache).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open(arguments.out, "w", newline="", encoding="utf-8") as out:
        images = Images(arguments, folder)
        references = Images(arguments, arguments.cache or folder)
        table = csv.writer(out)
        table.writerow(("scene", "steps", "bodies", "blur", "rms", "ratio", "colour"))
        for scene in arguments.scenes.split(","):
            for bodies in map(int, arguments.n.split(",")):
                seeds = []
                for seed in range(1, arguments.seeds + 1):
                    reference = references.of(scene, arguments.reference, seed, points=True)
                    image = (images.of_sample(references.run(scene, seed), bodies, seed) if arguments.same_run
                             else images.of(scene, bodies, seed))
                    seeds.append(differences(image, reference))
                for blur, mean in zip(BLURS, np.mean(seeds, 0)):
                    row = (scene, arguments.steps or 0, bodies, blur, *(f"{value:.4f}" for value in mean))
                    table.writerow(row)
                    print(*row, flush=True)


if __name__ == "__main__":
    main()
