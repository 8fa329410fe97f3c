import { useCallback, useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { passwordResetForm } from '#models/forms/password-reset.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import { IncompleteLink, PasswordByLink, RefusedLink, shortestToken } from './password-by-link.tsx';

function ResetOf({ code }: { code: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const info = useRequest('passwordResetInfo');
  const { run } = info;
  const ask = useCallback(() => run({ body: { code } }), [run, code]);
  useEffect(ask, [ask]);
  const form = useForm(passwordResetForm, { code }, () => void navigate('/login', { replace: true, state: { registered: info.answer?.login } }));
  return (
    <PasswordByLink
      title={t('entry.reset.title')}
      hello={({ name, project }) => t('entry.reset.hello', { name, project })}
      submit={t('entry.reset.submit')}
      person={info.answer}
      problem={info.problem}
      onRetry={ask}
      form={form}
      refused={<RefusedLink advice={t('entry.reset.refused_advice')} ways={<Link to="/password/recovery">{t('entry.reset.again')}</Link>} />}
    />
  );
}

/** Where a recovery link leads: the person chooses a new password and goes on to sign in. */
export function PasswordReset() {
  const { token = '' } = useParams();
  return token.length >= shortestToken ? <ResetOf key={token} code={token} /> : <IncompleteLink />;
}
