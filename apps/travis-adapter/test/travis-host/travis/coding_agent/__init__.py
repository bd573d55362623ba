"""A stand-in for the host, with no more than the extension needs."""
