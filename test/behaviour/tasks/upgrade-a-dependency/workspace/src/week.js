import { addDays, formatDate } from 'dates';

/** The days of a week from a date on. */
export const week = (first) => Array.from({ length: 7 }, (_, day) => formatDate(addDays(first, day)));
