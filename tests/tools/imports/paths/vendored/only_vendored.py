NAME = "only_vendored"
