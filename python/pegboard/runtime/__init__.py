"""Owns the pure-Python half of the Python runners: import files, collect and describe tools, judge calls.

Must not print, must not import the compiled module, and must not read files beside itself: the embedded
host serves this package from memory.
"""
