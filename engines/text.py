"""Text that people and other programs write, whichever the editor, the system and the age.

One decoder for everything: a byte-order mark, else the encoding that is named, else UTF-8, else whichever of the
encodings of East Asia and the West makes the most usual characters of it (``readings`` has them all, likeliest first,
for readers who can tell a right reading from a wrong one).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from engines.files import read_bytes

MAX_LINES_BYTES = 16 * 1024 * 1024
"""The largest text file of lines that is read."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FILLING = {0: " ", 0x1A: " "}
"""What old systems end a file with, or fill it up with: NUL and DOS's end of file."""

_GUESSES = ("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "cp1252", "cp1258", "utf-8")
"""What text that is no UTF-8 may be in, the likeliest first where two readings are as good; the last for UTF-8 that is
damaged or cut short."""

_SAMPLE = 2000
"""The characters beyond ASCII that a reading is judged by."""

_ALIASES = {
    **dict.fromkeys(("gb2312", "gbk", "hp15cn"), "gb18030"),  # files said to be GB2312 use characters beyond it
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Charsets that are read as the larger one which has them in it; names as Python's codecs have them."""

_OTHER_NAMES = {
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "x-euc-jp": "euc_jp",
    "ms_kanji": "cp932",
    "big5-eten": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "unicode": "utf-8",
    "x-windows-949": "cp949",
}

_CHARSET = re.compile(
    r"ascii|utf-?(8|16|32)(-?[lb]e)?|utf-8-sig|gb18030|gbk|gb2312|hz|big5(hkscs)?|cp\d+|shift_jis(x0213|_2004)?"
    r"|euc_(jp|jisx0213|jis_2004|kr)|iso2022_(jp|kr)\w*|johab|iso8859-\d+|koi8-[rut]|kz1048|ptcp154|mac-?\w+|tis-620"
)
"""The names, as Python's codecs have them, of what is a character set and no other kind of codec."""

# The characters met most often in the names of players, in moves, results and remarks. Of readings that are as good by
# their encoding the one with more of these is taken.
_FREQUENT = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖萧蕭田董袁潘于蒋蔣蔡余杜叶葉程"
    "苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵万萬钱錢严嚴"
    "柯洁潔古力常昊聂聶卫衛平晓曉春光雄银銀川钦欽荣榮华華国國海峰峯文明志伟偉建军軍强強勇俊杰傑红紅天元心小大之一二三四五六七八九十"
    "黑白胜勝负負和先后後中盘盤局着手目子贴貼让讓弃棄认認输輸超时時段级級业業余餘职職棋围圍象车車炮砲包兵卒士仕相将將帅帥进進退前平变變"
    "的是不了在有人这這上个個来來到说說们們为為你我他她地出道也时時要就可以对對生会會那得自于於子去过過家学學下好能作里裡用分还還发發"
    "成事只想看样樣起多没沒然行无無同年经經主动動工面方产產种種发發比赛賽杯届屆第轮輪赛冠军軍战戰名人本因坊世界业省市队隊北京上海广廣"
    "の人本田山井村野川口中木加藤佐高橋渡辺伊小林斎松清吉石長谷戦級段初手先番勝コミ半目持時間分秒読"
    "김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민진지나원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모"
    "승흑백대국기전결승제회단급덤집반불계시간초읽"
)


def decode_text(data: bytes | str, encoding: str | None = None, whole: Callable[[str], bool] | None = None) -> str:
    """The text of a file: by its byte-order mark, else by ``encoding``, else as UTF-8, else by the likeliest guess.

    ``whole`` tells of a reading whether it makes sense: then ``encoding`` is only the first to try, and the likeliest
    reading that makes sense is taken. What a file is filled up with counts as blanks.
    """
    if isinstance(data, str):
        return _cleaned(data)
    if not encoding and data.isascii() and b"\0" not in data and b"\x1b$" not in data:
        return _cleaned(data.decode("ascii"))
    if encoding and whole is None and not data.startswith(tuple(mark for mark, _ in _MARKS)):
        return _cleaned(data.decode(encoding, "replace"))
    first: str | None = None
    for text in readings(data, encoding):
        if whole is None or whole(text):
            return text
        first = text if first is None else first
    assert first is not None
    return first


def readings(data: bytes, encoding: str | None = None) -> Iterator[str]:
    """What bytes may mean as text, likeliest first. There is one reading at least, and only one where it is sure."""
    for _, text in named_readings(data, encoding):
        yield text


def named_readings(data: bytes, encoding: str | None = None) -> Iterator[tuple[str, str]]:
    """As ``readings``, each with Python's name of its encoding (``ascii`` where any would do)."""
    for mark, marked in _MARKS:
        if data.startswith(mark):
            yield marked, _cleaned(data.decode(marked, "replace"))
            return
    wide = _wide(data)
    if wide:
        yield wide, _cleaned(data.decode(wide, "replace"))
        return
    if encoding:
        with suppress(UnicodeError, LookupError):
            yield encoding, _cleaned(data.decode(encoding))
    elif b"\x1b$" in data:  # the shifts of Japanese mail: all of it is ASCII
        yield "iso2022_jp", _cleaned(data.decode("iso2022_jp", "replace"))
        return
    try:
        yield "ascii" if data.isascii() else "utf-8", _cleaned(data.decode("utf-8"))
        return
    except UnicodeDecodeError:
        pass
    read = [(name, data.decode(name, "replace")) for name in _GUESSES]
    for name, text in sorted(read, key=lambda pair: -_likeliness(*pair)):
        yield name, _cleaned(text)


def decode_marked(data: bytes, encoding: str) -> str:
    """The text of bytes in an encoding that is named; a byte-order mark goes before it. What can't be decoded is
    replaced.
    """
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return _cleaned(data.decode(marked, "replace"))
    return _cleaned(data.decode(encoding, "replace"))


def charset(name: str) -> str | None:
    """Python's name for the charset that a file says it is in; None where that is no charset at all."""
    name = name.strip().lower()
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    if not _CHARSET.fullmatch(found):
        return None
    return _ALIASES.get(found, found)


def _cleaned(text: str) -> str:
    return text.removeprefix("\ufeff").translate(_FILLING)


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: in text with some ASCII every other byte is often NUL."""
    start = data[:4096]
    pairs = len(start) // 2
    high, low = start[0 : 2 * pairs : 2].count(0), start[1 : 2 * pairs : 2].count(0)
    if max(high, low) * 4 < pairs or min(high, low) * 8 > max(high, low) or pairs < 4:
        return ""
    return "utf-16-be" if high > low else "utf-16-le"


def _likeliness(encoding: str, text: str) -> float:
    """How usual the characters beyond ASCII of a reading are: about 1 for the most usual ones, below 0 for nonsense."""
    total = count = 0.0
    for match in re.finditer(r"[^\x00-\x7f]+", text):
        run = match.group()
        before = text[max(match.start() - 1, 0) : match.start()]
        for character in run[: _SAMPLE - int(count)]:
            if encoding == "cp1258" and character in _TONES:  # a tone belongs to the vowel before it
                total += 0.7 if before.lower() in _VOWELS else -1.0
            else:
                total += _usual(encoding, character, len(run))
            before = character
            count += 1
        if count >= _SAMPLE:
            break
    if encoding == "cp1258" and not _TONES.intersection(text):  # then it is as likely another language's
        return min(total, 0.0)
    return total / count if count else 0.0


_TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")
_VOWELS = frozenset("aăâeêioôơuưy")
_VIETNAMESE = dict.fromkeys("ăâđêôơưĂÂĐÊÔƠƯ", 0.6)
"""Windows-1258 has Vietnamese as vowels and the tones behind them, each a byte."""


def _usual(encoding: str, character: str, run: int) -> float:
    """How usual a character is in a run of so many beyond ASCII, were the text in that encoding."""
    if character == "\ufffd" or "\ue000" <= character <= "\uf8ff":
        return -3.0
    if encoding == "utf-8":
        return 0.9  # what is left of UTF-8 is hardly there by chance
    if "\x80" <= character < "\xa0":
        return -1.0
    if character == "\xff" and encoding in ("cp1252", "cp1258"):  # erased memory rather than a letter
        return -4.0
    if encoding == "cp1258":
        return _VIETNAMESE.get(character, 0.5 if run <= 2 and character.isalpha() else 0.0)
    if encoding == "cp1252":  # letters of the West stand alone among others
        return 0.5 if run <= 2 and character.isalpha() else 0.0
    if character in _FREQUENT:
        return 1.0
    try:
        code = character.encode(encoding)
    except UnicodeEncodeError:
        return 0.0
    if len(code) != 2:
        return 0.0
    return 0.6 if any(low <= code[0] <= high and code[1] >= least for low, high, least in _LEVELS[encoding]) else 0.1


_LEVELS = {
    "gb18030": ((0xA1, 0xA3, 0xA1), (0xB0, 0xD7, 0xA1)),
    "big5hkscs": ((0xA1, 0xC6, 0x40),),
    "cp932": ((0x81, 0x83, 0x40), (0x88, 0x97, 0x40)),
    "euc_jp": ((0xA1, 0xA5, 0xA1), (0xB0, 0xCF, 0xA1)),
    "cp949": ((0xA1, 0xA3, 0xA1), (0xB0, 0xC8, 0xA1)),
}
"""First bytes, and the least second byte, of the signs and the first level of each encoding: the usual characters."""


# ---- files of lines, and files that are no text


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that say something, with their numbers; a line that begins with ``#`` is a comment.

    Raises OSError, and ValueError for a file that is no text, named for what it is.
    """
    data = read_bytes(path, MAX_LINES_BYTES)
    kind = binary_kind(data)
    if kind:
        raise ValueError(f"{path} is {kind}, and no text")
    for number, line in enumerate(decode_text(data).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


_KINDS = (
    (b"XQ", "a record of XQStudio (.xqf)"),
    (b"CCBridgeLibrary", "a library of CCBridge (.cbl)"),
    (b"CCBridge Record", "a record of CCBridge (.cbr)"),
    (b"SQLite format 3\0", "an SQLite file (an opening book .obk, if anything)"),
    (b"PK\x03\x04", "a zip archive"),
    (b"Rar!", "a rar archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_SMALL_KINDS = frozenset((b"XQ", b"MZ"))
"""Beginnings that a text may have too: there must be bytes behind that no text has."""

_NO_TEXT = re.compile(rb"[\x01-\x06\x0e-\x19\x1c-\x1f]")


def binary_kind(data: bytes) -> str:
    """What a file is that is no text, in words with an article; "" for text."""
    for start, words in _KINDS:
        if data.startswith(start) and (start not in _SMALL_KINDS or _odd(data)):
            return words
    if data.startswith(tuple(mark for mark, _ in _MARKS)) or _wide(data):
        return ""
    return "a binary file" if len(_NO_TEXT.findall(data[:4096])) * 20 > min(len(data), 4096) else ""


def _odd(data: bytes) -> bool:
    return b"\0" in data[:64] or _NO_TEXT.search(data[:64]) is not None
