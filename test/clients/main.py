"""Runs all cases: python main.py, with CORTEXDB_URL, CORTEXDB_API_KEY and CORTEXDB_ACTOR."""

import sys

import sdk  # noqa: F401
import retention  # noqa: F401
import connectors  # noqa: F401
import command_line  # noqa: F401
import mcp_tools  # noqa: F401
from judging import judge

sys.exit(judge())
