import { Link, useNavigate, useParams } from 'react-router-dom';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { IncompleteLink, isRefused, RefusedLink, shortestToken } from './password-by-link.tsx';
import { SessionFrame } from './session-frame.tsx';
import { SessionProblem } from './session-problem.tsx';

/** Pressed by a person: programs that open the links of mails confirm nothing. */
function ConfirmationOf({ token }: { token: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const confirm = useRequest('confirmRegistration', {
    done: ({ login }) => void navigate('/login', { replace: true, state: { registered: login } }),
  });
  const { problem } = confirm;
  if (problem && isRefused(problem)) return <RefusedLink advice={t('entry.confirm.refused_advice')} />;
  return (
    <SessionFrame title={t('entry.confirm.link_title')} lead={t('entry.confirm.link_lead')}>
      <SessionProblem problem={problem} />
      <Button
        label={t('entry.confirm.link_submit')}
        loading={confirm.running || confirm.done}
        onClick={() => confirm.run({ params: { token } })}
        autoFocus
      />
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

/** Where the link of a confirmation mail leads; open to anyone. */
export function ConfirmRegistration() {
  const { token = '' } = useParams();
  return token.length >= shortestToken ? <ConfirmationOf key={token} token={token} /> : <IncompleteLink />;
}
