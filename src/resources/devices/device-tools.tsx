import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Link } from 'react-router-dom';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import type { ListSlotProps } from '#src/views/area/resource.ts';

const PoolDialog = lazyPart(() => import('./pool-dialog.tsx'));

/** Beside the list: the search in the network, and devices found earlier that nobody has taken yet. */
export function DeviceTools({ resource, profile, list }: ListSlotProps) {
  const { t } = useText();
  const [pool, setPool] = useState(false);
  if (!mayDo(profile, resource, 'create')) return null;
  return (
    <>
      <Link className="p-button p-component p-button-outlined tool-link" to="/devices/search">
        <i className="pi pi-search" aria-hidden="true" />
        <span className="p-button-label">{t('areas.devices.search.open')}</span>
      </Link>
      <Button tone="plain" icon="pi-inbox" className="tool-link" label={t('areas.devices.pool.open')} onClick={() => setPool(true)} />
      {pool && (
        <Suspense>
          <PoolDialog
            onClose={() => {
              setPool(false);
              list?.send({ type: 'rows.reload' });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
