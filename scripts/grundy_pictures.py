"""What the pictures share: two styles, how numbers are written, and how a picture is saved.

--style screen  for a screen (the default): PNG, 130 dots an inch
--style print   for paper: a page wide (7.2 inches), small type; PDF, or 300 dots an inch as PNG
"""

import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

PAGE = 7.2  # inches
STYLES = {
    "screen": {"savefig.dpi": 130},
    "print": {
        "savefig.dpi": 300,
        "font.size": 7,
        "axes.titlesize": "medium",
        "axes.linewidth": 0.6,
        "lines.linewidth": 0.8,
        "pdf.fonttype": 42,  # text stays text that can be searched
    },
}
SUFFIX = {"screen": ".png", "print": ".pdf"}

# From red to orange: visible on white and beside blue points.
WARM = ListedColormap(plt.get_cmap("autumn")([i / 400 for i in range(256)]), "warm")


def add_arguments(parser, what):
    """The file, the picture and the style."""
    parser.add_argument("file", type=pathlib.Path, metavar=what)
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        help="the suffix decides the format: .png, .svg, .pdf")
    parser.add_argument("--style", choices=STYLES, default="screen",
                        help="screen: PNG (default); print: PDF, a page wide, or PNG at 300 dpi")


def new_figure(style, width, height):
    """An empty figure of a size for the screen, in inches; in print it is a page wide.

    Its attribute `scale` is the factor for the sizes of markers.
    """
    plt.rcParams.update(STYLES[style])
    scale = PAGE / width if style == "print" else 1
    figure = plt.figure(figsize=(scale * width, scale * height), layout="constrained")
    figure.scale = scale
    return figure


def save(figure, options):
    """Saves the figure where the options say, and prints where that is."""
    output = options.output or options.file.with_suffix(SUFFIX[options.style])
    figure.savefig(output)
    print(output)


def spaced(number):
    """A whole number with a thin space between thousands."""
    return f"{number:,}".replace(",", "\N{THIN SPACE}")


def write_numbers_out(*axes):
    """Ticks of these axes are numbers in full, without a factor at the end of the axis; they are whole
    numbers except below 1 on a logarithmic axis."""
    for axis in axes:
        if axis.get_scale() == "linear":
            axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
        axis.set_major_formatter(
            FuncFormatter(lambda x, _: f"{x:g}" if 0 < x < 1 else spaced(round(x))))
        axis.set_minor_formatter(NullFormatter())


def write_short_axes_out(*axes):
    """On these logarithmic axes of numbers from 1 on, powers of ten are the ticks. An axis of numbers within
    two decades has ticks between them too, one on either side of all points, and numbers in full."""
    for axis in axes:
        low, high = axis.get_data_interval()
        low = max(min(low, high), 1)  # bars begin at 0, and an empty interval at infinity
        high = max(high, low)
        if high < 100 * low:
            steps = (1, 2, 3, 5) if high < 10 * low else (1, 2, 5)
            axis.set_major_locator(LogLocator(subs=steps))
            write_numbers_out(axis)
            # A point on the edge would be cut in half.
            ticks = [step * 10.0**decade for decade in range(-1, 19) for step in steps]
            low = max(tick for tick in ticks if 1.05 * tick <= low)
            high = min(tick for tick in ticks if tick >= 1.05 * high)
        else:
            low, high = axis.get_view_interval()
        axis.axes.set(**{f"{axis.axis_name}lim": (max(low, 0.7), high)})


def put_legend_above(axes):
    """A legend over the axes, where it covers no point; in one column if a line is too short for its labels."""
    _, labels = axes.get_legend_handles_labels()
    columns = 2 if sum(map(len, labels)) < 120 else 1
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=columns, frameon=False)
