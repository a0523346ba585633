"""The calibration walk: the order of a simulated board is found and written."""

import os
import random
import re

import pytest
from sensor_bench import PtyBoard

from protocols.commands.ports import calibrate
from protocols.sensor.codecs.boards import board_spec
from protocols.sensor.codecs.calibration import with_order
from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.description import DescriptionError, load, parse
from protocols.sensor.codecs.orientation import point_order
from protocols.sensor.links.connection import Connection
from protocols.sensor.simulation.described import DescribedDevice
from protocols.sensor.simulation.sensors import Sensors
from protocols.sensor.simulation.virtual import VirtualBoard

FILE = """# mine
[board]
columns = 4
rows = 3
sensing = "pol"
[points]  # to be found
coding = "letter"
ORDER
values = { "." = ".", b = "X", w = "O" }
[frame]
end = "\\n"
"""


def walked(tmp_path, order, clumsy=False):
    """What is said, the exit code, and the file afterwards, when a person does what is said."""
    path = tmp_path / "board.toml"
    path.write_text(FILE.replace("ORDER", 'first = "near-left"'), encoding="utf-8")
    real = parse(FILE.replace("ORDER", order))
    device = DescribedDevice(Sensors(real.geometry, "pol"), real, every=0.2)
    board = VirtualBoard(device, DescribedCodec(load(str(path))))
    said, on = [], []

    def write(text):
        said.append(text)
        if match := re.search(r"put a stone on column (\d+) .*row (\d+)", text):
            on.append((int(match[2]) - 1) * 4 + int(match[1]) - 1)
            board.put(on[-1], "X")
            if clumsy and len(on) == 3:
                board.put(on[0], "O")
                board.clock.after(0.5, lambda: board.put(on[0], "."))
        elif "take it off" in text:
            board.put(on[-1], ".")

    code = calibrate(board, str(path), write, 600)
    return said, code, path


@pytest.mark.parametrize("order", ['first = "far-right"\nsnake = true', 'along = "columns"\nfirst = "near-right"', ""])
@pytest.mark.parametrize("clumsy", [False, True])
def test_a_regular_order_needs_few_points(tmp_path, order, clumsy):
    said, code, path = walked(tmp_path, order, clumsy)
    assert code == 0
    assert load(str(path)).points.order == parse(FILE.replace("ORDER", order)).points.order
    assert sum("put a stone" in text for text in said) < 12
    assert path.read_text(encoding="utf-8").startswith("# mine") and "near-left" not in path.read_text(encoding="utf-8")
    assert "near-left" in (tmp_path / "board.toml.bak").read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", range(3))
def test_any_other_order_needs_all(tmp_path, seed):
    order = random.Random(seed).sample(range(12), 12)
    _, code, path = walked(tmp_path, f"order = {order}")
    assert code == 0 and list(load(str(path)).points.order) == order


LEDS = '[lamps]\nmodel = "MODEL"\nbegin = "L"\nitem = " {index}"\nend = "\\n"\n'


def leds_of(path, model, order):
    """The board, (point, whether it was said to be lit, lamps lit) as each is named, (point, lamps) with the stone."""
    mine = FILE + LEDS.replace("MODEL", model)
    path.write_text(mine.replace("ORDER", ""), encoding="utf-8")
    real = parse(mine.replace("ORDER", order))
    device = DescribedDevice(Sensors(real.geometry, "pol"), real, every=0.2)
    board = VirtualBoard(device, DescribedCodec(load(str(path))))
    named, under, on = [], [], []

    def lit():
        return [int(number) for number in device.led_commands[-1].split()[1:]]

    def put(told):
        named.append((on[-1], told, lit()))
        board.put(on[-1], "X")

    def lift():
        under.append((on[-1], lit()))
        board.put(on[-1], ".")

    def write(text):
        if match := re.search(r"put a stone on column (\d+) .*row (\d+)", text):
            on.append((int(match[2]) - 1) * 4 + int(match[1]) - 1)
            board.clock.after(1.0, lambda: put("it is lit" in text))
        elif "take it off" in text:
            board.clock.after(1.0, lift)

    assert calibrate(board, str(path), write, 600) == 0
    return real, named, under


@pytest.mark.parametrize(
    "order", ['first = "near-right"\nsnake = true', "order = [5, 1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11]"]
)
def test_the_led_lit_is_that_of_the_point(tmp_path, order):
    """Also where the file has another order; where a regular order is still possible, never a wrong one."""
    real, named, under = leds_of(tmp_path / "board.toml", "point", order)
    number = real.points.order.index
    assert under and all(lit == [number(point)] for point, lit in under)
    assert all(told == bool(lit) for _, told, lit in named)
    if "first" in order:
        assert all(lit in ([], [number(point)]) for point, _, lit in named)
        assert sum(told for _, told, _ in named) > len(named) // 2


def test_edge_leds_show_every_named_point(tmp_path):
    _, named, _ = leds_of(tmp_path / "board.toml", "edge", 'first = "far-right"')
    assert {point for point, told, _ in named if told} == {point for point, _, _ in named}


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_over_a_pseudo_terminal(tmp_path):
    path = tmp_path / "board.toml"
    path.write_text(FILE.replace("ORDER", ""), encoding="utf-8")
    real = parse(FILE.replace("ORDER", 'first = "near-right"'))
    terminal = PtyBoard(DescribedDevice(Sensors(real.geometry, "pol"), real, every=0.02))
    board = Connection(board_spec(terminal.name, describe=str(path)), hurry=20.0)
    on = []

    def write(text):
        if match := re.search(r"put a stone on column (\d+) .*row (\d+)", text):
            on.append((int(match[2]) - 1) * 4 + int(match[1]) - 1)
            terminal.put(on[-1], "X")
        elif "take it off" in text:
            terminal.put(on[-1], ".")

    try:
        assert calibrate(board, str(path), write) == 0
    finally:
        terminal.close()
    assert load(str(path)).points.order == real.points.order


def test_bits_in_lines_keep_their_length():
    text = (
        '[board]\ncolumns = 4\nrows = 3\nsensing = "occ"\n[frame]\nend = "!"\n'
        '[points]\ncoding = "bit"\nplanes = ["#"]\n'
    )
    columns = parse(text + 'along = "columns"\n').points.order
    with pytest.raises(DescriptionError, match="along"):
        with_order(text, columns)
    assert parse(with_order(text + 'along = "columns"\n', columns)).points.order == columns


@pytest.mark.parametrize(("told", "free"), [("{index}", True), ("{line},{place}", False)])
def test_lines_of_points_named_by_line_keep_their_length(told, free):
    text = (
        '[board]\ncolumns = 4\nrows = 3\nsensing = "occ"\n[points]\ncoding = "events"\n'
        f'[events]\nput = "+{told}"\nlift = "-{told}"\nbegin = "all"\ndone = "end"\n'
    )
    columns = point_order(parse(text).geometry, along="columns")
    if free:
        assert parse(with_order(text, columns)).points.order == columns
    else:
        with pytest.raises(DescriptionError, match="along"):
            with_order(text, columns)
