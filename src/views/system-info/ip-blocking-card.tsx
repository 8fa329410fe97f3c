import { useEffect, useState } from 'react';
import { whitelistForm } from '#models/forms/whitelist.ts';
import type { IpBlocking } from '#models/ip-blocking.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useAlerts } from '../system.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';

type Adopt = (overview: IpBlocking) => void;

/** The calls that change what is blocked; each answers how it stands. */
function useActs(adopt: Adopt) {
  const alerts = useAlerts();
  const heard = { done: adopt, failed: (problem: Problem): void => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }) };
  return { one: useRequest('unbanIps', heard), all: useRequest('unbanAll', heard), removal: useRequest('removeFromWhitelist', heard) };
}
type Acts = ReturnType<typeof useActs>;

/** Who waits, for what, and until when. */
function BannedList({ banned, mayChange, acts }: Pick<IpBlocking, 'banned'> & { mayChange: boolean; acts: Acts }) {
  const { t } = useText();
  if (banned.length === 0) return <p className="quiet">{t('areas.system.ip.none')}</p>;
  const busy = acts.one.running || acts.all.running;
  return (
    <ul className="ip-list">
      {banned.map(({ ip, way, cause, tries, until }) => (
        <li key={`${ip} ${way}`} className="ip-line">
          <div className="ip-about">
            <code>{ip}</code>
            <span className="small">
              {t(`areas.system.ip.ways.${way}`)} · {t(`areas.system.ip.causes.${cause}`)}
            </span>
            <span className="quiet small">
              {t('areas.system.ip.tries', { count: tries })} · {t('areas.system.ip.until')} <When at={until} exact />
            </span>
          </div>
          {mayChange && (
            <Button
              tone="plain"
              small
              label={t('areas.system.ip.unban')}
              aria-label={t('areas.system.ip.unban_of', { ip })}
              disabled={busy}
              onClick={() => acts.one.run({ body: { ips: [ip] } })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function AddTrusted({ adopt }: { adopt: Adopt }) {
  const { t } = useText();
  const { draft, issues, problem, running, change, save } = useForm(whitelistForm, null, (overview, goOn) => {
    adopt(overview);
    goOn({ ip: '' });
  });
  const submit = useSubmit({ issues, running, save });
  return (
    <form className="ip-add" {...submit}>
      <LineField
        field="ip"
        label={t('areas.system.ip.add')}
        hint={t('areas.system.ip.add_hint')}
        value={draft.ip}
        issue={issueOf(issues, 'ip')}
        required={false}
        inputMode="text"
        onChange={(ip) => change({ ip })}
      />
      <ProblemNote problem={problem} />
      <Button tone="plain" icon="pi-plus" label={t('areas.system.ip.add_act')} loading={running} type="submit" />
    </form>
  );
}

/** Addresses that are blocked after failures, and those that never are (SETT-14 to 17). */
export function IpBlockingCard() {
  const { t } = useText();
  const mayChange = hasPermission(actorOf(useProfile()), 'can_change_project_settings');
  const [overview, adopt] = useState<IpBlocking | null>(null);
  const reading = useRequest('ipBlocking', { done: adopt });
  const acts = useActs(adopt);
  const { run } = reading;
  useEffect(() => run({}), [run]);
  return (
    <section className="card system-card" aria-labelledby="system-ip">
      <header className="card-head">
        <h2 id="system-ip" className="grow">
          {t('areas.system.ip.title')}
        </h2>
        <Button tone="quiet" small icon="pi-refresh" label={t('areas.system.refresh')} loading={reading.running} onClick={() => run({})} />
        {mayChange && overview && overview.banned.length > 0 && (
          <Button tone="plain" small label={t('areas.system.ip.unban_all')} loading={acts.all.running} onClick={() => acts.all.run({})} />
        )}
      </header>
      <div className="card-body stack">
        <p className="quiet small">{t('areas.system.ip.about')}</p>
        <ProblemNote problem={reading.problem} />
        {!overview && !reading.problem && <SkeletonLines lines={3} label={t('interface.loading')} />}
        {overview && (
          <>
            <BannedList banned={overview.banned} mayChange={mayChange} acts={acts} />
            <h3>{t('areas.system.ip.whitelist')}</h3>
            {overview.whitelist.length === 0 && <p className="quiet">{t('areas.system.ip.whitelist_none')}</p>}
            <ul className="ip-list">
              {overview.whitelist.map(({ ip, created_at, created_by }) => (
                <li key={ip} className="ip-line">
                  <div className="ip-about">
                    <code>{ip}</code>
                    <span className="quiet small">
                      {created_by?.name ?? t('list.none')} · <When at={created_at} />
                    </span>
                  </div>
                  {mayChange && (
                    <Button
                      tone="quiet"
                      small
                      icon="pi-trash"
                      label={t('areas.system.ip.remove')}
                      aria-label={t('areas.system.ip.remove_of', { ip })}
                      disabled={acts.removal.running}
                      onClick={() => acts.removal.run({ body: { ips: [ip] } })}
                    />
                  )}
                </li>
              ))}
            </ul>
            {mayChange && <AddTrusted adopt={adopt} />}
          </>
        )}
      </div>
    </section>
  );
}
