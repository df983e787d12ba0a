import { formatDate } from 'dates';

/** The title of a page. */
export const title = (date) => `Calendar of ${formatDate(date)}`;
