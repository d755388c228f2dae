from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

for examples in (100, 1_000, 10_000):
    settings.register_profile(
        str(examples),
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("SCOREKEY_PROFILE", "100"))
