# %% [markdown]
# # From a game to a figure
#
# A notebook in the percent format: Jupyter (with jupytext), VS Code and Spyder open it as cells, and
# `python3 notebook.py [GRUNDY [DIRECTORY]]` runs it from top to bottom. It needs the Python module
# `grundy`. GRUNDY is the command, which makes the atlas.

# %%
import io
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import grundy
from grundy_tables import open_atlas

COMMAND = sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "grundy"
FOLDER = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="grundy-notebook-"))

# %% [markdown]
# ## A table
#
# Dawson's Kayles, 0.07: remove two neighbouring tokens. Its values have the period 34 from heap 53 on,
# which is proved, so every larger heap is known too.

# %%
dawson_file = FOLDER / "dawson.h5"
grundy.compute("0.07", to=2000, output=dawson_file, overwrite=True)
dawson = grundy.open_table(dawson_file)
period = dawson.period
print(dawson.title, dawson.rule, dawson.shape, dawson.digest)
print(period, period.theorem)
print("a heap of 10^15 tokens:", dawson.value(10**15))
values = dawson[:]
assert (period.preperiod, period.period) == (53, 34) and period.certified

# %% [markdown]
# ## A figure
#
# One row a period: where the picture stops changing from row to row, the period holds.

# %%
rows = len(values) // period.period
figure, axes = plt.subplots(figsize=(9, 4), layout="constrained")
image = axes.imshow(values[: rows * period.period].reshape(rows, -1)[:12], cmap="viridis")
axes.set(xlabel=f"n mod {period.period}", ylabel=f"n div {period.period}", title="Dawson's Kayles")
figure.colorbar(image, label="G(n)")
figure.savefig(FOLDER / "dawson.png", dpi=110)

# %% [markdown]
# ## P-positions
#
# The player to move loses at the heaps of value 0.

# %%
zeros = np.flatnonzero(values == 0)
print("P-positions:", zeros[:12], "..")
residues = sorted(set(int(n) % period.period for n in zeros if n >= period.preperiod))
print(f"from heap {period.preperiod} on they are the n with n mod {period.period} in", residues)

# %% [markdown]
# ## A game of one's own
#
# A rule is a function that lists the options of a heap: here, take a divisor of the heap's size.

# %%
divisors = grundy.values(lambda n: [n - d for d in range(1, n + 1) if n % d == 0], to=200)
print("take a divisor:", divisors[:17])
assert all(divisors[n] == (n & -n).bit_length() for n in range(1, 201))

# %% [markdown]
# ## A family
#
# All octal games with two digits after the point. `summary` and `members` are tables; with pandas
# they are `pandas.read_csv(io.StringIO(..))`.

# %%
family_file = FOLDER / "octal.h5"
subprocess.run([COMMAND, "atlas", "0.dd", "4.dd", "-o", family_file, "--force", "-q"], check=True,
               stdout=subprocess.DEVNULL)
with open_atlas(family_file) as family:
    unsolved = [row["game"] for row in family.summary if row["status"] != "certified"]
    print(family.games, "games in", len(family), "classes; no proved period to heap",
          family.last_heap, "for", " ".join(unsolved))
    officers = family["0.6"]
    print("Officers:", officers.members, "mask", hex(officers.mask), "rare heaps:", officers.rare)
assert "0.6" in unsolved

# %%
try:
    import pandas
except ImportError:
    print("pandas is not installed: this cell is left out")
else:
    with open_atlas(family_file) as family:
        frame = pandas.read_csv(io.StringIO(family.file["summary_csv"][()].decode()))
    print(frame.groupby("status")[["games", "period"]].describe().T.to_string())
