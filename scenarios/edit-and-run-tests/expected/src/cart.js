import { formatPrice, percentOf } from './money.js';

const SHIPPING = 490;
const FREE_SHIPPING_FROM = 5000;

/** What the items cost, before discount and shipping. */
export function subtotal(items) {
  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

/** Shipping is free from 50.00 on. */
export function shipping(amount) {
  if (amount >= FREE_SHIPPING_FROM) return 0;
  return SHIPPING;
}

/** What the customer pays: items less discount, plus shipping. */
export function total(items, discountPercent = 0) {
  const amount = subtotal(items);
  const discounted = amount - percentOf(amount, discountPercent);
  return discounted + shipping(discounted);
}

/** One line per item, then shipping and total. */
export function receipt(items, discountPercent = 0) {
  const lines = items.map((item) => `${item.quantity} x ${item.name}: ${formatPrice(item.price * item.quantity)}`);
  const amount = subtotal(items);
  const discount = percentOf(amount, discountPercent);
  if (discount > 0) lines.push(`discount: ${formatPrice(-discount)}`);
  lines.push(`shipping: ${formatPrice(shipping(amount - discount))}`);
  lines.push(`total: ${formatPrice(total(items, discountPercent))}`);
  return lines.join('\n');
}
