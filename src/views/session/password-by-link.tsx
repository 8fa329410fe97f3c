import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PasswordTwice } from '#models/forms/password-twice.ts';
import type { Problem } from '#models/problem.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { FormView } from '../use-form.ts';
import { PasswordForm } from './password-form.tsx';
import { SessionFrame } from './session-frame.tsx';
import { SessionProblem } from './session-problem.tsx';

/** Shorter than any link that was ever made. */
export const shortestToken = 20;
const outdated: Problem = { code: 'outdated_link' };
/** A wrong link is refused in several words; to the person they mean the same. */
export const isRefused = ({ code }: Problem): boolean => code === 'outdated_link' || code === 'wrong_parameters' || code === 'not_found';

/** A link that leads nowhere, and where one may go instead. */
export function WayOut({ children, ways }: { children: ReactNode; ways?: ReactNode }) {
  const { t } = useText();
  return (
    <SessionFrame title={t('interface.registration.refused')}>
      {children}
      <p className="session-links">
        {ways}
        <Link to="/login">{t('interface.registration.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

/** Part of the link was lost on its way. */
export function IncompleteLink() {
  const { t } = useText();
  return (
    <WayOut>
      <p>{t('interface.registration.incomplete')}</p>
    </WayOut>
  );
}

/** The link was used, is outdated or was never made. */
export function RefusedLink({ advice, ways }: { advice: string; ways?: ReactNode }) {
  return (
    <WayOut ways={ways}>
      <SessionProblem problem={outdated} />
      <p>{advice}</p>
    </WayOut>
  );
}

interface PasswordByLinkProps {
  title: string;
  /** Said to the person the link is for. */
  hello: (person: { name: string; project: string }) => string;
  submit: string;
  /** Whom the link is for, as far as that is known. */
  person: { login: string; name: string; project: string } | null;
  problem: Problem | null;
  onRetry: () => void;
  form: FormView<null, PasswordTwice>;
  /** What is shown where the link is refused. */
  refused: ReactNode;
}

/** Whom a mailed link is for, then a new password. */
export function PasswordByLink({ title, hello, submit, person, problem, onRetry, form, refused }: PasswordByLinkProps) {
  const { t } = useText();
  const found = form.problem ?? problem;
  if (found && isRefused(found)) return refused;
  if (problem)
    return (
      <SessionFrame title={title}>
        <Failure problem={problem} onRetry={onRetry} />
      </SessionFrame>
    );
  if (!person)
    return (
      <SessionFrame title={title}>
        <SkeletonLines lines={4} label={t('interface.loading')} />
      </SessionFrame>
    );
  return (
    <SessionFrame title={title} lead={hello(person)}>
      <PasswordForm login={person.login} submit={submit} form={form} />
    </SessionFrame>
  );
}
