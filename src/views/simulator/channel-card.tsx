import { useId } from 'react';
import { type ChannelState, channelStates, type SimulatorState } from '#models/simulator.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** The realtime channel of all open consoles: whole, cut, or late. */
export function ChannelCard({ state, adopt }: { state: ChannelState; adopt: (state: SimulatorState) => void }) {
  const { t } = useText();
  const titleId = useId();
  const stage = useRequest('simulatorChannel', { done: adopt });
  return (
    <section className="card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.channel_title')}</h2>
      </header>
      <div className="simulator-acts simulator-inset" role="group" aria-labelledby={titleId}>
        {channelStates.map((each) => (
          <button
            key={each}
            type="button"
            className="simulator-sensor"
            aria-pressed={each === state}
            disabled={stage.running}
            onClick={() => stage.run({ body: { state: each } })}
          >
            {t(`simulator.channel.${each}`)}
          </button>
        ))}
      </div>
      <p className="quiet small simulator-inset">{t(`simulator.channel_says.${state}`)}</p>
    </section>
  );
}
