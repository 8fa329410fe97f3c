import { useId } from 'react';
import { hasPermission } from '#models/permissions.ts';
import { type ScenarioName, scenarioNames, type ScenarioRun, type SimulatorState } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';

type Adopt = (state: SimulatorState) => void;
interface RunProps {
  run: ScenarioRun;
  adopt: Adopt;
  onChoose: (device: string) => void;
}

function Line({ line: { step, device, reason, at }, onChoose }: { line: ScenarioRun['lines'][number]; onChoose: RunProps['onChoose'] }) {
  const { t } = useText();
  return (
    <li>
      {device && (
        <>
          <button type="button" className="simulator-link" onClick={() => onChoose(device.id)}>
            {device.name}
          </button>
          {': '}
        </>
      )}
      {t(`simulator.steps.${step}`)}
      {reason && ` (${t(`areas.device-events.options.reason.${reason}`)})`}{' '}
      <span className="quiet small">
        <When at={at} />
      </span>
    </li>
  );
}

function Run({ run, adopt, onChoose }: RunProps) {
  const { t } = useText();
  const stop = useRequest('stopScenario', { done: adopt });
  return (
    <div className="simulator-run">
      <p className="simulator-run-head">
        <strong>{t(`simulator.scenarios.${run.name}.name`)}</strong>
        <span role="status">{t(`simulator.run.${run.state}`, { done: run.done, total: run.total })}</span>
        {run.state === 'running' && (
          <Button small tone="quiet" icon="pi-stop-circle" label={t('simulator.stop')} disabled={stop.running} onClick={() => stop.run({})} />
        )}
      </p>
      <span className="simulator-progress" aria-hidden="true">
        <span style={{ width: `${(run.done / run.total) * 100}%` }} />
      </span>
      <ol>
        {run.lines.slice(-4).map((line) => (
          <Line key={`${line.at}${line.step}`} line={line} onChoose={onChoose} />
        ))}
      </ol>
    </div>
  );
}

/** The scripts, each with what it shows, and how far the last one has come. */
export function ScenariosCard({ run, ...rest }: Omit<RunProps, 'run'> & { run: ScenarioRun | null }) {
  const { adopt } = rest;
  const { t } = useText();
  const titleId = useId();
  const play = useRequest('playScenario', { done: adopt });
  const managesLicences = hasPermission(actorOf(useProfile()), 'can_manage_licenses');
  const mayPlay = (name: ScenarioName): boolean => name !== 'licence-ends' || managesLicences;
  return (
    <section className="card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.scenarios_title')}</h2>
      </header>
      {run && <Run run={run} {...rest} />}
      {play.problem && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={play.problem} />
          </div>
        </div>
      )}
      <ul className="simulator-rows">
        {scenarioNames.filter(mayPlay).map((name) => (
          <li key={name} className="simulator-scenario">
            <span className="simulator-name">
              <span>{t(`simulator.scenarios.${name}.name`)}</span>
              <span className="quiet small">{t(`simulator.scenarios.${name}.says`)}</span>
            </span>
            <Button
              small
              tone="plain"
              icon="pi-play"
              label={t('simulator.play')}
              aria-label={t('simulator.play_named', { name: t(`simulator.scenarios.${name}.name`) })}
              disabled={play.running || run?.state === 'running'}
              onClick={() => play.run({ params: { name } })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
