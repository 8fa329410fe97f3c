import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** The way to an account for who has none, where a project has one open. */
export default function RegistrationLinks() {
  const { t } = useText();
  const { answer, run } = useRequest('openRegistration');
  useEffect(() => run({}), [run]);
  if (!answer?.self && !answer?.simple) return null;
  return (
    <p className="session-links">
      <Link to={answer.self ? '/self-registration' : '/registration'}>{t('interface.login.register')}</Link>
    </p>
  );
}
