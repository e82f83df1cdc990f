"""A trainer's client of the collapse-aware gateway, in the standard library alone."""

from .client import CollapseAwareClient
from .session_headers import session_headers
from .transport import GatewayError

__all__ = ["CollapseAwareClient", "GatewayError", "session_headers"]
__version__ = "0.1.0"
