"""The checker: finds crashes that are certain, in the kernel, without running the cell."""

from __future__ import annotations

from .check import check_report
from .finding import Finding, Report

__all__ = ["Finding", "Report", "check_report"]
