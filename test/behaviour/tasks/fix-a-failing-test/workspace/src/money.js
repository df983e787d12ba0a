/** A price such as 19.99 in cents. */
export function toCents(price) {
  return price * 100;
}

/** Cents with two decimals. */
export function format(cents) {
  return (cents / 100).toFixed(1);
}
