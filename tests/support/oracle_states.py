"""The records of the brute-force oracle in our numbers. Format: tests/golden/README.md.

The environment variable KRIPKE_ORACLE names another file of the format.
"""

import gzip
import json
import os
from collections import Counter
from pathlib import Path

from paths import ROOT

from hanabi.knowledge.plain_interface import HandKnowledge


def oracle_file():
    return Path(os.environ.get("KRIPKE_ORACLE") or ROOT / "tests/golden/kripke_oracle.jsonl.gz")


def records():
    with gzip.open(oracle_file(), "rt") as lines:
        for line in lines:
            yield json.loads(line)


class State:
    """A record of the oracle in our numbers: card types are 5 * colour + rank - 1 whatever the
    number of ranks.
    """

    def __init__(self, record):
        self.players, self.me, ranks = record["players"], record["active"], len(record["copies"])
        self.types = [5 * (card // ranks) + card % ranks for card in range(record["ncol"] * ranks)]
        width = max(len(hand) for hand in record["hands"])
        self.sizes = [len(hand) for hand in record["hands"]]
        self.hands = [
            [self.types[card] for card in hand] + [-1] * (width - len(hand))
            for hand in record["hands"]
        ]
        self.masks = [
            [
                self.bits(card for card in range(len(self.types)) if mask >> card & 1)
                for mask in masks
            ]
            + [0] * (width - len(masks))
            for masks in record["masks"]
        ]
        self.left, alive = [0] * 30, [0] * 30
        for card, gone in enumerate(record["discards"]):
            alive[self.types[card]] = record["copies"][card % ranks] - gone
            self.left[self.types[card]] = alive[self.types[card]] - (
                card % ranks < record["fireworks"][card // ranks]
            )
        self.sets = Counter()
        for card in self.types:
            colour, rank = divmod(card, 5)
            done = record["fireworks"][colour]
            lost = any(alive[5 * colour + lower] == 0 for lower in range(done, rank))
            kind = (
                "dead"
                if rank < done
                else "unreach"
                if lost
                else "disp"
                if alive[card] > 1
                else "crit"
            )
            if alive[card]:
                self.sets[kind] |= 1 << card
                if rank == done:
                    self.sets["play"] |= 1 << card

    def bits(self, cards):
        return sum(1 << self.types[card] for card in cards)

    def sight(self, seat):
        return HandKnowledge.of(self.masks, self.hands, seat, self.left)
