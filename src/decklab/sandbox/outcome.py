"""What a run in a sandbox comes to."""

from dataclasses import dataclass

__all__ = ["Outcome", "Plain", "ServiceCall"]

Plain = None | bool | int | float | str | bytes | list["Plain"] | dict[str, "Plain"]
"""Plain data: what JSON can say (numbers finite, keys text), and bytes."""


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """One call of a service by the code.

    ``args`` and ``kwargs`` are what the code sent, which nobody vouches for; ``answer`` is what
    it got, or None where the call was ``refused``; ``seconds`` is the time the host took.
    """

    name: str
    args: tuple[Plain, ...]
    kwargs: dict[str, Plain]
    answer: str | None
    refused: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended well.

    ``value`` is the result, ``stdout`` and ``stderr`` what was printed, ``seconds`` the time of
    the run without the time spent waiting for services, ``calls`` the services it called.
    """

    value: Plain
    stdout: str
    stderr: str
    seconds: float
    calls: tuple[ServiceCall, ...]
