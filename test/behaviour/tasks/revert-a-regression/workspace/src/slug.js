/** A slug of a title. */
export const slug = (title) => title.trim().toLowerCase().replaceAll(' ', '-');
