import { useId, useSyncExternalStore } from 'react';
import { useText } from '#src/components/text.ts';
import { type SoundVolumes, useServices, useSounds } from '../system.ts';
import type { Send } from './use-phone.ts';

type Kind = keyof SoundVolumes;
const kinds = ['sos', 'call', 'waiting', 'notice'] as const satisfies readonly Kind[];
/** An SOS call cannot be turned down to nothing. */
const least: Partial<Record<Kind, number>> = { sos: 0.3 };

/** How loud each kind of sound is at this desk, each with its own sound to hear. */
export function Volumes({ send }: { send: Send }) {
  const { t } = useText();
  const id = useId();
  const sounds = useSounds();
  const { volumes } = useServices();
  const levels = useSyncExternalStore(volumes.follow, volumes.get);
  const hear = (kind: Kind): void => {
    if (kind === 'notice') sounds?.send({ type: 'sound.play', sound: 'message' });
    else send({ type: 'ringer.test', tone: kind });
  };
  return (
    <div className="sound-choice" role="group" aria-label={t('phone.volumes.title')}>
      {kinds.map((kind) => (
        <div key={kind} className="phone-volume">
          <label htmlFor={`${id}-${kind}`}>{t(`phone.volumes.${kind}`)}</label>
          <input
            id={`${id}-${kind}`}
            type="range"
            min={least[kind] ?? 0}
            max={1}
            step={0.05}
            value={levels[kind]}
            aria-valuetext={t('phone.volumes.level', { percent: Math.round(levels[kind] * 100) })}
            onChange={(event) => volumes.set({ ...levels, [kind]: Number(event.target.value) })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('phone.volumes.test', { kind: t(`phone.volumes.${kind}`) })}
            title={t('phone.volumes.test', { kind: t(`phone.volumes.${kind}`) })}
            onClick={() => hear(kind)}
          >
            <i className="pi pi-volume-up" aria-hidden="true" />
          </button>
        </div>
      ))}
    </div>
  );
}
