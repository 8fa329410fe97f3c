import { useId } from 'react';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { DeviceKind, DeviceList } from '#machines/phone/types.ts';
import { useText } from '#src/components/text.ts';

interface SoundChoiceProps {
  devices: DeviceList;
  send: (command: PhoneCommand) => void;
  /** Whose volume is set; without a call only devices are chosen. */
  call?: CallMirror;
}
const kinds = ['microphone', 'speaker', 'ringer', 'camera'] as const satisfies readonly DeviceKind[];
/** The ringer sounds from an output too, chosen apart. */
const sourceOf = (kind: DeviceKind) => (kind === 'ringer' ? 'speaker' : kind);

/** Which microphone, loudspeaker, ringer and camera are used, and how loud the far side is. */
export function SoundChoice({ devices, send, call }: SoundChoiceProps) {
  const { t } = useText();
  const id = useId();
  return (
    <div className="sound-choice">
      {call && (
        <label className="phone-choice" htmlFor={`${id}-volume`}>
          {t('phone.sound.volume')}
          <input
            id={`${id}-volume`}
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={call.volume}
            onChange={(event) => send({ type: 'call.volume', speechId: call.speechId, level: Number(event.target.value) })}
          />
        </label>
      )}
      {kinds.map((kind) => (
        <label key={kind} className="phone-choice" htmlFor={`${id}-${kind}`}>
          {t(`phone.sound.${kind}`)}
          <select
            id={`${id}-${kind}`}
            className="native-select"
            value={devices.chosen[kind] ?? ''}
            onChange={(event) => send({ type: 'devices.choose', kind, id: event.target.value || null })}
          >
            <option value="">{t('phone.sound.default')}</option>
            {devices.devices
              .filter((device) => device.kind === sourceOf(kind))
              .map((device, at) => (
                <option key={device.id} value={device.id}>
                  {device.label || t('phone.sound.unnamed', { number: at + 1 })}
                </option>
              ))}
          </select>
        </label>
      ))}
    </div>
  );
}
