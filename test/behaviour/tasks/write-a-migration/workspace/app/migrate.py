"""Applies the migrations to a database."""

import pathlib
import sqlite3
import sys


def migrate(path: str) -> list[str]:
    connection = sqlite3.connect(path)
    connection.execute("create table if not exists applied (name text primary key)")
    done = {row[0] for row in connection.execute("select name from applied")}
    names = []
    for file in sorted(pathlib.Path("migrations").glob("*.sql")):
        if file.name in done:
            continue
        connection.executescript(file.read_text())
        connection.execute("insert into applied values (?)", (file.name,))
        names.append(file.name)
    connection.commit()
    return names


if __name__ == "__main__":
    print("\n".join(migrate(sys.argv[1])))
