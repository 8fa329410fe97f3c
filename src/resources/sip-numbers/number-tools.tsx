import { lazy, Suspense, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import type { ListSlotProps } from '#src/views/area/resource.ts';

const GenerateNumbers = lazy(() => import('./generate-dialog.tsx'));

/** Beside the list: a whole range of numbers at once. */
export function NumberTools({ resource, profile }: ListSlotProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  if (!mayDo(profile, resource, 'create')) return null;
  return (
    <>
      <Button tone="plain" icon="pi-clone" className="tool-link" label={t('areas.sip-numbers.generate.open')} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <GenerateNumbers onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
