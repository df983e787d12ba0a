import { formatEntry } from './format.js';

export class Ledger {
  constructor() {
    this.entries = [];
  }

  add(text, cents) {
    this.entries.push({ text, cents });
  }

  total() {
    return this.entries.reduce((sum, { cents }) => sum + cents, 0);
  }

  print() {
    return this.entries.map(formatEntry).join('\n');
  }
}
