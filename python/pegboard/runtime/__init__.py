"""Owns the pure-Python half of both Python runners: import a file, collect its tools, describe them, judge what they do.

Must not print, must not import the compiled module, and must not read files beside itself: the embedded host serves this
package from memory.
"""
