import { act, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { FormActor } from '#machines/form/form.machine.ts';
import { singleton } from '#machines/system.ts';
import { openInspector } from '#src/app/inspect.ts';
import { hidden, redacted } from '#src/app/redact.ts';
import { anna } from '#tests/support/people.ts';
import { openConsole, smallBuilding } from './support/console.tsx';

describe('what leaves for the inspector', () => {
  it.each([
    ['a password', { type: 'session.signIn', login: 'anna', password: 'x' }, { type: 'session.signIn', login: 'anna', password: hidden }],
    [
      'tokens, however deep',
      { a: [{ refresh: 'r', token: 't', project: { name: 'Riverside' } }] },
      { a: [{ refresh: hidden, token: hidden, project: { name: 'Riverside' } }] },
    ],
    ['a change of password', { body: { old: 'a', new: 'b' } }, { body: { old: hidden, new: hidden } }],
    [
      'the value of a secret field',
      { type: 'draft.change', path: ['device_password'], value: 'x' },
      { type: 'draft.change', path: ['device_password'], value: hidden },
    ],
    ['the value of an open field', { type: 'draft.change', path: ['name'], value: 'Ada' }, { type: 'draft.change', path: ['name'], value: 'Ada' }],
    ['an unset secret', { password: null, sip_password: undefined }, { password: null, sip_password: undefined }],
    ['secrets inside a text of JSON', { frame: '{"token":"t","n":1}' }, { frame: `{"token":"${hidden}","n":1}` }],
    [
      'the link of a mail',
      { body: 'Choose here: https://x.example/registration/Abc-123_x Bye' },
      { body: `Choose here: https://x.example/registration/${hidden} Bye` },
    ],
    [
      'the link of a recovery mail',
      { body: 'Here: https://x.example/password/reset/Abc-123_x Bye' },
      { body: `Here: https://x.example/password/reset/${hidden} Bye` },
    ],
    ['a file', { files: { image: new Blob(['x']) } }, { files: { image: '[Blob]' } }],
    ['an error', { error: new TypeError('failed') }, { error: { name: 'TypeError', message: 'failed' } }],
  ])('%s', (_name, event, expected) => expect(redacted(event)).toEqual(expected));

  it('is plain data, even of what goes round in circles or runs', () => {
    const circle: Record<string, unknown> = { name: 'x', run: () => {} };
    circle['self'] = circle;
    expect(structuredClone(redacted(circle))).toEqual({ name: 'x', self: '…' });
  });
});

describe('?inspect', () => {
  it('streams every actor by name and definition to this window alone, and never a secret', async () => {
    smallBuilding();
    const opened = vi.spyOn(window, 'open');
    const posted: unknown[] = [];
    const targets: unknown[] = [];
    vi.spyOn(window, 'postMessage').mockImplementation(((event: unknown, target: unknown) => {
      posted.push(event);
      targets.push(target);
    }) as typeof window.postMessage);
    const page = await openConsole('/login?redirect=%2Fusers', openInspector(window, ''));
    await page.signIn();
    await page.at('/users');
    const workspace = singleton(page.app, 'workspace');
    if (!workspace) throw new Error('nobody is signed in');
    const id = 'form:changePassword:1';
    const body = { old: 'Old-Secret-1', new: 'New-Secret-2' };
    await act(async () => {
      workspace.send({ type: 'child.open', id, src: 'form', input: {} });
      workspace.send({ type: 'child.notify', id, event: { type: 'form.send', request: { call: 'changePassword', body } } });
    });
    await waitFor(() => expect((workspace.getSnapshot().children[id] as FormActor).getSnapshot().hasTag('failed')).toBe(true));
    const names = () => (posted as { type: string; name?: string }[]).flatMap(({ type, name }) => (type === '@xstate.actor' ? (name ?? []) : []));
    const known = ['app', 'session', 'alerts', 'console', 'workspace', 'list:users', 'form:changePassword:1'];
    await waitFor(() => expect(names()).toEqual(expect.arrayContaining(known)));
    const text = JSON.stringify(posted);
    expect(text).toContain('session.signIn');
    for (const secret of ['Secret-2026', 'Old-Secret-1', 'New-Secret-2', 'access-1', 'refresh-1']) expect(text).not.toContain(secret);
    expect(new Set(targets)).toEqual(new Set([window.location.origin]));
    expect(opened).not.toHaveBeenCalled();
  });

  it('never sees the SIP password, and neither does a machine (clause SIP-02)', async () => {
    const own = { ...anna, profile: { ...anna.profile, sip_number: { number: '1001', name: 'Anna', password: 'Sip-Secret-128' } } };
    smallBuilding({ 'GET /profile': () => ({ body: { data: own } }) });
    const events: unknown[] = [];
    const page = await openConsole('/login?redirect=%2Fusers', { next: (event) => void events.push(event), error: () => {}, complete: () => {} });
    await page.signIn();
    const held = page.session.getSnapshot().context.profile?.profile.sip_number;
    expect(held).toEqual({ number: '1001', name: 'Anna' });
    // Every event and every snapshot as the actors themselves have them, before anything is redacted.
    const seen = new Set<unknown>();
    const texts: string[] = [];
    for (const event of events)
      texts.push(
        JSON.stringify(event, (_key, value: unknown) => {
          if (typeof value !== 'object' || value === null) return value;
          if (seen.has(value)) return undefined;
          seen.add(value);
          return value;
        }),
      );
    const text = texts.join('\n');
    expect(text).toContain('"number":"1001"');
    expect(text).not.toContain('Sip-Secret');
  });

  it('opens another window only when asked to', () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    openInspector(window, 'window');
    expect(opened).toHaveBeenCalledOnce();
  });
});
