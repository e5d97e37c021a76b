"""One place of a Batch once more, slow and obvious: a table, asked move by move."""

import numpy as np

from hanabi.action_ids import move_of
from hanabi.game import apply, is_over
from hanabi.many_games.kernels import seed_of
from hanabi.moves import FORFEIT
from hanabi.observations import encode
from hanabi.table import Table


class SlowPlace:
    """The games at a place; ``partner`` and ``seats`` by game say who plays what."""

    def __init__(self, variant, players, place, seed, zero=False):
        self.table, self.zero = Table(variant, players), zero
        self.number = 0
        self.seeds = [int(seed_of(np.uint64(seed), place, game)) for game in range(1000)]

    def begin(self, partner, seats):
        """Deal the next game and play to the learner's first move."""
        self.seed = self.seeds[self.number]
        self.number += 1
        self.partner, self.seats = [partner] * self.table.variant.seats, seats
        self.table.deal(self.seed, self.partner)
        company = tuple(self.table.players[place] for place in self.partner)
        self.sitting = [self.table.begin(company, seat) for seat in range(len(company))]
        self.reward, self.forfeited = 0, False
        return self.play_on()

    @property
    def is_over(self):
        return self.forfeited or is_over(self.table.view)

    def play_on(self):
        """Let partners move. Return whether the game is over."""
        view = self.table.view
        while not self.is_over and int(view.me) not in self.seats:
            move = self.table.ask(self.seed, self.partner, self.sitting).move
            if move == FORFEIT:
                self.forfeited = True
            else:
                self.apply(move)
        return self.is_over

    def apply(self, move):
        before = int(self.table.view.score)
        apply(self.table.state, self.table.view, int(move))
        self.reward += int(self.table.view.score) - before

    def taken_reward(self):
        """The points since the last call."""
        reward, self.reward = self.reward, 0
        return reward

    def step(self, number):
        """Make the learner's move. Return whether the game is over."""
        self.apply(move_of(self.table.view, number))
        over = self.play_on()
        if over and self.zero and self.table.view.lives == 0:
            self.reward -= self.score_kept
        return over

    @property
    def score_kept(self):
        return int(self.table.view.score)

    @property
    def score(self):
        return 0 if self.zero and self.table.view.lives == 0 else self.score_kept

    def last(self):
        """What the learner's first seat sees at the end."""
        return encode(self.table.view, state=self.table.state, seat=min(self.seats))

    def sees(self):
        return encode(self.table.view)
