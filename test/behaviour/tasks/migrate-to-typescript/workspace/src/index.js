export { Ledger } from './ledger.js';
export { formatEntry } from './format.js';
