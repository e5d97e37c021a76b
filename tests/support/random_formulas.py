"""Random formulas."""
from hypothesis import strategies as st

from hanabi.logic.formulas import And, Announced, CommonKnowledge, Considers, DistributedKnowledge, EverybodyKnows, Implies, Knows, Not, Or


def formulas(agents, atoms, leaves=12):
    """Random formulas over so many agents and over these atoms."""
    agent = st.integers(0, agents - 1)
    group = st.lists(agent, min_size=1, max_size=agents).map(tuple)

    def deeper(part):
        parts = st.one_of(st.just(()), st.lists(part, min_size=2, max_size=3).map(tuple))
        return st.one_of(st.builds(Not, part), st.builds(And, parts), st.builds(Or, parts),
                         st.builds(Implies, part, part), st.builds(Knows, agent, part),
                         st.builds(Considers, agent, part), st.builds(EverybodyKnows, group, part),
                         st.builds(CommonKnowledge, group, part), st.builds(DistributedKnowledge, group, part),
                         st.builds(Announced, part, part))
    return st.recursive(st.sampled_from(atoms), deeper, max_leaves=leaves)
