import { type FormEvent, useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { simpleRegistrationForm } from '#models/forms/simple-registration.ts';
import type { OpenProject } from '#models/registration-calls.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { issueOf, useForm } from '../use-form.ts';
import { ClosedRegistration } from './closed-registration.tsx';
import { ConfirmCode } from './confirm-code.tsx';
import { OpenProjects } from './open-projects.tsx';
import { SessionFrame } from './session-frame.tsx';
import { NewPassword, SessionChoice, SessionLine } from './session-inputs.tsx';
import { SessionProblem } from './session-problem.tsx';

const fields = ['name', 'login', 'password', 'repeat'] as const;
const idOf = (field: (typeof fields)[number]): string => (field === 'name' ? 'name' : `new-${field}`);

function Form({ projects }: { projects: readonly OpenProject[] }) {
  const { t } = useText();
  const navigate = useNavigate();
  const form = useForm(simpleRegistrationForm, null);
  const { draft, change } = form;
  const login = draft.login.trim();
  const isMade = form.done && form.answer?.registration === null;
  useEffect(() => {
    if (isMade) void navigate('/login', { replace: true, state: { registered: login } });
  }, [isMade, login, navigate]);
  if (form.done && form.answer?.registration) return <ConfirmCode registration={form.answer.registration} email={login} onBack={form.reset} />;
  const sending = form.running || form.done;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    const first = fields.find((field) => issueOf(form.wrong, field));
    if (first) document.getElementById(idOf(first))?.focus();
    else if (projects.length > 1 && draft.project === '') change({ project: projects[0]?.code ?? '' });
    form.save();
  };
  return (
    <SessionFrame title={t('entry.register.title')} lead={projects.length === 1 ? t('entry.register.lead', { project: projects[0]?.name }) : ''}>
      <form onSubmit={submit} noValidate aria-busy={sending}>
        <SessionProblem problem={form.problem?.code === 'invalid_data' ? null : form.problem} />
        {projects.length > 1 && (
          <SessionChoice
            id="project"
            label={t('entry.register.project')}
            value={draft.project || (projects[0]?.code ?? '')}
            options={projects.map(({ code, name }) => ({ value: code, label: name }))}
            onText={(project) => change({ project })}
          />
        )}
        <SessionLine
          id="name"
          label={t('entry.register.name')}
          issue={issueOf(form.issues, 'name')}
          value={draft.name}
          autoComplete="name"
          autoCapitalize="words"
          disabled={sending}
          onText={(name) => change({ name })}
        />
        <SessionLine
          id="new-login"
          label={t('entry.register.login')}
          hint={t('entry.register.login_hint')}
          issue={issueOf(form.issues, 'login')}
          value={draft.login}
          autoComplete="username"
          disabled={sending}
          onText={(typed) => change({ login: typed })}
        />
        <NewPassword draft={draft} issueOf={(field) => issueOf(form.issues, field)} disabled={sending} onChange={change} />
        <Button type="submit" label={t('entry.register.submit')} loading={sending} />
      </form>
      <p className="session-links">
        <Link to="/login">{t('entry.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}

/** Registering by name and login, where a project has it open. */
export function SimpleRegistration() {
  const { t } = useText();
  return (
    <OpenProjects kind="simple" closed={<ClosedRegistration text={t('entry.closed.by_link')} />}>
      {(projects) => <Form projects={projects} />}
    </OpenProjects>
  );
}
