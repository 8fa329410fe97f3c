import { useText } from '#src/components/text.ts';
import './door-outcome.css';

/** How an attempt to open a door stands: `refused` says why in words of its own. */
export type DoorState = 'closed' | 'sent' | 'confirmed' | 'unconfirmed' | 'refused';
const icons = {
  sent: 'pi-spin pi-spinner',
  confirmed: 'pi-check-circle',
  unconfirmed: 'pi-question-circle',
  refused: 'pi-times-circle',
} as const;

/** Sent, then confirmed by the device itself, or that it did not confirm within 5 s; never green before the device said so. */
export function DoorResult({ state, why = '' }: { state: DoorState; why?: string }) {
  const { t } = useText();
  return (
    <p className="door-outcome" data-state={state} role="status">
      {state !== 'closed' && (
        <>
          <i className={`pi ${icons[state]}`} aria-hidden="true" /> {state === 'refused' ? why : t(`phone.door.${state}`)}
        </>
      )}
    </p>
  );
}
