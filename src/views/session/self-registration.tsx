import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { selfRegistrationForm } from '#models/forms/self-registration.ts';
import type { OpenProject } from '#models/registration-calls.ts';
import { Button } from '#src/components/button.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { issueOf, useForm } from '../use-form.ts';
import { ClosedRegistration } from './closed-registration.tsx';
import { ConfirmCode } from './confirm-code.tsx';
import { OpenProjects } from './open-projects.tsx';
import { SessionFrame } from './session-frame.tsx';
import { NewPassword, SessionChoice, SessionLine } from './session-inputs.tsx';
import { SessionProblem } from './session-problem.tsx';

const ids = { user_name: 'name', user_email: 'email', password: 'new-password', repeat: 'new-repeat' } as const;
const fields = Object.keys(ids) as (keyof typeof ids)[];

function Form({ project, onLeave }: { project: OpenProject; onLeave?: (() => void) | undefined }) {
  const { t } = useText();
  const form = useForm(selfRegistrationForm, { project: project.code, type: project.types[0] ?? '' });
  const { draft, change } = form;
  if (form.done && form.answer) return <ConfirmCode registration={form.answer.registration} email={draft.user_email.trim()} onBack={form.reset} />;
  const sending = form.running;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    const first = fields.find((field) => issueOf(form.wrong, field));
    if (first) document.getElementById(ids[first])?.focus();
    form.save();
  };
  const wrongPassword = (field: 'password' | 'repeat') =>
    issueOf(form.issues, field) ?? (field === 'password' ? issueOf(form.issues, 'user_password') : undefined);
  return (
    <SessionFrame title={t('entry.register.title')} lead={t('entry.register.lead', { project: project.name })}>
      <form onSubmit={submit} noValidate aria-busy={sending}>
        <SessionProblem problem={form.problem?.code === 'invalid_data' ? null : form.problem} />
        <SessionLine
          id="name"
          label={t('entry.register.name')}
          issue={issueOf(form.issues, 'user_name')}
          value={draft.user_name}
          autoComplete="name"
          autoCapitalize="words"
          disabled={sending}
          onText={(user_name) => change({ user_name })}
        />
        <SessionLine
          id="email"
          type="email"
          label={t('entry.register.email')}
          hint={t('entry.register.email_hint')}
          issue={issueOf(form.issues, 'user_email')}
          value={draft.user_email}
          autoComplete="username"
          inputMode="email"
          disabled={sending}
          onText={(user_email) => change({ user_email })}
        />
        {project.types.length > 1 && (
          <SessionChoice
            id="type"
            label={t('entry.register.type')}
            value={draft.user_type}
            options={project.types.map((type) => ({ value: type, label: type }))}
            onText={(user_type) => change({ user_type })}
          />
        )}
        <SessionLine
          id="object"
          label={t('entry.register.object')}
          hint={t('entry.register.object_hint')}
          issue={issueOf(form.issues, 'object_name')}
          value={draft.object_name}
          autoComplete="off"
          disabled={sending}
          onText={(object_name) => change({ object_name })}
        />
        <NewPassword draft={draft} issueOf={wrongPassword} disabled={sending} onChange={change} />
        <Button type="submit" label={t('entry.register.submit')} loading={sending} />
      </form>
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
        {onLeave && (
          <button type="button" className="link-button" onClick={onLeave}>
            {t('entry.register.other_project')}
          </button>
        )}
      </p>
    </SessionFrame>
  );
}

/** Several projects are open: which one, by name; then its form. */
function Choice({ projects }: { projects: readonly OpenProject[] }) {
  const { t } = useText();
  const [code, setCode] = useState<string | null>(null);
  const [only] = projects;
  if (only && projects.length === 1) return <Form project={only} />;
  const chosen = projects.find((project) => project.code === code);
  if (chosen) return <Form key={chosen.code} project={chosen} onLeave={() => setCode(null)} />;
  return (
    <SessionFrame title={t('entry.register.title')} lead={t('entry.register.choose')}>
      <ul className="session-choices">
        {projects.map((project) => (
          <li key={project.code}>
            <button type="button" className="session-choice" onClick={() => setCode(project.code)}>
              <span>{project.name}</span>
              <i className="pi pi-chevron-right" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </SessionFrame>
  );
}

/** The project that a code names. */
function ByCode({ code }: { code: string }) {
  const { t } = useText();
  const { answer, problem, run } = useRequest('selfRegistrationInfo');
  const ask = useCallback(() => run({ params: { code } }), [run, code]);
  useEffect(ask, [ask]);
  if (answer) return <Form project={answer} />;
  if (problem?.code === 'invite_code_invalid') return <ClosedRegistration text={t('entry.closed.code')} />;
  return (
    <SessionFrame title={t('entry.register.title')}>
      {problem ? <Failure problem={problem} onRetry={ask} /> : <SkeletonLines lines={4} label={t('interface.loading')} />}
    </SessionFrame>
  );
}

/** Registering by oneself, where a project has it open: by its code, or by choosing it. */
export function SelfRegistration() {
  const { t } = useText();
  const { token } = useParams();
  if (token !== undefined) return <ByCode key={token} code={token} />;
  return (
    <OpenProjects kind="self" closed={<ClosedRegistration text={t('entry.closed.all')} />}>
      {(projects) => <Choice projects={projects} />}
    </OpenProjects>
  );
}
