"""What runs found, and why: their winners taken apart, over all of them."""
