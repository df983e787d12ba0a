def cents(amount: float) -> int:
    """The amount in cents."""
    return round(amount * 100)
