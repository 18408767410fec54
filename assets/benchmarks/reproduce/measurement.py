"""What a document consists of."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Measurement:
    """One CSV: the rows of one `pericenter bench` command, or of one command per case."""

    name: str
    arguments: str  # of pericenter bench, without backend and number of bodies
    n: str = ""  # bodies of a complete run
    quick: str = ""  # of a quick one
    n_cpu: str = ""  # of a complete run on the CPU, if it differs
    on: str = "one"  # "one": CUDA if available, otherwise the CPU; "both"; "cuda"; "cpu"; "screen": without a backend
    cases: dict = field(default_factory=lambda: {"": ""})  # label: more arguments
    seconds: float = 30  # time limit per row
    positions: bool = False  # compare the positions at the end of the rows
    files: object = None  # module with name() and write_inputs(): the input are files with n bodies each
    kernel: str = ""  # profile this kernel with Nsight Compute instead (regular expression)

    def commands(self, cuda, quick):
        """{label: words after `pericenter`}; empty if there is nothing to measure without CUDA."""
        backend = {"one": "cuda" if cuda else "cpu", "both": "cpu,cuda" if cuda else "cpu", "cuda": "cuda"}
        if self.on == "cuda" and not cuda:
            return {}
        words = ["bench", *self.arguments.split()]
        words += [] if self.on == "screen" else ["--backend", backend.get(self.on, "cpu")]
        n = self.quick if quick else self.n_cpu if self.n_cpu and not cuda else self.n
        if n:
            words += ["--input", ",".join(map(self.files.name, n.split(",")))] if self.files else ["-n", n]
        words += ["--max-seconds", f"{min(self.seconds, 0.5) if quick else self.seconds:g}"] if self.seconds else []
        return {label: words + more.split() for label, more in self.cases.items()}


@dataclass(frozen=True)
class Published:
    """A row of README.md: published values and a function of the results that returns ours, in the same order."""

    id: str  # as in the list of figures of all documents
    what: str
    values: tuple  # numbers, pairs (number, threads), or texts without a ratio
    ours: object = None  # function of Results; returns numbers, texts or None
    measurement: str = ""  # whose absence explains missing values
    remark: str = ""
