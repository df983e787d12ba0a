import unittest

from tempconv.convert import to_celsius


class ConvertTest(unittest.TestCase):
    def test_fahrenheit(self):
        self.assertEqual(to_celsius(212, "F"), 100)
