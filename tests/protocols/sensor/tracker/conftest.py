"""What several files of tests of the tracker need."""

import pytest


@pytest.fixture(params=["occ", "pol"])
def sensing(request):
    """What a Go board senses: occupancy or colour."""
    return request.param
