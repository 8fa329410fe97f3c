import { render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { DayInput } from '#src/components/day-input.tsx';
import { type Clockwork, ClockworkContext } from '#src/components/when.tsx';
import { openTexts } from '#src/app/i18n.ts';
import { newUser } from './support/user.ts';

beforeAll(async () => {
  const texts = await openTexts('en');
  await texts.load('list');
});

const clockwork: Clockwork = { zoneHours: 0, zoneName: null, timeFormat: 'DD-MM-YYYY', now: () => Date.UTC(2026, 10, 22, 9, 5) };
const third = Date.UTC(2026, 10, 3, 14, 30);

function show(first: number | null, options: { withTime?: boolean; isOpen?: boolean } = {}) {
  const said: (number | null)[] = [];
  let sent = 0;
  function Held() {
    const [value, setValue] = useState(first);
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent += 1;
        }}
      >
        <DayInput
          label="From"
          value={value}
          onChange={(local) => {
            said.push(local);
            setValue(local);
          }}
          {...options}
        />
      </form>
    );
  }
  render(
    <ClockworkContext value={clockwork}>
      <Held />
    </ClockworkContext>,
  );
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'From' });
  return { said, field, sent: () => sent, user: newUser() };
}

describe('a date', () => {
  it('is typed in the person’s order', async () => {
    const { said, field, user } = show(null);
    expect(field.placeholder).toBe('dd-mm-yyyy');
    await user.type(field, '3.11.2026');
    expect(said.at(-1)).toBe(Date.UTC(2026, 10, 3));
    await user.tab();
    expect(field.value).toBe('03-11-2026');
  });
  it('that cannot be read is marked and not sent; what was there before stays', async () => {
    const { said, field, sent, user } = show(third, { withTime: true });
    await user.clear(field);
    expect(said).toEqual([null]);
    await user.type(field, '31-02-2026');
    expect(screen.getByRole('alert').textContent).toBe('Enter it as 22-11-2026 09:05');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('{Enter}');
    expect([sent(), said]).toEqual([0, [null]]);
    await user.clear(field);
    await user.type(field, '2026-11-04 07:00{Enter}');
    expect([sent(), said.at(-1)]).toEqual([1, Date.UTC(2026, 10, 4, 7)]);
  });
  it('is chosen from a month, and keeps its time of day', async () => {
    const { said, field, user } = show(third, { withTime: true, isOpen: true });
    await screen.findAllByRole('gridcell');
    // PrimeReact draws its days a second time when it has measured itself.
    await waitFor(async () => {
      // The first 5 is that of November, the second that of December.
      const [fifth] = screen.getAllByRole('gridcell', { name: '5' });
      if (fifth) await user.click(fifth);
      expect(said).toEqual([Date.UTC(2026, 10, 5, 14, 30)]);
    });
    expect(field.value).toBe('05-11-2026 14:30');
    expect(document.activeElement).toBe(field);
  });
});
