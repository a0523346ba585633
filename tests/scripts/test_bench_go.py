"""The regression set of positions is well formed: every answer named as right is a legal move."""

import importlib.util
import sys

from support import ROOT

from engines.go.vertex import parse_vertex

spec = importlib.util.spec_from_file_location("bench_go", ROOT / "scripts" / "bench_go.py")
bench_go = importlib.util.module_from_spec(spec)
sys.modules["bench_go"] = bench_go  # dataclasses look their module up
spec.loader.exec_module(bench_go)


def test_answers_are_legal_moves():
    asked = list(bench_go.questions())
    assert len(asked) >= 12
    for question in asked:
        assert question.right or question.wrong
        for vertex in question.right | question.wrong:
            point = parse_vertex(vertex, question.game.width, question.game.height)
            assert question.game.is_legal(question.color, point), (question.name, vertex)
