"""``python -m crane_bridge`` is the ``crane`` command."""

from .cli import main

raise SystemExit(main())
