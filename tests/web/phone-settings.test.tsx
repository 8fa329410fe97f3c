import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openStage, phoneButton } from './support/phone-stage.tsx';

describe('settings', () => {
  const section = (name: string) => within(screen.getByRole('region', { name }));
  it('show what the check found and keep it on the button', async () => {
    const checks = [
      { check: 'secure', outcome: 'passed', detail: null },
      { check: 'clock', outcome: 'passed', detail: { value: 2, unit: 's' } },
      { check: 'microphone', outcome: 'failed', detail: null },
    ] as const;
    const { press } = await openStage({ estate: { checks } });
    await press('Phone settings');
    await press('Check now');
    const found = await section('Pre-shift check').findAllByRole('listitem');
    expect(found.map((line) => [within(line).getByRole('img').getAttribute('aria-label'), line.dataset['outcome'], line.textContent])).toEqual([
      ['OK', 'passed', 'Secure page'],
      ['OK', 'passed', 'Clock2 s'],
      ['Fault', 'failed', expect.stringMatching(/^MicrophoneAllow the microphone/)],
    ]);
    expect(phoneButton().getAttribute('aria-label')).toContain('The last check found a fault');
  });
  it('say how loud each kind is, and let it be heard', async () => {
    const { commands, volumes, press } = await openStage();
    await press('Phone settings');
    const sliders = section('Volume').getAllByRole<HTMLInputElement>('slider');
    expect(sliders.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['SOS calls', 'Calls', 'Call waiting', 'Notifications']);
    const [sos, call] = sliders;
    if (!sos || !call) throw new Error('no sliders');
    expect([sos.min, call.min, call.getAttribute('aria-valuetext')]).toEqual(['0.3', '0', '80 %']);
    // The library's user moves no sliders.
    fireEvent.change(call, { target: { value: '0.4' } });
    expect(volumes.get()).toEqual({ sos: 1, call: 0.4, waiting: 0.6, notice: 1 });
    await press('Play: SOS calls');
    expect(commands).toEqual([{ type: 'ringer.test', tone: 'sos' }]);
  });
  it('change a key by pressing another, free the one that had it, and switch one off', async () => {
    const { phoneDesk, press, user } = await openStage();
    await press('Phone settings');
    await press(/^Answer call: /);
    await user.keyboard('{Alt>}m{/Alt}');
    expect(phoneDesk.get().keys).toMatchObject({ answer: 'Alt+KeyM', mute: null });
    await user.click(screen.getByRole('checkbox', { name: 'Answer call' }));
    expect(phoneDesk.get().keys).toMatchObject({ answer: null });
  });
});
