"""Tests of the Spack recipe: what it asks for, and an installation that it really makes and tests.

    python3 tools/spack/tests/test_package.py

They use a stand-in for Spack (standin/), since Spack itself cannot be had as a Python package: PyPI has none of that name
(`pip download spack` finds no distribution). They also use the executables that `cargo build --release --workspace` made.

After a change of the recipe, try it with a real Spack, 0.23 and a later one: `spack style PATH` with the recipe copied to
var/spack/repos/NAME/packages/pgastool (elsewhere names from `spack.package` count as unknown), `spack audit packages pgastool`,
`spack spec pgastool+mpi+otf2`, `spack install --test=root pgastool` and `spack test run pgastool`.
"""

import importlib.util
import os
import re
import sys
import tempfile
import types
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLONE = HERE.parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE / "standin"))


def recipe():
    path = HERE.parent / "packages" / "pgastool" / "package.py"
    spec = importlib.util.spec_from_file_location("pgastool_recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Environment:
    """What Spack hands to setup_*_environment."""

    def __init__(self):
        self.variables = {}

    def set(self, name, value):
        self.variables[name] = str(value)


class Recipe(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        source = self.scratch / "stage" / "source"
        source.mkdir(parents=True)
        self.stage = types.SimpleNamespace(path=str(source.parent), source_path=str(source))
        self.module = recipe()

    def package(self, **variants):
        return self.module.Pgastool(self.stage, str(self.scratch / "prefix"), **variants)

    def test_repository_has_the_layout_that_spack_looks_for(self):
        self.assertRegex((HERE.parent / "repo.yaml").read_text(), r"(?m)^repo:\n  namespace: \w+$")

    def test_plain_package_needs_rust_and_a_c_compiler_also_where_it_runs(self):
        package = self.package()
        oldest = re.search(r'(?m)^rust-version = "(.*)"$', (CLONE / "Cargo.toml").read_text())[1]
        self.assertIn(f"rust@{oldest}:", package.dependencies("build"))
        self.assertEqual(package.dependencies("run"), ["gcc"])
        self.assertEqual(package.dependencies("link"), [])

    def test_variants_bring_their_libraries(self):
        self.assertEqual(self.package(otf2=True).dependencies("link"), ["otf2@3:"])
        self.assertIn("pkgconfig", self.package(otf2=True).dependencies("build"))
        self.assertEqual(self.package(mpi=True).dependencies("link"), ["mpi"])
        self.assertIn("llvm@14:+clang", self.package(mpi=True).dependencies("build"))
        self.assertNotIn("llvm@14:+clang", self.package(mpi=True).dependencies("run"))

    def test_bindings_to_mpi_are_made_with_the_libraries_of_the_spec(self):
        with_mpi, without = Environment(), Environment()
        self.package(mpi=True).setup_build_environment(with_mpi)
        self.package().setup_build_environment(without)
        self.assertEqual(with_mpi.variables["LIBCLANG_PATH"], "/llvm/lib")
        self.assertEqual(with_mpi.variables["MPICC"], "/mpi/bin/mpicc")
        self.assertFalse({"LIBCLANG_PATH", "MPICC"} & set(without.variables))

    def test_each_variant_is_a_feature_of_the_command_line(self):
        manifest = (CLONE / "crates/pgastool/Cargo.toml").read_text()
        features = re.search(r"(?ms)^\[features\]$(.*?)^\[", manifest)[1]
        named = re.findall(r"(?m)^(\w+) = ", features)
        variants = [content["name"] for kind, content in self.module.Pgastool.directives if kind == "variant"]
        self.assertEqual(set(variants), set(named))
        self.assertEqual(self.package(otf2=True).cargo_features(), ["otf2"])
        self.assertEqual(self.package(otf2=True, mpi=True).cargo_features(), ["otf2", "mpi"])
        self.assertEqual(self.package().cargo_features(), [])

    def test_has_the_style_that_spack_demands(self):
        path = HERE.parent / "packages" / "pgastool" / "package.py"
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            self.assertLessEqual(len(line), 99, f"{path}:{number}")

    def test_uses_as_many_cores_as_the_installation_may(self):
        environment = Environment()
        self.package().setup_build_environment(environment)
        self.assertEqual(environment.variables["CARGO_BUILD_JOBS"], "1")

    def test_users_get_the_compiler_that_the_package_depends_on(self):
        environment = Environment()
        self.package().setup_run_environment(environment)
        self.assertEqual(environment.variables["PGAS_CC"], "/gcc/bin/gcc")

    def test_variants_reach_the_build(self):
        seen = []
        self.module.Executable = lambda name: lambda *arguments: seen.append([name, *arguments])
        prefix = str(self.scratch / "prefix")
        self.package(otf2=True, mpi=True).build()
        self.assertEqual(seen, [["sh", "scripts/install", "--prefix", prefix, "--features", "otf2,mpi"]])

    def test_building_stays_in_the_stage_and_needs_no_network_with_vendored_libraries(self):
        environment = Environment()
        self.package().setup_build_environment(environment)
        self.assertTrue(environment.variables["CARGO_HOME"].startswith(self.stage.path))
        self.assertTrue(environment.variables["CARGO_TARGET_DIR"].startswith(self.stage.path))
        self.assertNotIn("CARGO_NET_OFFLINE", environment.variables)
        (Path(self.stage.source_path) / "vendor").mkdir()
        self.package().setup_build_environment(environment)
        self.assertEqual(environment.variables["CARGO_NET_OFFLINE"], "true")

    def test_installs_and_passes_its_own_tests(self):
        # In the clone, and with what was built there: a build from nothing takes minutes.
        os.chdir(CLONE)
        package = self.package()
        package.run_tests = True
        package.build()
        environment = Environment()
        package.setup_run_environment(environment)
        root = Path(environment.variables["PGASTOOL_ROOT"])
        self.assertTrue((root / "bin" / "pgastool").is_file())
        self.assertTrue((root / "share" / "modulefiles").is_dir())
        os.chdir(self.scratch)
        tests = [name for name in dir(package) if name.startswith("test_")]
        self.assertEqual(tests, ["test_cycle", "test_doctor"])
        for name in tests:
            getattr(package, name)()


if __name__ == "__main__":
    unittest.main()
