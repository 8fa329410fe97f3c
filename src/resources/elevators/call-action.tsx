import { useSelector } from '@xstate/react';
import type { Device } from '#models/devices.ts';
import type { Elevator } from '#models/elevators.ts';
import { emptyQuery } from '#models/query.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { CallElevatorDialog } from '#src/views/elevators/call-dialog.tsx';
import { elevatorText } from '#src/views/elevators/elevator-text.ts';
import { useOwnList } from '#src/views/view-child.ts';

/** Calls the elevator of the row. */
export function CallAction({ row, close }: ActionProps<Elevator>) {
  return <CallElevatorDialog elevator={{ id: row.id, name: elevatorText(row) }} onClose={close} />;
}

/** Calls the elevator that a controller belongs to. */
export function CallFromController({ row, close }: ActionProps<Device>) {
  const { t } = useText();
  const list = useOwnList('elevators', {
    ...emptyQuery,
    filters: { match: 'match_all', items: [{ field: 'controllers', rule: 'has', value: [row.id] }] },
  });
  const found = useSelector(list, (snapshot) =>
    snapshot?.hasTag('ready') || snapshot?.hasTag('failed') ? (snapshot.context.rows[0] ?? null) : undefined,
  );
  if (found) {
    const { id, name, domain } = found as unknown as Elevator;
    return <CallElevatorDialog elevator={{ id, name: elevatorText({ name, domain }) }} onClose={close} />;
  }
  return (
    <Modal title={t('areas.elevators.actions.call')} onDismiss={close} footer={<Button tone="plain" label={t('list.close')} onClick={close} />}>
      {found === null ? <p>{t('areas.elevators.call.no_elevator')}</p> : <SkeletonLines label={t('list.loading')} />}
    </Modal>
  );
}
