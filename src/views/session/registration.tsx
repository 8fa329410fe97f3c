import { type ReactNode, useCallback, useEffect } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { registrationForm } from '#models/forms/registration.ts';
import type { Problem } from '#models/problem.ts';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useForm } from '../use-form.ts';
import { RegistrationForm } from './registration-form.tsx';
import { SessionFrame } from './session-frame.tsx';

/** Shorter than any link that was ever made. */
const shortest = 20;
const outdated: Problem = { code: 'outdated_link' };
/** A wrong link is refused in several words; to the person they mean the same. */
const isRefused = ({ code }: Problem): boolean => code === 'outdated_link' || code === 'wrong_parameters' || code === 'not_found';

function WayOut({ children }: { children: ReactNode }) {
  const { t } = useText();
  return (
    <SessionFrame title={t('interface.registration.refused')}>
      {children}
      <p className="session-links">
        <Link to="/login">{t('interface.registration.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

/** The link was used, is outdated or was never made. */
function Refused() {
  const { t } = useText();
  return (
    <WayOut>
      <div className="session-note session-note-bad" role="alert">
        <i className="pi pi-times-circle" aria-hidden="true" />
        <div>
          <ProblemText problem={outdated} />
        </div>
      </div>
      <p>{t('interface.registration.refused_advice')}</p>
    </WayOut>
  );
}

/** Asks whom the link is for, then for a password. */
function RegistrationOf({ token }: { token: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const info = useRequest('registrationInfo');
  const { run } = info;
  const ask = useCallback(() => run({ params: { token } }), [run, token]);
  useEffect(ask, [ask]);
  const register = useForm(registrationForm, { token }, () => void navigate('/login', { replace: true, state: { registered: info.answer?.login } }));
  const problem = register.problem ?? info.problem;
  if (problem && isRefused(problem)) return <Refused />;
  const title = t('interface.registration.title');
  if (info.problem)
    return (
      <SessionFrame title={title}>
        <Failure problem={info.problem} onRetry={ask} />
      </SessionFrame>
    );
  if (!info.answer)
    return (
      <SessionFrame title={title}>
        <SkeletonLines lines={4} label={t('interface.loading')} />
      </SessionFrame>
    );
  const { login, name, project } = info.answer;
  return (
    <SessionFrame title={title} lead={t('interface.registration.hello', { name, project })}>
      <RegistrationForm login={login} form={register} />
    </SessionFrame>
  );
}

/** Where a registration link leads: the person chooses a password and goes on to sign in. */
export function Registration() {
  const { t } = useText();
  const { token = '' } = useParams();
  if (token.length >= shortest) return <RegistrationOf key={token} token={token} />;
  return (
    <WayOut>
      <p>{t('interface.registration.incomplete')}</p>
    </WayOut>
  );
}
