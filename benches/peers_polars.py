"""The same work by Polars, on a native frame and by exact matching, which is all it does here.

The quickest of the forms that its documentation gives: lazy, no join where an expression will do,
scales as an Enum, the total out of the scales' sums. It does not have to sort its result.
"""

from __future__ import annotations

import pandas as pd
import polars as pl
from peers_frames import BY, TEXTS, Material

TOTAL = "total"


class Polars:
    """Lazy expressions over a native frame: String columns, or Categorical ones."""

    def __init__(self, material: Material) -> None:
        categorical = material.kind == "category"
        self.name = f"Polars {pl.__version__}, {'Categorical' if categorical else 'String'}"
        frame = pl.from_pandas(material.text_frame)
        if categorical:
            frame = frame.with_columns(pl.col(*TEXTS).cast(pl.Categorical))
        self.frame = frame
        items = material.items
        self.scale = pl.Enum([*dict.fromkeys(items["dimension"]), TOTAL])
        of_item = {
            name: pl.lit(pl.Series(items[name].to_list())).gather(pl.col("instruction_item_id"))
            for name in ("offset", "factor")
        }
        scales = pl.Series(items["dimension"].to_list(), dtype=self.scale)
        weight = pl.col("decision").replace_strict(
            list(material.weights),
            list(material.weights.values()),
            default=None,
            return_dtype=pl.Float64,
        )
        points = of_item["offset"] + of_item["factor"] * weight
        self.columns = {
            "score": pl.when(pl.col("valid")).then(points),
            "dimension": pl.lit(scales).gather(pl.col("instruction_item_id")),
        }
        self.scored = self.score_answers()

    def score_answers(self) -> pl.DataFrame:
        return self.frame.lazy().with_columns(**self.columns).collect()

    def scale_scores(self) -> pl.DataFrame:
        return self._aggregate(self.scored.lazy()).collect()

    def score_experiment(self) -> pl.DataFrame:
        return self._aggregate(self.frame.lazy().select(*BY, **self.columns)).collect()

    def _aggregate(self, scored: pl.LazyFrame) -> pl.LazyFrame:
        scales = scored.group_by(*BY, "dimension").agg(
            pl.col("score").sum(), n_items=pl.col("score").count(), n=pl.len()
        )
        total = scales.group_by(*BY).agg(pl.col("score", "n_items", "n").sum())
        total = total.with_columns(dimension=pl.lit(TOTAL, dtype=self.scale))
        mean = pl.when(pl.col("n_items") > 0).then(pl.col("score") / pl.col("n_items"))
        return pl.concat([scales, total], how="diagonal").select(
            *BY,
            "dimension",
            "n_items",
            score=mean,
            n_missing=pl.col("n").cast(pl.Int64) - pl.col("n_items").cast(pl.Int64),
        )

    @staticmethod
    def table(result: pl.DataFrame) -> pd.DataFrame:
        return result.to_pandas()
