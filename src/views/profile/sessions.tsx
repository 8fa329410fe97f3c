import { useCallback, useEffect } from 'react';
import { deviceName } from '#models/device-name.ts';
import type { SignedInSession } from '#models/profile.ts';
import { Button } from '#src/components/button.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { useAlerts, useSession } from '../system.ts';

function SessionLine({ session, onEnd, ending }: { session: SignedInSession; onEnd: () => void; ending: boolean }) {
  const { t } = useText();
  const device = deviceName(session.user_agent) ?? t('interface.profile.unknown_device');
  return (
    <li className="session-line">
      <i className={`pi ${/Android|iPhone|iPad/.test(session.user_agent ?? '') ? 'pi-mobile' : 'pi-desktop'}`} aria-hidden="true" />
      <div className="session-about">
        <span>{device}</span>
        <span className="quiet small">
          {session.ip ?? t('interface.profile.unknown_place')} · <When at={session.last_seen_at} />
        </span>
      </div>
      {session.is_current ? (
        <span className="tag tag-good">{t('interface.profile.this_session')}</span>
      ) : (
        <Button
          label={t('interface.profile.end_session')}
          aria-label={t('interface.profile.end_session_named', { device })}
          small
          tone="plain"
          loading={ending}
          onClick={onEnd}
        />
      )}
    </li>
  );
}

/** Where the person is signed in, with a way to end each session and all of them. */
export function Sessions() {
  const { t } = useText();
  const alerts = useAlerts();
  const actor = useSession();
  const confirm = useConfirm();
  const list = useRequest('sessions');
  const { run } = list;
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  const ending = useRequest('endSession', {
    done: () => {
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.profile.session_ended' } });
      load();
    },
    failed: (problem) => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }),
  });
  const leaveEverywhere = async (): Promise<void> => {
    const sure = await confirm({
      text: { key: 'interface.person.sign_out_everywhere_question' },
      approve: { key: 'interface.person.sign_out_everywhere' },
      danger: true,
    });
    if (sure) actor.send({ type: 'session.signOutEverywhere' });
  };
  const sessions = list.answer;
  return (
    <section className="card" aria-labelledby="sessions-title">
      <header className="card-head">
        <h2 id="sessions-title">{t('interface.profile.sessions')}</h2>
      </header>
      {list.problem ? (
        <Failure problem={list.problem} onRetry={load} />
      ) : sessions ? (
        <ul className="session-list">
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} ending={ending.running} onEnd={() => ending.run({ params: { id: session.id } })} />
          ))}
        </ul>
      ) : (
        <SkeletonLines lines={4} label={t('interface.loading')} />
      )}
      {sessions && (
        <footer className="card-foot">
          <Button label={t('interface.person.sign_out_everywhere')} icon="pi-sign-out" tone="danger-plain" onClick={() => void leaveEverywhere()} />
        </footer>
      )}
    </section>
  );
}
