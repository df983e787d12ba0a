"""Reads users."""

import sqlite3


def names(path: str) -> list[str]:
    return [row[0] for row in sqlite3.connect(path).execute("select name from users order by id")]
