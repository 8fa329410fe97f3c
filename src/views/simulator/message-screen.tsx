import { useEffect, useRef, useState } from 'react';
import type { ShownMessage } from '#models/simulator.ts';
import { useText } from '#src/components/text.ts';

/** The announcements on the device's screen, one at a time as it shows them: with the buttons one turns to the others. */
export function MessageScreen({ messages }: { messages: readonly ShownMessage[] }) {
  const { t } = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const newest = messages[0]?.id;
  const known = useRef(newest);
  useEffect(() => {
    // What comes in is shown at once.
    if (known.current !== newest) setChosen(null);
    known.current = newest;
  }, [newest]);
  const at = Math.max(
    0,
    messages.findIndex(({ id }) => id === chosen),
  );
  const message = messages[at];
  if (!message) return null;
  const turn = (by: number) => () => setChosen(messages[at + by]?.id ?? null);
  return (
    <section className="simulator-screen" aria-label={t('simulator.message.screen')}>
      <p className="simulator-screen-head">
        <i className="pi pi-megaphone" aria-hidden="true" />
        <span>{t('simulator.message.screen')}</span>
        {messages.length > 1 && (
          <span className="simulator-screen-turn">
            <button type="button" className="icon-button" aria-label={t('simulator.message.newer')} disabled={at === 0} onClick={turn(-1)}>
              <i className="pi pi-chevron-left" aria-hidden="true" />
            </button>
            <span role="status">{t('simulator.message.of', { number: at + 1, count: messages.length })}</span>
            <button
              type="button"
              className="icon-button"
              aria-label={t('simulator.message.older')}
              disabled={at === messages.length - 1}
              onClick={turn(1)}
            >
              <i className="pi pi-chevron-right" aria-hidden="true" />
            </button>
          </span>
        )}
      </p>
      <h3 dir="auto">{message.title}</h3>
      {message.picture && <img className="simulator-screen-picture" src={message.picture} alt="" />}
      <p className="simulator-screen-text" dir="auto">
        {message.text}
      </p>
    </section>
  );
}
