def to_celsius(value: float, unit: str) -> float:
    """The temperature in degrees Celsius."""
    return {"C": value, "F": (value - 32) * 5 / 9, "K": value - 273.15}[unit]
