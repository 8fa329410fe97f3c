import { useCallback, useEffect } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { registrationForm } from '#models/forms/registration.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import { IncompleteLink, PasswordByLink, RefusedLink, shortestToken } from './password-by-link.tsx';
import { SimpleRegistration } from './simple-registration.tsx';

/** Asks whom the link is for, then for a password. */
function RegistrationOf({ token }: { token: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const info = useRequest('registrationInfo');
  const { run } = info;
  const ask = useCallback(() => run({ params: { token } }), [run, token]);
  useEffect(ask, [ask]);
  const form = useForm(registrationForm, { token }, () => void navigate('/login', { replace: true, state: { registered: info.answer?.login } }));
  return (
    <PasswordByLink
      title={t('interface.registration.title')}
      hello={({ name, project }) => t('interface.registration.hello', { name, project })}
      submit={t('interface.registration.submit')}
      person={info.answer}
      problem={info.problem}
      onRetry={ask}
      form={form}
      refused={<RefusedLink advice={t('interface.registration.refused_advice')} />}
    />
  );
}

/** Where a registration link leads: the person chooses a password and goes on to sign in. Without a link: registering by oneself. */
export function Registration() {
  const { token } = useParams();
  if (token === undefined) return <SimpleRegistration />;
  return token.length >= shortestToken ? <RegistrationOf key={token} token={token} /> : <IncompleteLink />;
}
