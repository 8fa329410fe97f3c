import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ReceivedAnnounce } from '#models/announce-calls.ts';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage } from './support/area-page.ts';
import { refused } from './support/fake-server.ts';

const answer = (data: unknown) => () => ({ body: { data } });
const marcus = { id: uuid(3), name: 'Marcus', place: 'Riverside', is_desk: true };
const picture = { id: uuid(9), url: `/api/v0/files/${uuid(9)}`, width: 4, height: 3 };

describe('a new conversation', () => {
  const open = async (more: Parameters<typeof openPage>[1] = {}) => {
    const page = await openPage(
      '/conversations?new=desk',
      {
        'GET /conversations': answer({ items: [], total: 0, unread: 0 }),
        'GET /conversations/recipients': answer([marcus]),
        'POST /conversations/pictures': answer(picture),
        'PUT /conversations': () =>
          refused(422, 'invalid_data', 'Invalid data sent', { issues: [{ path: ['pictures'], rule: 'picture_gone', params: {} }] }),
        ...more,
      },
      annaWith('can_view_conversations', 'can_create_conversations'),
    );
    const dialog = within(await screen.findByRole('dialog', { name: 'Message the front desk' }));
    await dialog.findByRole('list', { name: 'Recipients' });
    await page.user.type(dialog.getByRole('textbox', { name: 'Subject' }), 'Leak');
    return { ...page, dialog };
  };
  const attach = async ({ user, dialog }: Awaited<ReturnType<typeof open>>) => {
    await user.upload(dialog.getByLabelText('Picture to attach'), new File(['x'], 'photo.png', { type: 'image/png' }));
    await dialog.findByRole('img', { name: 'Attached picture 1' });
  };

  it('leads to the first wrong field when it is sent incomplete, however often, and to what the server refuses', async () => {
    const { user, dialog } = await open({
      'PUT /conversations': () =>
        refused(422, 'invalid_data', 'Invalid data sent', { issues: [{ path: ['title'], rule: 'too_long', params: { max: 3 } }] }),
    });
    const field = (name: string) => dialog.getByRole('textbox', { name });
    const send = dialog.getByRole('button', { name: 'Send' });
    await user.click(dialog.getByRole('button', { name: /^Remove Marcus/ }));
    await user.clear(field('Subject'));
    const search = dialog.getByRole('searchbox');
    await user.click(send);
    await waitFor(() => expect(document.activeElement).toBe(search));
    await user.click(send);
    await waitFor(() => expect(document.activeElement).toBe(search));
    await user.click(dialog.getByRole('checkbox', { name: /Marcus/ }));
    await user.click(send);
    await waitFor(() => expect(document.activeElement).toBe(field('Subject')));
    await user.type(field('Subject'), 'Leak');
    await user.click(send);
    await waitFor(() => expect(document.activeElement).toBe(field('Message')));
    await user.type(field('Message'), 'Water');
    await user.click(send);
    await waitFor(() => expect(document.activeElement).toBe(field('Subject')));
  });

  it('begins with a picture alone, and shows what is wrong with it', async () => {
    const page = await open();
    const { user, dialog, server } = page;
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Enter a message.');
    await attach(page);
    expect(dialog.queryByText('Enter a message.')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(server.asked('PUT', '/conversations')).toHaveLength(1));
    expect(server.asked('PUT', '/conversations')[0]?.body).toMatchObject({
      title: 'Leak',
      recipients: [marcus.id],
      text: '',
      pictures: [picture.id],
    });
    await dialog.findByText(/A picture is no longer available/);
    await user.click(dialog.getByRole('button', { name: 'Remove attached picture 1' }));
    expect(dialog.queryByText(/A picture is no longer available/)).toBeNull();
    expect(dialog.queryByRole('img')).toBeNull();
  });

  it('asks before what was typed is dropped', async () => {
    const { user, dialog } = await open();
    await user.keyboard('{Escape}');
    const question = within(await screen.findByRole('dialog', { name: /Leave without saving/ }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Subject' }).value).toBe('Leak');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

it('a conversation that is not there leads back to the list', async () => {
  await openPage(
    `/conversation/${uuid(8)}`,
    {
      'GET /conversations': answer({ items: [], total: 0, unread: 0 }),
      [`GET /conversations/${uuid(8)}`]: () => refused(404, 'not_found', 'item not found'),
    },
    annaWith('can_view_conversations'),
  );
  await screen.findByText(/The item was not found/);
  expect(screen.getByRole('link', { name: 'Back to conversations' }).getAttribute('href')).toBe('/conversations');
});

describe('a poll', () => {
  const token = 'a'.repeat(24);
  const poll: ReceivedAnnounce = {
    id: uuid(40),
    token,
    type: 'poll',
    status: 'started',
    title: 'Lamps',
    body: '<p>Which ones?</p>',
    sender: null,
    started_at: '2026-03-01T10:00:00.000Z',
    ends_at: null,
    ended_at: null,
    seen_at: '2026-03-01T10:00:00.000Z',
    answers: ['White', 'Warm'],
    custom_answer: true,
    vote: null,
  };
  const path = `/announces/token/${token}`;

  it('is answered in one’s own words, which stay while the page is read anew and when the answer is refused', async () => {
    const state = { refuses: true };
    const { user, server } = await openPage(
      `/announce/${token}`,
      {
        [`GET ${path}`]: answer(poll),
        [`POST ${path}/poll`]: () =>
          state.refuses
            ? refused(503, 'unavailable', 'Service unavailable')
            : { body: { data: { ...poll, vote: { answer: null, custom: 'Green' } } } },
      },
      annaWith('can_view_conversations'),
    );
    const send = await screen.findByRole<HTMLButtonElement>('button', { name: 'Submit answer' });
    expect(send.disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'Custom answer' }));
    expect(send.disabled).toBe(true);
    await user.type(screen.getByRole('textbox', { name: 'Custom answer' }), ' Green ');
    await user.click(send);
    await screen.findByRole('alert');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Custom answer' }).value).toBe(' Green ');
    state.refuses = false;
    await user.click(send);
    await screen.findByText('You answered: Green');
    expect(server.asked('POST', `${path}/poll`).map(({ body }) => body)).toEqual([{ custom: 'Green' }, { custom: 'Green' }]);
  });
});
