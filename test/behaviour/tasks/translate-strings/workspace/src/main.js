import { t } from './i18n.js';

const locale = process.env.APP_LOCALE ?? 'en';
console.log(t(locale, 'greeting', { name: 'Ada' }));
console.log('You have 3 items');
