"""Other programs, run quietly to learn something from them."""

import subprocess
from collections.abc import Mapping, Sequence


def output_of(
    command: Sequence[str],
    seconds: float,
    *,
    environment: Mapping[str, str] | None = None,
    folder: str | None = None,
    given: bytes = b"",
) -> subprocess.CompletedProcess[bytes] | None:
    """What ``command`` printed and how it ended; None where it could not start or took too long.

    ``seconds`` is the longest it may take; then it is killed. It reads ``given`` as its standard
    input and has ``environment`` and the working ``folder``, where None means our own. Its exit
    status is the caller's to look at.
    """
    try:
        return subprocess.run(
            command,
            check=False,
            env=environment,
            cwd=folder,
            input=given,
            capture_output=True,
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
