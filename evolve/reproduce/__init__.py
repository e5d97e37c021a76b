"""Published numbers beside ours."""
