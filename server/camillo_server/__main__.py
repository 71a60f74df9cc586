"""`python -m camillo_server` is the same as `camillo`."""

import sys

from camillo_server.cli import main

if __name__ == "__main__":
    sys.exit(main())
