import { playPages } from '../support/stories/behaviour-page.ts';

playPages(import.meta.dirname, 'approval', 'chat', 'record');
