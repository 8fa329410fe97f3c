import '#models/index.ts';
import { act, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogueMessage, type Problem } from '#models/problem.ts';
import { browserLocale, openTexts, type Texts } from '#src/app/i18n.ts';
import { areaTexts } from '#src/app/area-texts.ts';
import { ChunkFailed, loadChunk } from '#src/app/chunk.ts';
import { arriving } from '#src/app/arriving.ts';
import { later } from '#src/app/later.ts';
import { sayIssue, sayProblem, type Text, useText } from '#src/components/text.ts';
import { TextProvider } from '#src/components/text-provider.tsx';
import { I18nextProvider } from 'react-i18next';
import { Subject } from 'rxjs';
import { createActor, fromEventObservable, fromPromise, setup } from 'xstate';
import { longestWait } from '#tests/support/in-time.ts';

const wordsOf = (texts: Texts): Text => ({
  t: (key, params) => String(texts.i18n.t(key, params ?? {})),
  has: (key, params) => texts.i18n.exists(key, params ?? {}),
  locale: texts.locale(),
});
const say = async (locale: 'en' | 'ru', problem: Problem) => sayProblem(wordsOf(await openTexts(locale)), problem);

describe('a problem in words', () => {
  it.each([
    ['by its message, lower-cased and without quotes', { code: 'forbidden', message: `Can't Perform "Action"` }, /do not have permission/],
    [
      'by its catalogue message where parameters filled the sent one',
      { code: 'limit_exceeded', message: 'limit exceeded, used 7, max 5', data: { used: 7, max: 5 } },
      /7 used, at most 5 allowed/,
    ],
    ['a local one by its code', { code: 'offline' }, /./],
    ['one that only a number tells apart', { code: 'guest_days_limit', message: 'max days limit reached (1)', data: { max_days: 1 } }, /1 day\b/],
    [
      'with the names of unfit rows',
      { code: 'invalid_related', message: 'invalid related entity sent', data: { names: ['Lobby', 'Roof'] } },
      /Lobby, Roof/,
    ],
  ] as const)('%s', async (_name, problem, expected) => expect((await say('en', problem as unknown as Problem)).text).toMatch(expected));

  it('never by an id: unfit rows that nobody names are said without', async () => {
    const data = { names: ['00000000-0000-4000-8000-000000000099'] };
    const { text } = await say('en', { code: 'invalid_related', message: 'invalid related entity sent', data });
    expect(text).not.toContain('00000000');
    expect(text).toBe((await say('en', { code: 'invalid_related', message: 'invalid related entity sent' })).text);
  });

  it('unknown to the locales is said raw in English, as details in Russian', async () => {
    const problem: Problem = { code: 'bad_answer', message: 'the flux capacitor is empty' };
    const words = wordsOf(await openTexts('en'));
    expect(sayProblem({ ...words, has: (key) => key.startsWith('errors.http.') && words.has(key) }, problem)).toEqual({
      text: 'the flux capacitor is empty',
    });
    const russian = wordsOf(await openTexts('ru'));
    const said = sayProblem({ ...russian, has: () => false }, problem);
    expect([said.details, said.text]).toEqual(['the flux capacitor is empty', russian.t('errors.default_error')]);
  });

  it.each([
    ['en', 'locked_out', 60, 'Try again in 1 minute.'],
    ['en', 'locked_out', 59.2, 'Try again in 1 minute.'],
    ['en', 'locked_out', 121, 'Try again in 3 minutes.'],
    ['en', 'too_many_requests', 1, 'Try again in 1 second.'],
    ['en', 'too_many_requests', 42, 'Try again in 42 seconds.'],
    ['ru', 'locked_out', 60, 'Попробуйте снова через 1 минуту.'],
    ['ru', 'locked_out', 180, 'Попробуйте снова через 3 минуты.'],
    ['ru', 'locked_out', 900, 'Попробуйте снова через 15 минут.'],
    ['ru', 'too_many_requests', 21, 'Попробуйте снова через 21 секунду.'],
    ['ru', 'too_many_requests', 33, 'Попробуйте снова через 33 секунды.'],
    ['ru', 'too_many_requests', 45, 'Попробуйте снова через 45 секунд.'],
  ] as const)('in %s %s for %d seconds says how long to wait', async (locale, code, seconds, expected) => {
    expect((await say(locale, { code, message: catalogueMessage(code), data: { seconds } })).text).toContain(expected);
  });

  it.each([
    [
      'the message counts, whatever the status stands for',
      { code: 'bad_answer', status: 409, message: 'ITEM "Not" Found' },
      /^The item was not found/,
    ],
    [
      'a message nobody knows is said raw, not by what its status stands for',
      { code: 'not_found', status: 404, message: 'no such lamp' },
      /^no such lamp$/,
    ],
    ['no message at all is said by default', { code: 'internal', status: 500 }, /^Error performing action\. Contact support\.$/],
    ['what never crossed the wire is said by its code', { code: 'not_found' }, /^The item was not found/],
    ['an answer that could not be read', { code: 'bad_answer' }, /could not be read/],
  ] as const)('from any server (spec B8): %s', async (_name, problem, expected) => expect((await say('en', problem)).text).toMatch(expected));

  it('without code words or message is said by default', async () => {
    const words = wordsOf(await openTexts('en'));
    expect(sayProblem({ ...words, has: () => false }, { code: 'internal' })).toEqual({ text: 'Error performing action. Contact support.' });
  });
});

