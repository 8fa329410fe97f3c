import { type ComponentType, Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import type { ListSlotProps } from '#src/views/area/resource.ts';
import { actorOf } from '#src/views/profile-of.ts';

const GenerateNumbers = lazyPart(() => import('./generate-dialog.tsx'));
const PhoneServerDialog = lazyPart(() => import('./server-dialog.tsx'));

/** A button that opens a dialog. */
function Tool({ icon, label, dialog: Dialog }: { icon: `pi-${string}`; label: string; dialog: ComponentType<{ onClose: () => void }> }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="plain" icon={icon} className="tool-link" label={label} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <Dialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
const ChangeServer = ({ onClose }: { onClose: () => void }) => <PhoneServerDialog mayChange onClose={onClose} />;
const SeeServer = ({ onClose }: { onClose: () => void }) => <PhoneServerDialog mayChange={false} onClose={onClose} />;

/** Beside the list: a whole range of numbers at once, and the SIP server of the web phones. */
export function NumberTools({ resource, profile }: ListSlotProps) {
  const { t } = useText();
  const changes = hasPermission(actorOf(profile), 'can_change_project_settings');
  const sees = changes || hasPermission(actorOf(profile), 'can_view_project_settings');
  return (
    <>
      {mayDo(profile, resource, 'create') && <Tool icon="pi-clone" label={t('areas.sip-numbers.generate.open')} dialog={GenerateNumbers} />}
      {sees && <Tool icon="pi-server" label={t('areas.sip-numbers.server.open')} dialog={changes ? ChangeServer : SeeServer} />}
    </>
  );
}
