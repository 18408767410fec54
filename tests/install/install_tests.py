#!/usr/bin/env python3
"""Installs the built program into temporary folders and checks the result: the list of files, that the folder can be
moved, that desktop, metainfo, file types and manual page are valid, and what the completions of the shells offer.

    tests/install/install_tests.py BUILD_FOLDER [cmake]

Checks whose tool is not installed are skipped; the last line lists them.
"""

import functools
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD, CMAKE = Path(), "cmake"
APP_ID = "org.pericenter.Pericenter"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)

FILES = {
    "bin/pericenter",
    f"share/applications/{APP_ID}.desktop",
    f"share/metainfo/{APP_ID}.metainfo.xml",
    "share/mime/packages/pericenter.xml",
    f"share/icons/hicolor/scalable/apps/{APP_ID}.svg",
    "share/doc/pericenter/LICENSE",
    "share/pericenter/cluster/slurm.tmpl",
    "share/man/man1/pericenter.1.gz",
    "share/bash-completion/completions/pericenter",
    "share/zsh/site-functions/_pericenter",
    "share/fish/vendor_completions.d/pericenter.fish",
} | {f"share/icons/hicolor/{size}x{size}/apps/{APP_ID}.png" for size in ICON_SIZES} | {
    f"share/pericenter/lessons/{file.name}" for file in (ROOT / "assets/lessons").iterdir()}

skipped = set()


def run(*command, **options):
    """The output of a command, which must succeed."""
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, timeout=120, **options)
    output = result.stdout + result.stderr
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: exit code {result.returncode}\n{output}")
    return output


def install(prefix, destination=None):
    environment = dict(os.environ)
    environment.pop("DESTDIR", None)
    if destination:
        environment["DESTDIR"] = str(destination)
    run(CMAKE, "--install", BUILD, "--component", "program", "--prefix", prefix, env=environment)


def files_in(folder):
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def needs(tool):
    """Skips a test if the tool is not installed."""
    def decorate(test):
        @functools.wraps(test)
        def checked(self):
            if not shutil.which(tool):
                skipped.add(tool)
                self.skipTest(f"{tool} is not installed")
            test(self)
        return checked
    return decorate


