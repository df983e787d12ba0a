import { playPages } from '../support/behaviour-page.ts';

playPages(import.meta.dirname, 'approval', 'chat', 'record');
