"""One loop in Python."""
from share import SECONDS, burn

burn(SECONDS)
