import { render, screen, waitFor, within } from '@testing-library/react';
import { createActor, fromPromise } from 'xstate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AlertAnswer, emergencyMachine } from '#machines/emergency/emergency.machine.ts';
import type { ActiveAlert } from '#models/emergency-alert-calls.ts';
import { openTexts } from '#src/app/i18n.ts';
import { EmergencyBanner } from '#src/views/alarms/emergency-banner.tsx';
import { type Services, ServicesContext } from '#src/views/system.ts';
import { activeAlert } from '#tests/support/emergency.ts';
import { enterShell } from './support/shell.tsx';
import { newUser } from './support/user.ts';

/** The banner above a field somebody is typing into; `alerts` is what the server has. */
async function standing(alerts: readonly ActiveAlert[]) {
  const texts = await openTexts('en');
  await texts.load('notifications');
  const world = { alerts };
  const said: AlertAnswer['said'][] = [];
  const emergency = createActor(
    emergencyMachine.provide({
      actors: {
        readEmergencies: fromPromise(() => Promise.resolve(world.alerts)),
        answerEmergency: fromPromise(({ input }: { input: AlertAnswer }) => {
          said.push(input.said);
          return Promise.resolve<unknown>(null);
        }),
      },
    }),
  ).start();
  onTestFinished(() => void emergency.stop());
  render(
    <ServicesContext value={{ now: () => Date.parse(activeAlert().started_at) } as Services}>
      <EmergencyBanner emergency={emergency} />
      <input aria-label="Note" />
    </ServicesContext>,
  );
  return { world, said, emergency, user: newUser() };
}

describe('an emergency alert on the screen', () => {
  it('appears while somebody types, and takes neither the focus nor a letter', async () => {
    const { world, emergency, user } = await standing([]);
    const note = screen.getByRole('textbox', { name: 'Note' });
    await user.type(note, 'half a ');
    world.alerts = [activeAlert()];
    emergency.send({ type: 'realtime.events', events: [] });
    const banner = await screen.findByRole('region', { name: 'Emergency alerts' });
    expect(within(banner).getByRole('alert').textContent).toContain('Leave the house');
    expect(document.activeElement).toBe(note);
    await user.keyboard('word');
    expect((note as HTMLInputElement).value).toBe('half a word');
  });

  it('is told to be seen, and answered with a press', async () => {
    const { said, user } = await standing([activeAlert()]);
    await user.click(await screen.findByRole('button', { name: 'I am safe' }));
    await screen.findByText('You are marked as safe');
    await waitFor(() => expect(said).toEqual(['seen', 'safe']));
    expect(screen.queryByRole('button', { name: 'I am safe' })).toBeNull();
  });

  it('says that it is a drill, and shows hostile text as text', async () => {
    await standing([activeAlert({ is_drill: true, name: '\u202Etxet', message: '<img src=x onerror=alert(1)> 🔥' })]);
    const banner = await screen.findByRole('region', { name: 'Emergency alerts' });
    expect(within(banner).getByText('Drill')).toBeTruthy();
    expect(within(banner).getByText('<img src=x onerror=alert(1)> 🔥')).toBeTruthy();
    expect(within(banner).queryByRole('img')).toBeNull();
    expect(within(banner).getByText('\u202Etxet').tagName).toBe('BDI');
  });

  it('stands over the page of whoever signs in while it is out', async () => {
    await enterShell('/home', { 'GET /emergency-alerts/mine': () => ({ body: { data: [activeAlert()] } }) });
    expect(await screen.findByText('Leave the house')).toBeTruthy();
  });
});
