import { useSelector } from '@xstate/react';
import { useNavigate } from 'react-router-dom';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useSession } from '../system.ts';
import { SessionFrame } from './session-frame.tsx';

/** The person's account belongs to several projects: which one to open. */
export function ChooseProject() {
  const { t } = useText();
  const session = useSession();
  const navigate = useNavigate();
  const { projects, projectId, problem } = useSelector(session, ({ context }) => context);
  const busy = useSelector(session, (snapshot) => snapshot.hasTag('busy'));
  if (projects.length === 0)
    return (
      <SessionFrame title={t('interface.projects.title')} lead={t('interface.projects.none')}>
        <Button label={t('interface.projects.to_login')} onClick={() => void navigate('/login')} />
      </SessionFrame>
    );
  return (
    <SessionFrame title={t('interface.projects.title')} lead={t('interface.projects.lead')}>
      {problem && (
        <div className="session-note session-note-bad" role="alert">
          <i className="pi pi-times-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={problem} />
          </div>
        </div>
      )}
      <ul className="session-choices">
        {projects.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              className="session-choice"
              disabled={busy}
              onClick={() => session.send({ type: 'session.chooseProject', projectId: id })}
            >
              <span>{name}</span>
              <i className={`pi ${busy && id === projectId ? 'pi-spin pi-spinner' : 'pi-chevron-right'}`} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <p className="session-links">
        <button type="button" className="link-button" onClick={() => session.send({ type: 'session.signOut' })}>
          {t('interface.projects.other_account')}
        </button>
      </p>
    </SessionFrame>
  );
}
