import { Fragment, type ReactNode, useContext } from 'react';
import { Link } from 'react-router-dom';
import type { AccessExplanation } from '#models/access-calls.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';

type Step = AccessExplanation['steps'][number];
type Deciding = NonNullable<AccessExplanation['rule']>;

/** A moment to the minute, in the person's zone. */
function useMoment(): (at: string) => string {
  const clockwork = useContext(ClockworkContext);
  return (at) => exactTime(Date.parse(at), clockwork, 'HH:mm');
}

const listed = (parts: readonly ReactNode[]): ReactNode =>
  parts.map((part, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the list never changes
    <Fragment key={at}>
      {at > 0 && ', '}
      {part}
    </Fragment>
  ));

function RuleName({ rule }: { rule: Deciding }) {
  const { t } = useText();
  return rule.id === null ? <em>{rule.name ?? t('list.explain.hidden_rule')}</em> : <Link to={`/access-rules/${rule.id}`}>{rule.name}</Link>;
}

/** One question that is asked before a door opens, and how it was answered, with the way to what decided. */
function StepLine({ step }: { step: Step }) {
  const { t } = useText();
  const isAlways = step.step === 'schedule' && step.outcome === 'passed' && step.schedules.length === 0;
  const ending = step.outcome === 'failed' ? step.reason : isAlways ? 'passed_always' : step.outcome;
  const feature = step.feature === null ? '' : t(`list.explain.features.${step.feature}`);
  return (
    <li className="explain-step" data-outcome={step.outcome}>
      <i
        className={`pi ${step.outcome === 'passed' ? 'pi-check-circle' : step.outcome === 'failed' ? 'pi-times-circle' : 'pi-minus-circle'}`}
        aria-hidden="true"
      />
      <span>
        {t(`list.explain.steps.${step.step}.${ending}`, { feature })}{' '}
        {step.step !== 'schedule' && listed(step.rules.map((rule) => <RuleName key={rule.id} rule={rule} />))}
        {step.step === 'schedule' &&
          listed(
            step.schedules.map(({ id, name }) => (
              <Link key={id} to={`/schedules/${id}`}>
                {name}
              </Link>
            )),
          )}
      </span>
    </li>
  );
}

/** What the door decides by itself, by what it was sent last. */
function DeviceLine({ device, isGranted }: { device: AccessExplanation['device']; isGranted: boolean }) {
  const { t } = useText();
  const moment = useMoment();
  if (!device) return <p className="quiet small">{t('list.explain.device_unknown')}</p>;
  const when = moment(device.synced_at);
  if (device.is_granted === isGranted) return <p className="quiet small">{t('list.explain.device_agrees', { when })}</p>;
  return (
    <p className="notice notice-warn">
      {t(device.is_granted ? 'list.explain.device_differs_granted' : 'list.explain.device_differs_denied', { when })}{' '}
      {device.is_waiting && t('list.explain.device_waiting')}
    </p>
  );
}

/** The sentence above the chain: whether it opens, by what and until when, or when it opens next. */
function Verdict({ explanation }: { explanation: AccessExplanation }) {
  const { t } = useText();
  const moment = useMoment();
  const { is_granted: granted, rule, schedule, until, next } = explanation;
  if (granted) {
    const name = rule?.name ?? t('list.explain.hidden_rule');
    const by = schedule ? t('list.explain.by_schedule', { rule: name, schedule: schedule.name }) : t('list.explain.by', { rule: name });
    return (
      <p className="explain-verdict" data-granted="true">
        <strong>{t('list.explain.granted')}</strong> {by}
        {until !== null && `, ${t('list.explain.until', { when: moment(until) })}`}
      </p>
    );
  }
  return (
    <p className="explain-verdict" data-granted="false">
      <strong>{t('list.explain.denied')}.</strong> {next === null ? t('list.explain.no_next') : t('list.explain.next', { when: moment(next) })}
    </p>
  );
}

/** Why one identifier opens a door or does not: the verdict, the chain, what the door itself knows. */
export function Explained({ explanation, device }: { explanation: AccessExplanation; device: string }) {
  const { t } = useText();
  const { identifier, owner, steps } = explanation;
  const name = identifier ? (
    <Link to={`/identifiers/${identifier.id}`}>
      {identifier.name} …{identifier.mask}
    </Link>
  ) : (
    t('list.explain.unknown')
  );
  return (
    <section className="explained">
      <h3>
        {name}
        {owner && (
          <>
            {' · '}
            <Link to={`/users/${owner.id}`}>{owner.name}</Link>
          </>
        )}
        {' · '}
        {device}
      </h3>
      <Verdict explanation={explanation} />
      <ol className="explain-steps">
        {steps
          .filter(({ outcome, step }) => outcome !== 'skipped' || (step !== 'known' && step !== 'usable'))
          .map((step) => (
            <StepLine key={step.step} step={step} />
          ))}
      </ol>
      <DeviceLine device={explanation.device} isGranted={explanation.is_granted} />
    </section>
  );
}
