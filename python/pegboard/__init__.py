"""Hosts Python tools for agents."""
