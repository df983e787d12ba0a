import { toCents } from './money.js';

/** The sum of all items in cents. */
export function subtotal(items) {
  return items.reduce((sum, { price, count }) => sum + toCents(price) * count, 0);
}

/** Orders of 50.00 and more ship for free. */
export function shipping(cents) {
  return cents > 5000 ? 0 : 495;
}
