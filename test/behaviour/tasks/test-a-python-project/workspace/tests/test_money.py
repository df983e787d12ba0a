import unittest

from invoices.money import cents
from invoices.total import total


class MoneyTest(unittest.TestCase):
    def test_rounds_half_up(self):
        self.assertEqual(cents(0.125), 13)

    def test_total(self):
        self.assertEqual(total([{"price": 1.5, "count": 2}]), 300)


if __name__ == "__main__":
    unittest.main()
