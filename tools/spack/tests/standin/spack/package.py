"""A stand-in for the part of Spack that the recipe uses, for machines that have no Spack.

Directives and functions take the keywords that Spack 0.23 and 1.2 both take and no others, and check what Spack and its
`spack audit packages` would refuse: a condition on a variant that is not there, a dependency of an unknown type, a version
without a source, a package or a test without a docstring. What they say is kept in the class for the tests to look at. Methods
get objects that do what Spack's do: executables are really run.
"""

import functools
import os
import re
import shutil
import subprocess
import types

__all__ = [
    "Executable",
    "Package",
    "conflicts",
    "depends_on",
    "determine_number_of_jobs",
    "join_path",
    "license",
    "on_package_attributes",
    "run_after",
    "variant",
    "version",
    "which",
]

_pending = []


def _directive(kind, **content):
    _pending.append((kind, content))


def version(ver, checksum=None, *, sha256=None, url=None, branch=None, tag=None, commit=None, preferred=False,
            deprecated=False):
    if not any((checksum, sha256, branch, tag, commit)):
        raise ValueError(f"version {ver} has neither a checksum nor a place in a repository")
    if sha256 is not None and not re.fullmatch("[0-9a-f]{64}", sha256):
        raise ValueError(f"version {ver}: {sha256} is no SHA-256 sum")
    _directive("version", name=ver, branch=branch, tag=tag)


def variant(name, default=None, description="", *, values=None, multi=None, when=None, sticky=False):
    if default is None or not description:
        raise ValueError(f"variant {name} needs a default and a description")
    _directive("variant", name=name, default=default, when=when)


def depends_on(spec, when=None, type=("build", "link"), patches=None):
    kinds = (type,) if isinstance(type, str) else tuple(type)
    unknown = set(kinds) - {"build", "link", "run", "test"}
    if unknown:
        raise ValueError(f"{spec}: there is no dependency of type {unknown}")
    _directive("depends_on", spec=spec, when=when, types=kinds)


def conflicts(conflict_spec, when=None, msg=None):
    _directive("conflicts", spec=conflict_spec, when=when, msg=msg)


def license(license_identifier, checked_by=None, when=None):
    _directive("license", name=license_identifier)


def run_after(phase, when=None):
    def mark(method):
        method.after_phase = phase
        return method

    return mark


def on_package_attributes(**attributes):
    """The method is called only if the package has these attributes, as `run_tests` with `spack install --test`."""

    def wrap(method):
        @functools.wraps(method)
        def called(self):
            if all(getattr(self, name, None) == value for name, value in attributes.items()):
                method(self)

        return called

    return wrap


def determine_number_of_jobs(*, parallel=False, max_cpus=os.cpu_count(), config=None):
    """`build_jobs` of the configuration, which `spack install -j` sets, but no more than there are cores."""
    return min(max_cpus, (config or {}).get("build_jobs", JOBS)) if parallel else 1


#: Stands for the configuration.
JOBS = 1


def join_path(*parts):
    return os.path.join(*map(str, parts))


class Executable:
    def __init__(self, name):
        self.name = str(name)

    def __call__(self, *arguments, output=None, error=None):
        capture = output is str or output is str.split
        done = subprocess.run(
            [self.name, *map(str, arguments)],
            check=False,
            stdout=subprocess.PIPE if capture else None,
            stderr=subprocess.STDOUT if error is output and capture else None,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{self.name} {' '.join(map(str, arguments))}: exit status {done.returncode}")
        return done.stdout if capture else None


def which(*names):
    found = next(filter(None, map(shutil.which, map(str, names))), None)
    return Executable(found) if found else None


class Prefix(str):
    """`prefix.bin` is the directory `bin` in it."""

    def __getattr__(self, name):
        return Prefix(os.path.join(self, name))


class Dependency:
    """What a recipe may ask of one of its dependencies."""

    def __init__(self, name):
        self.prefix = Prefix("/" + name)
        if name == "mpi":
            self.mpicc = self.prefix.bin.mpicc
        self.package = types.SimpleNamespace(cc=self.prefix.bin.gcc) if name == "gcc" else None


class Spec:
    def __init__(self, variants, dependencies):
        self.variants = variants
        self.dependencies = dependencies

    def __getitem__(self, name):
        if name not in {re.match(r"[\w-]+", spec)[0] for spec in self.dependencies()}:
            raise KeyError(f"{name} is no dependency of this spec")
        return Dependency(name)

    def satisfies(self, condition):
        match = re.fullmatch(r"([+~])(\w+)", condition)
        if match is None or match[2] not in self.variants:
            raise ValueError(f"{condition} is no condition on a variant of this package")
        return self.variants[match[2]] == (match[1] == "+")


class Package:
    run_tests = False

    def __init_subclass__(cls):
        cls.directives = list(_pending)
        _pending.clear()
        tests = [getattr(cls, name) for name in vars(cls) if name.startswith("test_")]
        for documented in [cls, *tests]:
            if not documented.__doc__:
                raise ValueError(f"{documented.__name__} has no docstring")
        names = {content["name"] for kind, content in cls.directives if kind == "variant"}
        for kind, content in cls.directives:
            for name in re.findall(r"[+~](\w+)", content.get("when") or ""):
                if name not in names:
                    raise ValueError(f"{kind} {content}: there is no variant {name}")

    def __init__(self, stage, prefix, **variants):
        chosen = {content["name"]: content["default"] for kind, content in self.directives if kind == "variant"}
        unknown = set(variants) - set(chosen)
        if unknown:
            raise ValueError(f"there is no variant {unknown}")
        self.spec = Spec({**chosen, **variants}, self.dependencies)
        self.stage = stage
        self.prefix = Prefix(prefix)

    def build(self):
        """What `spack install` does once sources are there: the phase, and what comes after it."""
        self.install(self.spec, self.prefix)
        for name in dir(self):
            if getattr(getattr(type(self), name, None), "after_phase", None) == "install":
                getattr(self, name)()

    def dependencies(self, of_type=None):
        """Specs of all dependencies that the chosen variants have, or of those of one type."""
        return [
            content["spec"]
            for kind, content in self.directives
            if kind == "depends_on"
            and (of_type is None or of_type in content["types"])
            and (content["when"] is None or self.spec.satisfies(content["when"]))
        ]
