export const formatDate = (date) => date.toISOString().slice(0, 10);
export const addDays = (date, days) => new Date(date.getTime() + days * 86_400_000);
