"""Dynamic epistemic logic as in a textbook, and the structure of Irvall's thesis."""
