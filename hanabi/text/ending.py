"""How a game ended, in words."""

from hanabi.game_record import Game
from hanabi.moves import NAMES

NOT_OVER = "not over yet"
ENDINGS = {
    "deck": "the deck ran out",
    "lives": "the last life is lost",
    "perfect": "every firework is finished",
    "hopeless": "no needed card can be played any more",
    "forfeit": "forfeited",
    "terminated": "{who} ended the game",
    "vote": "the players voted to end the game",
    "timeout": "{who} ran out of time",
    "idle": "the site ended the game, as nobody moved any more",
    "speedrun": "a perfect score cannot be reached any more, which ends a speedrun",
    "all-or-nothing": "a perfect score cannot be reached any more, which ends all or nothing",
    "softlock": "{who} has no move left",
    "": NOT_OVER,
}


def ending_text(game: Game) -> str:
    """Return how a game ended, such as ``Ann ended the game``."""
    seat = game.stop.seat if game.stop else -1
    return ENDINGS[game.end].format(who=NAMES[seat] if seat >= 0 else "a player")
