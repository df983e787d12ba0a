from .money import cents


def total(items):
    return sum(cents(item["price"]) * item["count"] for item in items)
