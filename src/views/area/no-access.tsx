import { Link } from 'react-router-dom';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useText } from '#src/components/text.ts';

/** A page that one's role does not show: said in its place, with the way home. */
export function NoAccess() {
  const { t } = useText();
  return (
    <div className="card">
      <EmptyState icon="pi-lock" text={t('list.no_access')}>
        <Link to="/home">{t('interface.not_found.home')}</Link>
      </EmptyState>
    </div>
  );
}
