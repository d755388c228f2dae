"""Random cases run through rupsycho and through scorekey, in one process.

`mutations` makes a case, `allowed` says where the two may differ and what is right there, and
`comparison` runs both. The command is ``python -m tests.differential --count 20000 --seed 1``.
"""
