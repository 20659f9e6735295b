NAME = "later"