class Installed(unittest.TestCase):
    """The prefix /usr below DESTDIR, as packages use it."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        install("/usr", cls.folder / "destination")
        cls.prefix = cls.folder / "destination/usr"

    def test_has_these_files(self):
        self.assertEqual(files_in(self.prefix), FILES)

    def test_writes_nothing_outside_the_prefix(self):
        self.assertEqual(os.listdir(self.folder / "destination"), ["usr"])

    def test_names_no_folder_of_the_build(self):
        for name in FILES - {"bin/pericenter", "share/man/man1/pericenter.1.gz"}:
            content = (self.prefix / name).read_bytes()
            self.assertNotIn(str(BUILD).encode(), content, name)
            self.assertNotIn(str(self.folder).encode(), content, name)

    def test_runs_from_a_moved_folder(self):
        moved = self.folder / "another place"
        install(self.folder / "first place")
        (self.folder / "first place").rename(moved)
        self.assertEqual(files_in(moved), FILES)
        program = moved / "bin/pericenter"
        self.assertRegex(run(program, "--version"), r"^pericenter \d+\.\d+\.\d+\n$")
        image = self.folder / "image.png"
        run(program, "--headless", "--backend", "cpu", "-n", 200, "-s", 1, "--size", "64x64", "--no-progress",
            "--screenshot", image)
        self.assertEqual(image.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_has_icons_of_their_size(self):
        for size in ICON_SIZES:
            header = (self.prefix / f"share/icons/hicolor/{size}x{size}/apps/{APP_ID}.png").read_bytes()[16:24]
            self.assertEqual(header, size.to_bytes(4, "big") * 2)

    @needs("desktop-file-validate")
    def test_has_a_valid_desktop_file(self):
        output = run("desktop-file-validate", "--no-hints", self.prefix / f"share/applications/{APP_ID}.desktop")
        self.assertEqual(output, "")

    @needs("appstreamcli")
    def test_has_valid_metainfo(self):
        run("appstreamcli", "validate", "--no-net", self.prefix / f"share/metainfo/{APP_ID}.metainfo.xml")

    def test_metainfo_is_of_this_version(self):
        release = xml.etree.ElementTree.parse(self.prefix / f"share/metainfo/{APP_ID}.metainfo.xml").find(".//release")
        self.assertEqual(f"pericenter {release.get('version')}\n", run(self.prefix / "bin/pericenter", "--version"))

    def test_desktop_file_and_metainfo_name_the_defined_types(self):
        """application/x-hdf is defined elsewhere."""
        desktop = (self.prefix / f"share/applications/{APP_ID}.desktop").read_text()
        types = set(re.search(r"^MimeType=(.*);$", desktop, re.MULTILINE).group(1).split(";"))
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        defined = {element.get("type") for element in xml.etree.ElementTree.parse(
            self.prefix / "share/mime/packages/pericenter.xml").iter(space + "mime-type")}
        metainfo = xml.etree.ElementTree.parse(self.prefix / f"share/metainfo/{APP_ID}.metainfo.xml")
        self.assertEqual(types, defined | {"application/x-hdf"})
        self.assertEqual(types, {element.text for element in metainfo.iter("mediatype")})

    @needs("mandoc")
    def test_has_a_valid_manual_page(self):
        page = self.folder / "pericenter.1"
        page.write_bytes(gzip.decompress((self.prefix / "share/man/man1/pericenter.1.gz").read_bytes()))
        self.assertEqual(run("mandoc", "-Tlint", page), "")

    @needs("xmllint")
    def test_has_well_formed_xml(self):
        self.assertEqual(run("xmllint", "--noout", self.prefix / "share/mime/packages/pericenter.xml",
                             self.prefix / f"share/metainfo/{APP_ID}.metainfo.xml",
                             self.prefix / f"share/icons/hicolor/scalable/apps/{APP_ID}.svg"), "")

    @needs("update-mime-database")
    def test_files_have_their_types(self):
        mime = self.folder / "mime"
        shutil.copytree(self.prefix / "share/mime", mime)
        run("update-mime-database", mime)
        globs = (mime / "globs2").read_text()
        for pattern, kind in (("*.pericenter", "x-pericenter-scene"), ("*.lesson.toml", "x-pericenter-lesson"),
                              ("*.gadget", "x-gadget-snapshot"), ("*.tipsy", "x-tipsy-snapshot")):
            self.assertRegex(globs, rf"(?m)^\d+:application/{kind}:{re.escape(pattern)}$")
        # More than the 50 of font/ttf and of templates of StarOffice Draw, with which these would be confused.
        self.assertIn("60:application/x-tipsy-snapshot:*.std\n", globs)
        self.assertIn(b"[60:application/x-gadget-snapshot]", (mime / "magic").read_bytes())

    @needs("update-mime-database")
    @needs("gio")
    def test_a_file_manager_recognizes_the_contents(self):
        data = self.folder / "data"
        shutil.copytree(self.prefix / "share/mime", data / "mime")
        run("update-mime-database", data / "mime")
        environment = {**os.environ, "XDG_DATA_DIRS": f"{data}:/usr/share", "XDG_DATA_HOME": str(self.folder / "none")}

        def record(content, order):
            return len(content).to_bytes(4, order) + content + len(content).to_bytes(4, order)

        files = {"x-gadget-snapshot": [record(bytes(256), "little"), record(bytes(256), "big"),
                                       record(bytes(192), "little"), record(b"HEAD" + bytes(4), "little")],
                 "x-pericenter-scene": [b"pericenter/1 scene=mice"]}
        for kind, contents in files.items():
            for content in contents:
                file = self.folder / "file_without_extension"
                file.write_bytes(content)
                information = run("gio", "info", "-a", "standard::content-type", file, env=environment)
                self.assertIn(f"standard::content-type: application/{kind}\n", information)


class Completions(unittest.TestCase):
    """What a shell offers for the last word."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        for shell in ("bash", "zsh", "fish"):
            (cls.folder / shell).write_text(run(BUILD / "bin/pericenter", "--generate", shell))
        (cls.folder / "snap.hdf5").touch()
        (cls.folder / "runs").mkdir()

    def bash(self, *words):
        script = """source ./bash
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
            _pericenter
            printf '%s\\n' "${COMPREPLY[@]}" """
        return run("bash", "-c", script, "bash", "pericenter", *words, cwd=self.folder).split()

    def fish(self, line):
        output = run("fish", "-c", "source ./fish; complete -C $argv[1]", line, cwd=self.folder,
                     env={**os.environ, "HOME": str(self.folder)})
        return [row.split("\t")[0] for row in output.splitlines()]

    @needs("bash")
    def test_bash_offers_names_of_values(self):
        self.assertEqual(self.bash("--scene", "m"), ["mice", "m51", "milky-way-andromeda", "minor-merger"])
        self.assertEqual(self.bash("--scene", "=", "mic"), ["mice"])
        self.assertEqual(self.bash("--sky", ""), ["on", "off"])
        self.assertEqual(self.bash("--paused", "--color-map", "mag"), ["magma"])
        self.assertEqual(self.bash("--lesson", "two"), ["two-discs"])
        self.assertEqual(self.bash("-n", ""), [])

    @needs("bash")
    def test_bash_offers_options_and_commands(self):
        self.assertEqual(self.bash("--head"), ["--headless"])
        self.assertEqual(self.bash("ben"), ["bench"])
        self.assertEqual(self.bash("bench", "r"), ["render", "runs"][:1])
        self.assertEqual(self.bash("bench", "render", "--si"), ["--size"])
        self.assertEqual(self.bash("export", "--for", ""), ["swift", "gadget4"])
        self.assertEqual(self.bash("bench", "--solver", "octree,fm"), ["octree,fmm"])

    @needs("bash")
    def test_bash_offers_files_and_folders(self):
        self.assertEqual(self.bash("--load", "sn"), ["snap.hdf5"])
        self.assertEqual(self.bash("sn"), ["snap.hdf5"])
        self.assertEqual(self.bash("--shader-dir", ""), ["runs"])

    @needs("fish")
    def test_fish_offers_the_same(self):
        self.assertEqual(self.fish("pericenter --scene mic"), ["mice"])
        self.assertEqual(self.fish("pericenter bench ren"), ["render"])
        self.assertEqual(self.fish("pericenter bench --solver octree,fm"), ["octree,fmm"])
        self.assertEqual(self.fish("pericenter --load sn"), ["snap.hdf5"])
        self.assertEqual(self.fish("pericenter check-lessons the"), ["the-fall"])
        self.assertEqual(self.fish("pericenter worksheet two-discs --pap"), ["--paper"])

    @needs("zsh")
    def test_zsh_offers_the_same(self):
        script = ROOT / "tests/install/zsh_completion.zsh"
        for line, offered in (("pericenter --scene mic", "mice"), ("pericenter bench ren", "render"),
                              ("pericenter export --for gad", "gadget4"), ("pericenter --head", "--headless")):
            self.assertIn(offered, run("zsh", "-f", script, self.folder / "zsh", line, cwd=self.folder))


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        CMAKE = sys.argv.pop(1)
    program = unittest.main(exit=False)
    if skipped:
        print("not installed, so not checked:", " ".join(sorted(skipped)), file=sys.stderr)
    sys.exit(not program.result.wasSuccessful())
