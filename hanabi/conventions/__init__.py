"""What hints came to mean: public marks, conventions and what follows from them."""
