import { shipping, subtotal } from './cart.js';
import { format } from './money.js';

/** The lines of a receipt. */
export function receipt(items) {
  const sum = subtotal(items);
  return [
    ...items.map(({ name, count }) => `${count} ${name}`),
    `Shipping ${format(shipping(sum))}`,
    `Total ${format(sum)}`,
  ];
}
