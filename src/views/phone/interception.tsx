import { useSelector } from '@xstate/react';
import type { InterceptionActor } from '#machines/phone/interception.machine.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useText } from '#src/components/text.ts';
import { GroupName, GroupSearch } from './group-search.tsx';
import { PartHead, PartState } from './part-state.tsx';

/** The groups on the list; locked while calls are intercepted (clause INT-05). */
function Groups({ actor }: { actor: InterceptionActor }) {
  const { t } = useText();
  const { groups, own, chosen } = useSelector(actor, ({ context }) => context);
  const [on, mine, known] = [new Set(chosen), new Set(own), new Set(groups.map(({ id }) => id))];
  const mayChoose = useSelector(actor, (snapshot) => snapshot.can({ type: 'interception.add', group: { id: '', name: '', path: [] } }));
  return (
    <>
      <fieldset className="interception-groups" disabled={!mayChoose}>
        <legend className="unseen">{t('phone.interception.groups')}</legend>
        {groups.map((group) => (
          <label key={group.id} className="interception-group">
            <input
              type="checkbox"
              className="check"
              checked={on.has(group.id)}
              onChange={() => actor.send({ type: 'interception.toggle', id: group.id })}
            />
            <GroupName group={group} />
            {mine.has(group.id) && <span className="tag">{t('phone.interception.own')}</span>}
          </label>
        ))}
        {groups.length === 0 && <p className="quiet small">{t('phone.interception.none')}</p>}
      </fieldset>
      {mayChoose && <GroupSearch known={known} onAdd={(group) => actor.send({ type: 'interception.add', group })} />}
    </>
  );
}

/** Calls of chosen groups come to this desk first (clauses DIAL-25, INT-02 to INT-05). */
export function Interception({ actor }: { actor: InterceptionActor }) {
  const { t } = useText();
  const count = useSelector(actor, ({ context }) => context.chosen.length);
  const isActive = useSelector(actor, (snapshot) => snapshot.hasTag('active') || snapshot.hasTag('stopping'));
  const isBusy = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const isUnreachable = useSelector(actor, (snapshot) => snapshot.hasTag('unreachable'));
  const mayStart = useSelector(actor, (snapshot) => snapshot.can({ type: 'interception.start' }));
  const mayStop = useSelector(actor, (snapshot) => snapshot.can({ type: 'interception.stop' }));
  const reading = { isLoading: isBusy, isEmpty: false, problem: null, onRefresh: () => actor.send({ type: 'interception.reread' }) };
  return (
    <>
      <PartHead count={t('phone.interception.chosen', { count })} reading={reading}>
        <b className="grow">{t('phone.tabs.interception')}</b>
      </PartHead>
      <PartState reading={reading}>
        {isUnreachable ? (
          <EmptyState icon="pi-exclamation-circle" text={t('phone.interception.unreachable')} />
        ) : (
          <div className="interception" data-active={isActive}>
            <p className="interception-state" role="status">
              <span className={isActive ? 'tag tag-good' : 'tag'}>{t(isActive ? 'phone.interception.on' : 'phone.interception.off')}</span>
              <span className="quiet small">{t(isActive ? 'phone.interception.locked' : 'phone.interception.about')}</span>
            </p>
            <Groups actor={actor} />
            {isActive ? (
              <Button
                tone="danger-plain"
                icon="pi-stop-circle"
                label={t('phone.interception.stop')}
                loading={isBusy}
                disabled={!mayStop}
                onClick={() => actor.send({ type: 'interception.stop' })}
              />
            ) : (
              <Button
                icon="pi-play-circle"
                label={t('phone.interception.start')}
                loading={isBusy}
                disabled={!mayStart}
                onClick={() => actor.send({ type: 'interception.start' })}
              />
            )}
          </div>
        )}
      </PartState>
    </>
  );
}
