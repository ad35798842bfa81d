# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Spack package of pgastool; `spack repo add tools/spack` makes it known."""

import os

from spack.package import *


class Pgastool(Package):
    """Profiler and tracer for PGAS programs in Unified Parallel C.

    Compiles with instrumentation, records, searches for wait states and their causes, and
    reports them in terms of the program's own source lines.
    """

    homepage = "https://example.org/pgastool"
    git = "https://example.org/pgastool.git"

    license("Apache-2.0 OR MIT")

    version("main", branch="main")

    variant("otf2", default=False, description="Conversion of traces to OTF2")
    variant("mpi", default=False, description="Analyses that several nodes share")
    depends_on("c", type="build")
    depends_on("rust@1.85:", type="build")
    # The embedded UPC compiler calls it wherever users compile their programs.
    depends_on("gcc", type="run")
    depends_on("otf2@3:", when="+otf2")
    depends_on("pkgconfig", type="build", when="+otf2")
    depends_on("mpi", when="+mpi")
    # Its libclang reads mpi.h when bindings to MPI are made.
    depends_on("llvm@14:+clang", type="build", when="+mpi")
    # The runtime of the embedded compiler is written for Linux.
    conflicts("platform=darwin", msg="pgastool needs Linux")
    conflicts("platform=windows", msg="pgastool needs Linux")

    def cargo_features(self):
        """Names of the optional parts that the spec asks for, as scripts/install takes them."""
        return [name for name in ("otf2", "mpi") if self.spec.satisfies("+" + name)]

    def setup_build_environment(self, env):
        # Crates are downloaded into the stage, unless the sources bring them along
        # (scripts/package tarball --vendor).
        env.set("CARGO_HOME", join_path(self.stage.path, "cargo"))
        env.set("CARGO_TARGET_DIR", join_path(self.stage.path, "target"))
        env.set("CARGO_BUILD_JOBS", str(determine_number_of_jobs(parallel=True)))
        if os.path.isdir(join_path(self.stage.source_path, "vendor")):
            env.set("CARGO_NET_OFFLINE", "true")
        if self.spec.satisfies("+mpi"):
            env.set("LIBCLANG_PATH", self.spec["llvm"].prefix.lib)
            # The compiler wrapper tells where MPI is.
            env.set("MPICC", self.spec["mpi"].mpicc)

    def install(self, spec, prefix):
        arguments = ["scripts/install", "--prefix", str(prefix)]
        features = self.cargo_features()
        if features:
            arguments += ["--features", ",".join(features)]
        Executable("sh")(*arguments)

    def setup_run_environment(self, env):
        # bin and man are on the paths of every package's module.
        env.set("PGASTOOL_ROOT", self.prefix)
        # The site's cc, which comes first on the search path, may be another compiler.
        env.set("PGAS_CC", self.spec["gcc"].package.cc)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """`spack install --test=root`: every part is there, and they work together."""
        Executable(join_path(self.prefix.bin, "pgastool"))("doctor")

    def test_doctor(self):
        """the machine has what the tool needs"""
        which(self.prefix.bin.pgastool)("doctor")

    def test_cycle(self):
        """a bundled program is compiled, run, analysed and reported"""
        pgastool = which(self.prefix.bin.pgastool)
        output = pgastool("--quiet", "demo", "jacobi", output=str.split, error=str.split)
        assert "Verification = SUCCESSFUL" in output
