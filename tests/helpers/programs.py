"""Other programs as players, made as the command line makes them."""

from protocols.commands.clients import client_class
from protocols.xiangqi.engine import EnginePlayer


def xiangqi_engine(spec, *arguments, **more):
    """A program that plays Xiangqi, in whatever protocol."""
    return EnginePlayer(spec, *arguments, make_client=client_class(spec.protocol), **more)
