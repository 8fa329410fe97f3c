import { useId, useState } from 'react';
import { deviceCan } from '#models/device-models.ts';
import { dialable } from '#models/sip.ts';
import type { SimulatedDevice } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { Part, type PartProps } from './part.tsx';

/** How the phone in the device stands, and with whom it talks. */
function PhoneLine({ phone }: { phone: NonNullable<SimulatedDevice['phone']> }) {
  const { t } = useText();
  return (
    <p className="simulator-phone" role="status" data-state={phone.state}>
      <i className={`pi ${phone.state === 'unregistered' ? 'pi-exclamation-triangle' : 'pi-phone'}`} aria-hidden="true" />
      <span>{t(`simulator.phone_state.${phone.state}`, { number: phone.with ?? '' })}</span>
      <span className="quiet small">{t('simulator.own_number', { number: phone.number })}</span>
    </p>
  );
}

/** Calls as somebody standing before it does: a number or the call button, SOS, hanging up. */
export function PhonePart({ device, running, act }: PartProps) {
  const { t } = useText();
  const [typed, type] = useState('');
  const id = useId();
  if (!deviceCan(device, 'calls')) return null;
  const { phone } = device;
  const off = !device.online || running;
  const isBusy = phone !== null && phone.state !== 'ready' && phone.state !== 'unregistered';
  const number = typed.trim();
  const isNumber = number === '' || dialable.test(number);
  return (
    <Part title={t('simulator.phone')}>
      {phone && <PhoneLine phone={phone} />}
      <form
        className="simulator-line"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNumber) act({ act: 'call', ...(number && { number }) });
        }}
      >
        <label htmlFor={id}>{t(phone?.button ? 'simulator.dial_or_button' : 'simulator.dial', { number: phone?.button ?? '' })}</label>
        <TextInput
          id={id}
          inputMode="tel"
          value={typed}
          maxLength={32}
          placeholder={phone?.button ?? ''}
          aria-invalid={!isNumber}
          onChange={({ target }) => type(target.value)}
        />
        <Button
          type="submit"
          icon="pi-phone"
          label={t(number ? 'simulator.acts.dial' : 'simulator.acts.call')}
          disabled={off || isBusy || !isNumber}
        />
      </form>
      <div className="simulator-acts">
        <Button tone="danger-plain" icon="pi-megaphone" label={t('simulator.acts.sos')} disabled={off} onClick={() => act({ act: 'sos' })} />
        <Button
          tone="plain"
          icon="pi-times-circle"
          label={t('simulator.acts.hang_up')}
          disabled={off || !isBusy}
          onClick={() => act({ act: 'hang_up' })}
        />
      </div>
    </Part>
  );
}
