import type { CheckResult } from '#machines/phone/ports.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

type Outcome = CheckResult['outcome'];
interface SelfTestProps {
  results: readonly CheckResult[];
  isRunning: boolean;
  /** When it was last run, ms since 1970. */
  at: number | null;
  /** Why the check itself did not come to an end. */
  problem: Problem | null;
  onRun: () => void;
}
const icons: Record<Outcome, `pi-${string}`> = { passed: 'pi-check-circle', warned: 'pi-exclamation-triangle', failed: 'pi-times-circle' };

/** The worst of what was found; null before the first check. */
function worstOf(results: readonly CheckResult[]): Outcome | null {
  const order = ['failed', 'warned', 'passed'] as const;
  return order.find((outcome) => results.some((result) => result.outcome === outcome)) ?? null;
}

/** The check before a shift: everything a call needs, one by one, each with what was found. */
export function SelfTest({ results, isRunning, at, problem, onRun }: SelfTestProps) {
  const { t } = useText();
  const sayProblem = useProblemText();
  return (
    <div className="self-test">
      <div className="row">
        <Button small tone="plain" icon="pi-verified" label={t('phone.self_test.run')} loading={isRunning} onClick={onRun} />
        {at !== null && !isRunning && (
          <span className="quiet small">
            <When at={new Date(at).toISOString()} />
          </span>
        )}
      </div>
      <p className="unseen" role="status">
        {isRunning ? t('phone.self_test.running') : t(`phone.self_test.result.${worstOf(results) ?? 'none'}`)}
      </p>
      {problem && <p className="field-issue">{sayProblem(problem)}</p>}
      <ul className="checks">
        {results.map(({ check, outcome, detail }) => (
          <li key={check} className="check-line" data-outcome={outcome}>
            <i className={`pi ${icons[outcome]}`} role="img" aria-label={t(`phone.self_test.outcome.${outcome}`)} />
            <span className="grow">
              {t(`phone.self_test.check.${check}`)}
              {outcome !== 'passed' && <span className="cell-sub check-advice">{t(`phone.self_test.advice.${check}`)}</span>}
            </span>
            <span className="quiet small">
              {detail === null || typeof detail === 'string' ? detail : t(`phone.self_test.unit.${detail.unit}`, { value: detail.value })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
