export const NAMES = ['Ada', 'Grace'];