describe('a finding in words', () => {
  it.each([
    ['en', 1, '1 character'],
    ['en', 31, '31 characters'],
    ['ru', 1, '1 символ'],
    ['ru', 3, '3 символ'],
    ['ru', 31, '31 символ'],
  ] as const)('%s chooses the plural form for %i', async (locale, length, expected) => {
    const texts = await openTexts(locale);
    await texts.load('validation');
    expect(sayIssue(wordsOf(texts), { rule: 'max_length', params: { length } })).toContain(expected);
    expect(sayIssue(wordsOf(texts), { rule: 'no_such_rule', params: {} })).toBe(texts.i18n.t('validation.invalid'));
  });
});

describe('languages', () => {
  it.each([
    [['ru-RU', 'en'], 'ru'],
    [['de', 'fr'], 'en'],
    [['de', 'RU'], 'ru'],
    [[], 'en'],
  ])('a browser that asks for %j gets %s', (asked, locale) => expect(browserLocale(asked)).toBe(locale));

  it('are in the language that was chosen last, also where another is still on its way', async () => {
    const texts = await openTexts('ru', document.createElement('html'));
    const other = texts.change('en');
    await texts.change('ru');
    await other;
    expect(texts.locale()).toBe('ru');
  });

  it('changing one brings along all that was loaded, so that no key is ever shown', async () => {
    const texts = await openTexts('en');
    await texts.load('validation', 'areas/users', 'areas/no-such-area');
    const before = ['areas.users.title', 'validation.required', 'interface.menu.users', 'errors.default_error'].map((key) => texts.i18n.t(key));
    await texts.change('ru');
    const after = ['areas.users.title', 'validation.required', 'interface.menu.users', 'errors.default_error'].map((key) => texts.i18n.t(key));
    for (const text of after) expect(text).toMatch(/[а-яё]/i);
    for (const text of before) expect(text).not.toMatch(/[а-яё]|areas\.|validation\./i);
  });

  it('the page is marked with the one it is read in, for screen readers and hyphenation', async () => {
    const page = { lang: '' };
    const texts = await openTexts('en', page);
    expect(page.lang).toBe('en');
    await texts.change('ru');
    expect(page.lang).toBe('ru');
  });

  it('an area speaks of the areas whose rows it names', () => {
    expect(areaTexts('users')).toEqual(expect.arrayContaining(['areas/users', 'areas/roles', 'areas/groups', 'areas/markers']));
    expect(areaTexts('groups')).toEqual(expect.arrayContaining(['areas/users', 'areas/group-types']));
  });
});

