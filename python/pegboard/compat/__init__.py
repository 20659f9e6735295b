"""Stand-in modules for frameworks that tool files import and that are not installed.

Owns what answers `import dreadnode`, `import rigging` and the like. Nothing here is imported before a tool
file asks for it: `finder` answers the import, `modules` says which paths and names there are.
"""
