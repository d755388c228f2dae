"""The same work by DuckDB, on native tables and by exact matching, which is all it does here.

The quickest of the forms tried: options in a CASE, items in a small table, scales as an ENUM, the
total out of the scales' sums. It does not have to sort its result, nor to hand over the columns
that it was given.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pandas as pd
from peers_frames import BY, TEXTS, Material

TOTAL = "total"


class DuckDB:
    """SQL over a native table: VARCHAR columns, or ENUM ones. Results are handed over as Arrow."""

    def __init__(self, material: Material, threads: int) -> None:
        categorical = material.kind == "category"
        self.name = f"DuckDB {duckdb.__version__}, {'ENUM' if categorical else 'VARCHAR'}"
        self.database = duckdb.connect(config={"threads": threads})
        self._load("answers", material.text_frame)
        self._load("items", material.items)
        scales = ", ".join(f"'{name}'" for name in dict.fromkeys(material.items["dimension"]))
        self.database.execute(f"CREATE TYPE scale AS ENUM ({scales}, '{TOTAL}')")
        self.database.execute("ALTER TABLE items ALTER dimension TYPE scale")
        for name in TEXTS if categorical else ():
            self.database.execute(
                f"CREATE TYPE {name}_values AS ENUM "
                f"(SELECT DISTINCT {name} FROM answers WHERE {name} IS NOT NULL);"
                f"ALTER TABLE answers ALTER {name} TYPE {name}_values"
            )
        cases = " ".join(f"WHEN '{text}' THEN {w}::DOUBLE" for text, w in material.weights.items())
        points = f'CASE WHEN valid THEN "offset" + factor * CASE decision {cases} END END'
        self.answers = (
            f"SELECT {{keys}} {points} AS score, dimension "
            "FROM answers JOIN items USING (instruction_item_id)"
        )
        self.keyed = self.answers.format(keys=", ".join(BY) + ",")
        self.database.execute(f"CREATE TABLE scored AS {self.keyed}")

    def score_answers(self) -> Any:
        return self.database.sql(self.answers.format(keys="")).to_arrow_table()

    def scale_scores(self) -> Any:
        return self._aggregate("SELECT * FROM scored")

    def score_experiment(self) -> Any:
        return self._aggregate(self.keyed)

    def _aggregate(self, scored: str) -> Any:
        return self.database.sql(aggregation(scored, "scale")).to_arrow_table()

    def _load(self, name: str, frame: pd.DataFrame) -> None:
        self.database.register("frame", frame)
        self.database.execute(f"CREATE TABLE {name} AS SELECT * FROM frame")
        self.database.unregister("frame")

    @staticmethod
    def table(result: Any) -> pd.DataFrame:
        frame: pd.DataFrame = result.to_pandas()
        return frame


def aggregation(scored: str, scale: str) -> str:
    """Return the query that makes scale scores, with the total, of a query for item scores.

    ``scale`` is the type of the names of the scales.
    """
    keys = ", ".join(BY)
    return f"""
        WITH scored AS ({scored}), scales AS (
            SELECT {keys}, dimension, sum(score) AS points, count(score) AS n_items, count(*) AS n
            FROM scored GROUP BY ALL
        )
        SELECT {keys}, dimension, points / n_items AS score, n_items, n - n_items AS n_missing
        FROM scales UNION ALL
        SELECT {keys}, '{TOTAL}'::{scale},
            sum(points) / sum(n_items), sum(n_items), sum(n) - sum(n_items)
        FROM scales GROUP BY ALL
    """