describe('parts of the console that come later', () => {
  afterEach(() => vi.useRealTimers());

  it('a part that cannot be fetched, or stalls for two minutes, is a failed part', async () => {
    await expect(loadChunk(() => Promise.reject(new TypeError('404')))).rejects.toMatchObject({ problem: { code: 'chunk_failed' } });
    vi.useFakeTimers();
    const stalled = loadChunk(() => new Promise(() => {})).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(119_999);
    const early = await Promise.race([stalled, Promise.resolve('waiting')]);
    await vi.advanceTimersByTimeAsync(2);
    expect([early, (await stalled) instanceof ChunkFailed]).toEqual(['waiting', true]);
  });

  it('an actor cannot be started before its code is there, and the fetch may be repeated', async () => {
    let fail = true;
    const { logic, ready } = arriving(async () => {
      if (fail) throw new Error('offline');
      return fromPromise(async () => 1);
    });
    expect(() => logic.getInitialSnapshot).toThrow('before its code arrived');
    await expect(ready()).rejects.toThrow('offline');
    fail = false;
    await ready();
    expect(typeof logic.getInitialSnapshot).toBe('function');
  });

  describe('a stream', () => {
    const listenerOf = (load: Parameters<typeof later<{ type: 'said' }>>[0]) => {
      const machine = setup({
        types: { events: {} as { type: 'said' } | { type: 'stop' } },
        actors: { stream: fromEventObservable(() => later(load)) },
      }).createMachine({
        initial: 'listening',
        states: {
          listening: { invoke: { id: 'stream', src: 'stream', onError: 'failed' }, on: { said: 'heard', stop: 'away' } },
          heard: {},
          failed: {},
          away: {},
        },
      });
      return createActor(machine).start();
    };

    it('is heard from the moment its code is there', async () => {
      const stream = new Subject<{ type: 'said' }>();
      const actor = listenerOf(async () => stream);
      await vi.waitFor(() => expect(stream.observed).toBe(true), longestWait);
      stream.next({ type: 'said' });
      expect([actor.getSnapshot().value, stream.observed]).toEqual(['heard', false]);
    });

    it('is not listened to by whoever has gone meanwhile', async () => {
      const stream = new Subject<{ type: 'said' }>();
      const arrival = Promise.resolve(stream);
      const actor = listenerOf(() => arrival);
      actor.send({ type: 'stop' });
      await arrival.then(() => {});
      expect([actor.getSnapshot().value, stream.observed]).toEqual(['away', false]);
    });

    it('that cannot be fetched fails', async () => {
      const actor = listenerOf(() => Promise.reject(new TypeError('404')));
      await vi.waitFor(() => expect(actor.getSnapshot().value).toBe('failed'), longestWait);
    });
  });
});

describe('words that come together', () => {
  /** What a view draws of two keys, each time it is drawn. */
  function drawn(texts: Texts): string[] {
    const seen: string[] = [];
    function View() {
      const { t } = useText();
      seen.push([t('interface.done'), t('areas.markers.title'), t('areas.groups.title')].join(' | '));
      return null;
    }
    render(
      <I18nextProvider i18n={texts.i18n}>
        <TextProvider>
          <View />
        </TextProvider>
      </I18nextProvider>,
    );
    return seen;
  }

  it('are drawn once, all at the same time', async () => {
    const texts = await openTexts('en');
    const seen = drawn(texts);
    await act(() => texts.load('areas/markers', 'areas/groups'));
    expect(seen).toEqual(['Done | areas.markers.title | areas.groups.title', 'Done | Markers | Groups']);
  });

  it('are there for everybody who asked for one of them meanwhile', async () => {
    const texts = await openTexts('en');
    const [first, second] = [texts.load('areas/markers', 'areas/groups'), texts.load('areas/groups')];
    await second;
    expect(texts.i18n.t('areas.groups.title')).toBe('Groups');
    await first;
    expect(texts.i18n.t('areas.markers.title')).toBe('Markers');
  });

  it('are drawn in another language once it is chosen', async () => {
    const texts = await openTexts('en');
    const seen = drawn(texts);
    await act(() => texts.change('ru'));
    expect(seen.at(-1)).toMatch(/^Готово/);
  });
});
