/** Prices are whole cents, so that sums stay exact. */

/** `1999` becomes `19.99`. */
export function formatPrice(cents) {
  const sign = cents < 0 ? '-' : '';
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The given percentage of a price, rounded half up to a whole cent. */
export function percentOf(cents, percent) {
  return Math.floor((cents * percent + 50) / 100);
}
