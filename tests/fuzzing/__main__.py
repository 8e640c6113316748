"""Fuzzing for longer: `python -m tests.fuzzing`; all options go on to pytest."""

import os
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    os.environ["HYPOTHESIS_PROFILE"] = "search"
    sys.exit(pytest.main([str(Path(__file__).parent), *sys.argv[1:]]))
