import { Link } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { SessionFrame } from './session-frame.tsx';

/** No project has this open; `text` says what one may do instead. */
export function ClosedRegistration({ title, text }: { title?: string; text: string }) {
  const { t } = useText();
  return (
    <SessionFrame title={title ?? t('entry.closed.title')}>
      <p>{text}</p>
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}
