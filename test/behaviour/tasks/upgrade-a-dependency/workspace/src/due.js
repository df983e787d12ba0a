import { addDays, formatDate } from 'dates';

/** The day on which an invoice is due. */
export const due = (date, days = 30) => formatDate(addDays(date, days));
