"""Scripts of the repository that are no part of a package, loaded to be tested."""

from __future__ import annotations

import importlib.util
import sys

from .command_line import ROOT


def load_script(path):
    """Run a script as a module, by its path in the repository, and return it."""
    file = ROOT / path
    specification = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(specification)
    sys.modules[file.stem] = module
    specification.loader.exec_module(module)
    return module
