"""What players know, exactly, in machine code."""
