import { expect, it } from 'vitest';
import { withFirstScreen } from '#server/http/first-screens.ts';

const one = (locale: string) => ({
  entry: [`assets/words-${locale}.js`],
  frame: ['assets/console.js', 'assets/console.css'],
  screens: { '/home': ['assets/home.js'], '/users': ['assets/users.js'], '/devices/events': ['assets/events.js'] },
});
const screens = { en: one('en'), ru: one('ru') };
/** Files that the page at an address has fetched ahead. */
const ahead = (path: string, accepted?: string): string[] =>
  [...withFirstScreen('<head></head>', screens, path, accepted).matchAll(/href="\/assets\/([^"]+)"/g)].map(([, file = '']) => file);

it('names what the screen at an address waits for', () => {
  expect(ahead('/users')).toEqual(['words-en.js', 'console.js', 'console.css', 'users.js']);
  expect(ahead('/users/5')).toEqual(['words-en.js', 'console.js', 'console.css']);
  expect(ahead('/login')).toEqual(['words-en.js']);
  expect(ahead('/constructor')).toEqual(['words-en.js']);
});

it('in the language that the browser asks for first among those there are', () => {
  expect(ahead('/login', 'de-DE,ru;q=0.9,en;q=0.8')).toEqual(['words-ru.js']);
  expect(ahead('/login', 'de')).toEqual(['words-en.js']);
});

it('leaves the page of another build as it is', () => {
  expect(withFirstScreen('<head></head>', {}, '/users')).toBe('<head></head>');
});
