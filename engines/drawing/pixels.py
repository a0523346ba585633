"""SVG as pixels: PNG, and GIF of several pictures. Needs the extra ``qiqiao[pictures]`` (resvg_py, Pillow)."""

from __future__ import annotations

import io
from collections.abc import Iterable

from engines.errors import QiqiaoError

COLORS = 128
"""Colours of a GIF."""

HOLD, HOLD_LAST = 1000, 4000
"""Milliseconds that a picture of a GIF is shown, and the last one."""


class NoPictures(QiqiaoError, ValueError):
    """The libraries for pixels are not installed; the text says what to do."""


def png(svg: str, width: int = 800) -> bytes:
    """A picture of our own as PNG, so many pixels wide. Raises NoPictures."""
    try:
        import resvg_py
    except ImportError:
        raise NoPictures("PNG and GIF need two libraries: pip install 'qiqiao[pictures]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))


def gif(pictures: Iterable[str], width: int = 480, hold: int = HOLD) -> bytes:
    """Pictures of one size as an animation that goes on for ever. Raises NoPictures, ValueError for no picture."""
    try:
        from PIL import Image
    except ImportError:
        raise NoPictures("PNG and GIF need two libraries: pip install 'qiqiao[pictures]'") from None
    shots = [png(svg, width) for svg in pictures]
    if not shots:
        raise ValueError("no picture")

    def image(shot: bytes) -> Image.Image:
        return Image.open(io.BytesIO(shot)).convert("RGB")

    # One palette for all, without dithering: what does not change stays as it is, and the file small. It is made of
    # several of them, since an empty board has no colours for stones, and by coverage, since few points are marks.
    some = [image(shots[i * (len(shots) - 1) // 3]) for i in range(4)]
    height = some[0].height
    strip = Image.new("RGB", (some[0].width, height * len(some)))
    for at, one in enumerate(some):
        strip.paste(one, (0, at * height))
    palette = strip.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE)
    frames = [image(shot).quantize(palette=palette, dither=Image.Dither.NONE) for shot in shots]
    out = io.BytesIO()
    times = [hold] * (len(frames) - 1) + [max(hold, HOLD_LAST)]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False)
    return out.getvalue()
