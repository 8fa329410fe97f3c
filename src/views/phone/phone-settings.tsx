import { useSelector } from '@xstate/react';
import { type ReactNode, useId, useSyncExternalStore } from 'react';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import type { SelfTestActor } from '#machines/phone/self-test.machine.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useServices } from '../system.ts';
import { SelfTest } from './self-test.tsx';
import { ShortcutList } from './shortcut-list.tsx';
import { withDefaults } from './shortcuts.ts';
import { SoundChoice } from './sound-choice.tsx';
import { useMirror, useSelfTest } from './use-phone.ts';
import { Volumes } from './volumes.tsx';

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="phone-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** The headset whose buttons answer, hang up and mute, where the browser can speak with one. */
function Headset({ phone }: { phone: PhoneActor }) {
  const { t } = useText();
  const { askHeadset } = useServices();
  const name = useMirror(phone, (mirror) => mirror.headset);
  if (!askHeadset) return null;
  const connect = async (): Promise<void> => {
    if (await askHeadset()) phone.send({ type: 'headset.open' });
  };
  return (
    <div className="row">
      <span className="grow small" role="status">
        {name ? t('phone.headset.connected', { name }) : t('phone.headset.none')}
      </span>
      <Button small tone="plain" icon="pi-headphones" label={t('phone.headset.connect')} onClick={() => void connect()} />
    </div>
  );
}

function Check({ actor }: { actor: SelfTestActor }) {
  const { now } = useServices();
  const { results, at, problem } = useSelector(actor, ({ context }) => context);
  const isRunning = useSelector(actor, (snapshot) => snapshot.hasTag('running'));
  return <SelfTest results={results} at={at} problem={problem} isRunning={isRunning} onRun={() => actor.send({ type: 'selfTest.run', at: now() })} />;
}

/** Duty, the check before a shift, sound and devices, keys. */
export function PhoneSettings({ phone }: { phone: PhoneActor }) {
  const { t } = useText();
  const { phoneDesk } = useServices();
  const desk = useSyncExternalStore(phoneDesk.follow, phoneDesk.get);
  const devices = useMirror(phone, (mirror) => mirror.devices);
  const selfTest = useSelfTest(phone);
  const mayRegister = useSelector(phone, (snapshot) => snapshot.can({ type: 'phone.register' }));
  const mayUnregister = useSelector(phone, (snapshot) => snapshot.can({ type: 'phone.unregister' }));
  const registration = useMirror(phone, (mirror) => mirror.registration);
  const isOn = registration !== 'unregistered' && registration !== 'unregistering';
  return (
    <>
      <Section title={t('phone.settings.duty')}>
        <div className="row">
          <span className="grow">{t(`phone.registration.${registration}`)}</span>
          {isOn
            ? mayUnregister && <Button small tone="plain" label={t('phone.go_off_duty')} onClick={() => phone.send({ type: 'phone.unregister' })} />
            : mayRegister && <Button small label={t('phone.go_on_duty')} onClick={() => phone.send({ type: 'phone.register' })} />}
        </div>
      </Section>
      {selfTest && (
        <Section title={t('phone.self_test.title')}>
          <Check actor={selfTest} />
        </Section>
      )}
      <Section title={t('phone.settings.sound')}>
        <SoundChoice devices={devices} send={phone.send} />
        <Headset phone={phone} />
      </Section>
      <Section title={t('phone.volumes.title')}>
        <Volumes send={phone.send} />
      </Section>
      <Section title={t('phone.shortcuts.title')}>
        <p className="quiet small">{t('phone.shortcuts.about')}</p>
        <ShortcutList keys={withDefaults(desk.keys)} onKeys={(keys) => phoneDesk.set({ ...desk, keys })} />
      </Section>
    </>
  );
}
