import os
import tempfile
import unittest

from app.migrate import migrate
from app.users import names


class Users(unittest.TestCase):
    def test_names(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "shop.db")
            migrate(path)
            self.assertEqual(names(path), ["Ada", "Bob"])
