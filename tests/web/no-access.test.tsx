import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';

it.each(['/access-matrix', '/announces/response'])(
  '%s says to somebody without its permission that they have no access, and shows nothing else',
  async (path) => {
    await openPage(path, { 'GET /announces': () => rowsAnswer([]) }, annaWith('can_edit_profile'));
    expect((await screen.findByText('You do not have access to this page')).textContent).not.toBe('');
    expect([screen.queryByRole('alert'), screen.queryByRole('button', { name: 'Download' })]).toEqual([null, null]);
  },
);
