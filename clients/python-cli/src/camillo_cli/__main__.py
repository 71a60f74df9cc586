"""`python -m camillo_cli` is the same as `camillo`."""

import sys

from camillo_cli import main

if __name__ == "__main__":
    sys.exit(main())
