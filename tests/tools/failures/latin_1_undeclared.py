from pegboard import tool

TEXT = "grüße"
