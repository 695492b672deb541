"""The subcommands of ``crane``, one module each: ``add(subparsers)`` declares it, ``run(options)`` does it."""
