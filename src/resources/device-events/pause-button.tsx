import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { ListSlotProps } from '#src/views/area/resource.ts';

/** New events come in by themselves; whoever reads may stop that, and what came meanwhile is there when they go on. */
export function PauseButton({ list }: ListSlotProps) {
  const { t } = useText();
  const [paused, setPaused] = useState(false);
  const held = useSelector(list, (snapshot) => snapshot?.matches({ attention: 'held' }) ?? false);
  useEffect(() => {
    // A menu that closes lets the rows go; a pause outlasts it.
    if (paused && !held) list?.send({ type: 'rows.hold' });
  }, [paused, held, list]);
  useEffect(() => () => list?.send({ type: 'rows.release' }), [list]);
  const flip = () => {
    if (paused) list?.send({ type: 'rows.release' });
    setPaused(!paused);
  };
  return (
    <Button
      tone="plain"
      className="tool-link"
      icon={paused ? 'pi-play' : 'pi-pause'}
      aria-pressed={paused}
      label={t(paused ? 'list.live.go_on' : 'list.live.pause')}
      onClick={flip}
    />
  );
}
