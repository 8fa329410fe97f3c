import { Link } from 'react-router-dom';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useText } from '#src/components/text.ts';
import { usePageTitle } from '../shell/page-title.ts';

/** A path that no screen has, said to people who are signed in. */
export function NotFound() {
  const { t } = useText();
  usePageTitle(t('interface.not_found.title'));
  return (
    <div className="card">
      <EmptyState icon="pi-compass" text={t('interface.not_found.title')}>
        <p>{t('interface.not_found.lead')}</p>
        <Link to="/home">{t('interface.not_found.home')}</Link>
      </EmptyState>
    </div>
  );
}
