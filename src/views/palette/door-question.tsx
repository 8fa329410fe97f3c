import { useSelector } from '@xstate/react';
import type { PaletteActor } from '#machines/palette/palette.machine.ts';
import { Button } from '#src/components/button.tsx';
import { useProblemText, useText } from '#src/components/text.ts';

const standings = ['opening', 'confirmed', 'unconfirmed', 'refused'] as const;
type Standing = 'asking' | (typeof standings)[number];
const icons = { opening: 'pi-spin pi-spinner', confirmed: 'pi-check-circle', unconfirmed: 'pi-question-circle', refused: 'pi-times-circle' } as const;

/** Asks before a door is opened, and says what came of it: open only once the device has said so. */
export function DoorQuestion({ palette }: { palette: PaletteActor }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const name = useSelector(palette, ({ context }) => context.door?.name ?? '');
  const problem = useSelector(palette, ({ context }) => context.doorProblem);
  const standing = useSelector(palette, (snapshot): Standing => standings.find((one) => snapshot.hasTag(one)) ?? 'asking');
  const mayOpen = useSelector(palette, (snapshot) => snapshot.can({ type: 'palette.confirm' }));
  const mayGoBack = useSelector(palette, (snapshot) => snapshot.can({ type: 'palette.back' }));
  return (
    <div className="palette-door" data-state={standing}>
      <p className="palette-question">{t('shell.palette.door.question', { name })}</p>
      <p className="palette-outcome" role="status">
        {standing !== 'asking' && (
          <>
            <i className={`pi ${icons[standing]}`} aria-hidden="true" />{' '}
            {standing === 'refused' && problem ? sayProblem(problem) : t(`shell.palette.door.${standing}`)}
          </>
        )}
      </p>
      <div className="palette-acts">
        {mayGoBack && (
          <Button
            key={standing}
            tone="plain"
            autoFocus={!mayOpen}
            label={t(standing === 'asking' ? 'interface.cancel' : 'shell.palette.door.back')}
            onClick={() => palette.send({ type: 'palette.back' })}
          />
        )}
        {mayOpen && (
          <Button autoFocus icon="pi-lock-open" label={t('shell.palette.door.approve')} onClick={() => palette.send({ type: 'palette.confirm' })} />
        )}
      </div>
    </div>
  );
}
