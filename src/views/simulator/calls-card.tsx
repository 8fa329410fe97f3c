import { useId } from 'react';
import type { RunningCall } from '#models/simulator.ts';
import { useText } from '#src/components/text.ts';

/** So many of its last moves are shown. */
const shown = 4;

function Call({ call: { caller, callee, moves } }: { call: RunningCall }) {
  return (
    <li className="simulator-call">
      <span>
        {caller} <i className="pi pi-arrow-right" aria-hidden="true" /> {callee}
      </span>
      <code>{moves.at(-1)?.states.join(' · ')}</code>
      <ol className="quiet small">
        {moves.slice(-shown).map(({ event, states, at }, index) => (
          <li key={`${at} ${index}`}>
            <code>{event}</code> → <code>{states.join(' · ')}</code>
          </li>
        ))}
      </ol>
    </li>
  );
}

/** The calls that run at the server, each as the statechart it is: where it stands and what led there. */
export function CallsCard({ calls }: { calls: readonly RunningCall[] }) {
  const { t } = useText();
  const titleId = useId();
  return (
    <section className="card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.calls_title')}</h2>
      </header>
      {calls.length === 0 ? (
        <p className="quiet small simulator-inset simulator-no-calls">{t('simulator.calls_none')}</p>
      ) : (
        <ul className="simulator-rows">
          {calls.map((call) => (
            <Call key={call.id} call={call} />
          ))}
        </ul>
      )}
    </section>
  );
}
