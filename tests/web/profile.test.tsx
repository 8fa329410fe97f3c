import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConsole, smallBuilding } from './support/console.tsx';

let opened: Awaited<ReturnType<typeof openConsole>> | undefined;
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem('doorward.session', JSON.stringify({ token: 'access-1', refresh: 'refresh-1' }));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  vi.unstubAllGlobals();
});

describe('the profile as the first page of the day', () => {
  it('cuts a picture in words, not in keys', async () => {
    smallBuilding();
    const page = await openConsole('/profile');
    opened = page;
    await page.shows('Change photo');
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) throw new Error('there is no way to choose a file');
    Object.defineProperty(input, 'files', { value: [new File(['x'], 'me.png', { type: 'image/png' })] });
    await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
    await page.until('the cropper', () => document.querySelector('dialog.modal') !== null);
    expect(document.querySelector('.modal-title')?.textContent).toBe('Choose the visible area');
    expect([...document.querySelectorAll('.modal-foot button')].map(({ textContent }) => textContent)).toEqual(['Cancel', 'Save photo']);
  });
});
