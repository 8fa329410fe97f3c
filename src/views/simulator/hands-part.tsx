import { hasDoor } from '#models/device-models.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { Part, type PartProps } from './part.tsx';

/** What is done with one's hands: the door is opened, held, forced and closed. */
export function HandsPart({ device, running, act }: PartProps) {
  const { t } = useText();
  const off = !device.online || running;
  if (!hasDoor(device)) return null;
  return (
    <Part title={t('simulator.hands')}>
      <div className="simulator-acts">
        <Button
          tone="plain"
          icon="pi-sign-out"
          label={t('simulator.acts.open_by_hand')}
          disabled={off || device.door_open}
          onClick={() => act({ act: 'open_by_hand' })}
        />
        {device.door_open && (
          <Button tone="plain" icon="pi-lock" label={t('simulator.acts.close_door')} disabled={off} onClick={() => act({ act: 'close_door' })} />
        )}
        {!device.door_open && (
          <>
            <Button tone="plain" icon="pi-clock" label={t('simulator.acts.hold_door')} disabled={off} onClick={() => act({ act: 'hold_door' })} />
            <Button tone="plain" icon="pi-bolt" label={t('simulator.acts.force_door')} disabled={off} onClick={() => act({ act: 'force_door' })} />
          </>
        )}
      </div>
    </Part>
  );
}
