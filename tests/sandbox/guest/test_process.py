"""What the kernel refuses ends a run's preparation, rather than being passed over."""

import errno

import pytest

from decklab.sandbox.guest.process import close_memory, unmount, unshare


def test_a_call_that_the_kernel_refuses_raises_its_own_error() -> None:
    with pytest.raises(OSError, match="new namespaces: Invalid argument") as caught:
        unshare(1)  # no flag of unshare(2)
    assert caught.value.errno == errno.EINVAL
    # Whoever may mount meets a folder that is not there, everybody else the missing right.
    for call, what in ((unmount, "unmounting"), (close_memory, "closing")):
        with pytest.raises(OSError, match=f"{what} /no/such/folder") as caught:
            call("/no/such/folder")
        assert caught.value.errno in (errno.ENOENT, errno.EPERM, errno.EINVAL)
