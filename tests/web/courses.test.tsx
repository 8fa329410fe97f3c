import { render, screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTexts } from '#src/app/i18n.ts';
import { Steps } from '#src/components/steps.tsx';
import { Timeline } from '#src/components/timeline.tsx';
import { type Clockwork, ClockworkContext } from '#src/components/when.tsx';

beforeAll(async () => {
  const texts = await openTexts('en');
  await texts.load('list');
});

const clockwork: Clockwork = { zoneHours: 0, zoneName: null, timeFormat: 'DD-MM-YYYY', now: () => Date.UTC(2026, 10, 22, 9, 5) };

describe('a timeline', () => {
  it('is a list to those who do not see it, each entry with its time, where it has come already', async () => {
    render(
      <ClockworkContext value={clockwork}>
        <Timeline
          label="What happened"
          steps={[
            { key: 'tripped', icon: 'pi-bell', tone: 'bad', at: '2026-11-22T08:00:00Z', content: 'Door sensor tripped' },
            { key: 'processed', icon: 'pi-check', tone: 'good', at: null, content: <button type="button">Resolve</button> },
          ]}
        />
      </ClockworkContext>,
    );
    const list = await screen.findByRole('list', { name: 'What happened' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first?.textContent).toBe('Door sensor tripped22-11-2026 08:00:00');
    expect(second?.textContent).toBe('Resolve');
    expect(within(list).getByRole('button', { name: 'Resolve' })).toBeDefined();
  });
});

describe('steps', () => {
  const shown = (at: number) => <Steps label="Import" steps={['File', 'Columns', 'Check']} at={at} />;

  it('say which one is under way, number what is to come, and offer nothing to press', async () => {
    const { rerender } = render(shown(0));
    await screen.findByText('Columns');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['1File', '2Columns', '3Check']);
    rerender(shown(1));
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['File', '2Columns', '3Check']);
    expect(screen.getByText('Columns').parentElement?.getAttribute('aria-current')).toBe('step');
    expect(screen.queryByRole('link')).toBeNull();
  });
});
