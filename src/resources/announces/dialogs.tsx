import type { Announce } from '#models/announces.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { RichText } from '#src/components/rich-text/rich-text.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { ReachLine } from './audience.tsx';
import '#src/views/announces/announces.css';

/** As its recipients will read it. */
function Preview({ row }: { row: Announce }) {
  return (
    <div className="announce-preview">
      <h3 dir="auto">{row.title}</h3>
      <RichText html={row.body} />
      {row.type === 'poll' && row.answers.length > 0 && (
        <ul className="announce-answers">
          {row.answers.map((answer) => (
            <li key={answer} dir="auto">
              {answer}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function MoveDialog({ step, row, close, reload }: ActionProps<Announce> & { step: 'start' | 'stop' }) {
  const { t } = useText();
  const request = useRequest(step === 'start' ? 'startAnnounce' : 'stopAnnounce', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t(`areas.announces.${step}.title`, { name: row.title })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone={step === 'stop' ? 'danger' : 'primary'}
            icon={step === 'start' ? 'pi-send' : undefined}
            label={t(`areas.announces.actions.${step}`)}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      {step === 'start' && <Preview row={row} />}
      {step === 'start' && <ReachLine draft={row} />}
      {step === 'start' && row.status === 'new' && row.execute_at && (
        <p>
          {t('areas.announces.start.planned')} <When at={row.execute_at} exact />
        </p>
      )}
      {step === 'stop' && <p>{t('areas.announces.stop.does')}</p>}
      <ProblemNote problem={request.problem} />
    </Modal>
  );
}

/** Shows once more what goes out, and to how many. */
export const StartAnnounce = (props: ActionProps<Announce>) => <MoveDialog step="start" {...props} />;
/** Takes it back, saying what that means. */
export const StopAnnounce = (props: ActionProps<Announce>) => <MoveDialog step="stop" {...props} />;
