"""Evolution, export, tournaments and the command line."""
