"""The referee's game: set-up, handicap, the end by passes and by long cycles, the button, dead stones."""

import pytest

from engines.errors import IllegalMove
from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, PASS, WHITE, parse_diagram
from engines.go.rules import preset
from engines.go.vertex import parse_vertex


def play(game: Game, moves: str) -> None:
    words = moves.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        game.play_as(BLACK if color == "B" else WHITE, parse_vertex(vertex, game.width, game.height))


def game_from(diagram: str, rules: str = "chinese", to_move: int = BLACK) -> Game:
    width, height, stones = parse_diagram(diagram)
    game = Game(width, height, preset(rules))
    game.set_position(stones, to_move)
    return game


def test_a_new_game_takes_komi_and_first_player_from_the_rules():
    assert Game(19).komi == 7.5 and Game(19).to_move == BLACK
    ancient = Game(19, rules=preset("ancient-chinese"))
    assert ancient.komi == 0 and ancient.to_move == WHITE
    assert Game(9, komi=-3).komi == -3
    assert (Game(5, 7).width, Game(5, 7).height) == (5, 7)


def test_changing_the_rules_keeps_moves_and_komi():
    game = Game(9)
    play(game, "B C3 W D4")
    game.set_rules(preset("japanese"))
    assert game.komi == 7.5 and len(game.moves) == 2
    game.clear()
    game.set_rules(preset("ancient-chinese"))
    assert game.to_move == WHITE


def test_handicap_is_no_turn_and_white_moves_first():
    game = Game(9)
    game.place_handicap([20, 60])
    assert game.handicap == 2 and game.to_move == WHITE and game.moves == []
    with pytest.raises(IndexError):
        game.undo()
    game.clear()
    assert game.handicap == 0


@pytest.mark.parametrize("points", [[1], [1, 1], [1, 81], [-1, 3], list(range(81)), []])
def test_bad_handicap_changes_nothing(points):
    game = Game(9)
    with pytest.raises(ValueError, match="bad vertex list"):
        game.place_handicap(points)
    assert game.board.stones() == bytes(81) and game.handicap == 0


def test_handicap_needs_an_empty_board():
    game = Game(9)
    play(game, "B PASS")
    with pytest.raises(ValueError, match="board not empty"):
        game.place_handicap([20, 60])


def test_two_passes_end_the_game_until_play_resumes():
    game = Game(9)
    play(game, "B PASS")
    assert game.ending is None
    play(game, "W PASS")
    assert game.ending == "passes"
    play(game, "B C3")
    assert game.ending is None
    game.undo()
    assert game.ending == "passes"


def test_the_first_pass_takes_the_button_and_does_not_end():
    game = Game(5, rules=preset("aga-button"))
    play(game, "B C3 W C2 B PASS W PASS")
    assert game.button_holder == BLACK and game.ending is None
    play(game, "B PASS")
    assert game.ending == "passes"
    assert game.score().black.button and not game.score().white.button
    other = Game(5, rules=preset("aga-button"))
    play(other, "B PASS W C2 B C3 W PASS B PASS")
    assert other.button_holder == BLACK and other.ending == "passes"


def triple_ko() -> Game:
    """Three kos: in the first and the third White can take, in the second Black."""
    return game_from(
        """
        . X O . . X O . . X O .
        X . X O X O . O X . X O
        . X O . . X O . . X O .
        . . . . . . . . . . . .
        """,
        "japanese",
        WHITE,
    )


def cycle(game: Game, rounds: int) -> None:
    """White takes in the first ko, Black in the second, White in the third, and so round and round."""
    white, black = ["B3", "K3", "F3"], ["G3", "C3", "L3"]
    for step in range(6 * rounds):
        if game.ending is not None:
            return
        if step % 2 == 0:
            play(game, f"W {white[step // 2 % 3]}")
        else:
            play(game, f"B {black[step // 2 % 3]}")


def test_triple_ko_is_no_result_at_the_third_occurrence():
    game = triple_ko()
    cycle(game, 3)
    assert game.ending == "no-result"
    assert game.board.turns == 12
    game.undo()
    assert game.ending is None


def test_superko_forbids_the_cycle_instead():
    game = triple_ko()
    game.set_rules(preset("tromp-taylor"))
    with pytest.raises(IllegalMove) as caught:
        cycle(game, 1)
    assert caught.value.reason == "superko" and game.board.turns == 5


def test_a_pass_for_other_threats_ends_no_cycle():
    game = triple_ko()
    cycle(game, 1)
    assert game.ending is None
    play(game, "W PASS")
    assert game.ending is None
    play(game, "B A1 W M1")
    assert game.ending is None


SENDING_TWO = "B A1 W PASS B B1 W B2 B A2 W PASS"
"""On two by two: Black makes it two stones, White takes them and passes while Black takes back."""


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_passes_around_sending_two_returning_one_make_a_cycle_too(rules):
    game = Game(2, rules=preset(rules))
    play(game, "B A2 W B2")
    play(game, SENDING_TWO)
    assert game.ending is None
    play(game, SENDING_TWO)
    assert game.ending == "no-result"
    game.undo()
    assert game.ending is None


def test_the_same_position_again_after_a_resumption_is_no_cycle():
    game = Game(5)
    play(game, "B C3")
    for _ in range(3):
        play(game, "W PASS B PASS")
        assert game.ending == "passes"
    play(game, "W D4")
    assert game.ending is None


def test_endless_captures_on_a_tiny_board_end_without_result():
    game = Game(2)
    while game.ending is None:
        legal = game.board.legal_points(game.to_move)
        assert legal, "on this board somebody can always take"
        game.play_as(game.to_move, legal[0])
    assert game.ending == "no-result"
    now = (game.board.stones(), game.to_move)
    states = []
    while game.board.turns:
        states.append((game.board.stones(), game.to_move))
        game.undo()
    states.append((game.board.stones(), game.to_move))
    assert states.count(now) == 3


def test_records_of_other_rules_can_be_replayed():
    game = Game(3, 2)
    play(game, "B A2 W B2 B B1 W A1")
    a2 = parse_vertex("A2", 3, 2)
    assert not game.is_legal(BLACK, a2)
    with pytest.raises(IllegalMove):
        game.play_as(BLACK, a2)
    game.accept_ko = True
    assert game.is_legal(BLACK, a2) and game.play_as(BLACK, a2) == 1
    assert not game.is_legal(BLACK, a2)


def test_scores_carry_prisoners_and_handicap():
    game = Game(5, rules=preset("japanese"), komi=0.5)
    play(game, "B A2 W A1 B B1 W C3")
    score = game.score()
    assert score.black.prisoners == 1 and score.white.prisoners == 0
    game = Game(9)
    game.place_handicap([20, 60, 24])
    assert game.score().handicap == 3


def test_copy_goes_its_own_way():
    game = Game(5, rules=preset("aga"), komi=1)
    play(game, "B C3 W D4")
    other = game.copy()
    assert other.moves == game.moves and other.komi == 1 and other.rules == game.rules
    other.undo()
    assert len(game.moves) == 2 and game.board.at(parse_vertex("D4", 5, 5)) == WHITE


def test_resize_keeps_rules_and_komi():
    game = Game(19, rules=preset("japanese"), komi=2)
    play(game, "B D4")
    game.resize(7, 5)
    assert (game.width, game.height, game.komi, game.rules.name) == (7, 5, 2, "japanese")
    assert game.moves == [] and game.board.at(0) == EMPTY
    with pytest.raises(ValueError):
        game.resize(26, 5)
    assert game.width == 7


def test_pass_is_always_legal():
    assert Game(1).is_legal(WHITE, PASS)
