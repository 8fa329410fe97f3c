import { useText } from '#src/components/text.ts';
import './inspect-note.css';

/** This page with another wish to be inspected. */
function addressWith(wish: 'window' | null): string {
  const address = new URL(location.href);
  if (wish === null) address.searchParams.delete('inspect');
  else address.searchParams.set('inspect', wish);
  return address.pathname + address.search;
}

/** Says that what the actors of this page do leaves it, where to, and how to end that. */
export default function InspectNote({ isElsewhere }: { isElsewhere: boolean }) {
  const { t } = useText();
  return (
    <aside className="inspect-note" role="status">
      <i className="pi pi-eye" aria-hidden="true" />
      <span>{t(isElsewhere ? 'interface.inspect.window' : 'interface.inspect.on')}</span>
      {!isElsewhere && (
        <button type="button" className="link-button" onClick={() => location.assign(addressWith('window'))}>
          {t('interface.inspect.open')}
        </button>
      )}
      <button type="button" className="link-button" onClick={() => location.assign(addressWith(null))}>
        {t('interface.inspect.stop')}
      </button>
    </aside>
  );
}
