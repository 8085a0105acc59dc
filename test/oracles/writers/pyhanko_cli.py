"""The command line of pyHanko, with the parameters of the command `pyhanko`."""

from pyhanko.cli import launch

launch()
