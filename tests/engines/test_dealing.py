"""Dealing: fair, repeatable by a seed, committed to."""

from collections import Counter
from hashlib import sha256
from itertools import permutations

from engines.dealing import Deal, opens, shuffle, source


def test_every_order_is_as_likely():
    below = source(1)
    counts = Counter("".join(shuffle("abcd", below)) for _ in range(24000))
    assert set(counts) == {"".join(order) for order in permutations("abcd")}
    assert min(counts.values()) > 800 and max(counts.values()) < 1200


def test_a_seed_and_the_system():
    assert Deal.shuffled("KGMRNCPkgmrncp", 3).letters == Deal.shuffled("KGMRNCPkgmrncp", 3).letters
    assert Deal.shuffled("KGMRNCPkgmrncp", 3).salt == Deal.shuffled("KGMRNCPkgmrncp", 3).salt
    assert Deal.shuffled("KGMRNCPkgmrncp").salt != Deal.shuffled("KGMRNCPkgmrncp").salt


def test_a_commitment():
    deal = Deal("KGM", "00ff")
    assert deal.commitment == sha256(b"KGM\x00\xff").hexdigest()
    assert opens(deal.commitment, "KGM", "00ff") and not opens(deal.commitment, "KMG", "00ff")
    assert not opens(deal.commitment, "KGM", "xyz")
