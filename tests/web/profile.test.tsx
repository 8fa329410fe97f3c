import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { anna } from '#tests/support/people.ts';
import { annaWith, openPage } from './support/area-page.ts';
import { openConsole, signedInBefore, smallBuilding } from './support/console.tsx';

describe('the profile as the first page of the day', () => {
  it('cuts a picture in words, not in keys', async () => {
    smallBuilding();
    signedInBefore();
    const { user } = await openConsole('/profile');
    await screen.findByRole('button', { name: 'Change photo' });
    await user.upload(screen.getByLabelText('Change photo', { selector: 'input' }), new File(['x'], 'me.png', { type: 'image/png' }));
    const cropper = await screen.findByRole('dialog', { name: 'Choose the visible area' });
    expect(
      within(cropper)
        .getAllByRole('button')
        .slice(-2)
        .map(({ textContent }) => textContent),
    ).toEqual(['Cancel', 'Save photo']);
  });

  it('is only read by those whose role does not let them edit it, but for how things are shown', async () => {
    await openPage('/profile', {}, annaWith('can_view_users'));
    await screen.findByText('Your role does not let you change these details.');
    // Text like everything that is only read, no inputs that look as if they could be typed into.
    expect(screen.queryAllByRole('textbox')).toEqual([]);
    screen.getByText(anna.email ?? '');
    expect(screen.queryAllByText('*')).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Change photo' })).toBeNull();
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /^Date format/ }).disabled).toBe(false);
  });
});
