"""Stand-in for the tool API of dendrux, for files that import it where it is not installed.

Owns what `from dendrux import …` answers; `dendrux_names` beside this package says under which paths and
names. Nothing here runs an agent: names that would are placeholders.
"""
