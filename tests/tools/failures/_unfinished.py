def unfinished(:
