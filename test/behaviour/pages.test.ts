import { playPages } from '../support/stories/behaviour-page.ts';

playPages(import.meta.dirname, 'command-line', 'mock', 'paths', 'secrets', 'stories', 'trust');
