"""The formats of Xiangqi beside PGN and lines of text, told by their content."""

from __future__ import annotations

from engines.text import binary_kind, decode_marked, decode_text
from engines.xiangqi.records.cbf import is_cbf, read_cbf
from engines.xiangqi.records.cbr import is_cbl, is_cbr, read_cbl, read_cbr
from engines.xiangqi.records.dhtmlxq import is_dhtmlxq, read_dhtmlxq
from engines.xiangqi.records.lists import has_tags
from engines.xiangqi.records.values import Record
from engines.xiangqi.records.xqf import is_xqf, read_xqf

_SAMPLE = 1 << 20


def format_of(data: bytes) -> str:
    """XQF, CBR, CBL, DhtmlXQ or CBF; "" for anything else."""
    for name, fits in (("XQF", is_xqf), ("CBR", is_cbr), ("CBL", is_cbl)):
        if fits(data):
            return name
    if binary_kind(data[:_SAMPLE]):
        return ""
    text = decode_text(data[:_SAMPLE])
    return "DhtmlXQ" if is_dhtmlxq(text) else "CBF" if is_cbf(text) else ""


def is_record(data: bytes) -> bool:
    """Whether a file holds records that their content tells, PGN included, and no lines of text."""
    if format_of(data):
        return True
    return not binary_kind(data[:_SAMPLE]) and has_tags(decode_text(data[:_SAMPLE]))


def read_foreign(data: bytes, name: str, encoding: str | None = None) -> list[Record]:
    """All games of a file in the format of that name. ValueError for one that can't be read."""
    if name == "XQF":
        return [read_xqf(data, encoding)]
    if name == "CBR":
        return [read_cbr(data)]
    if name == "CBL":
        return list(read_cbl(data))
    text = decode_marked(data, encoding) if encoding else decode_text(data)
    return list(read_dhtmlxq(text) if name == "DhtmlXQ" else read_cbf(text))
