"""Published rules and agents, quirks included."""
