import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def one_thread():
    """On so few samples, synchronising threads costs more than they save."""
    with threadpool_limits(1):
        yield
