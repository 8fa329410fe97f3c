import { useContext } from 'react';
import type { Ukey2 } from '#models/ukey2.ts';
import { Button } from '#src/components/button.tsx';
import { CodeLink } from '#src/components/code-link.tsx';
import { Modal } from '#src/components/modal.tsx';
import { QrCode } from '#src/components/qr-code.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** What a phone scans: where to go, and with which code. */
const scanned = (code: string): string => `doorward://ukey2?${new URLSearchParams({ server: location.origin, code })}`;

/** The code by which a phone takes the key: made when asked for, told once. */
export default function ActivationDialog({ row, close, reload }: ActionProps<Ukey2>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const clockwork = useContext(ClockworkContext);
  const { answer, ...request } = useRequest('ukey2Code', { done: reload });
  const time = (moment: string): string => exactTime(Date.parse(moment), clockwork, 'HH:mm');
  return (
    <Modal
      title={t('areas.ukey2.code.title', { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.close')} disabled={request.running} onClick={close} />
          {!answer && <Button label={t('areas.ukey2.code.make')} loading={request.running} onClick={() => request.run({ params: { id: row.id } })} />}
        </>
      }
    >
      <div className="stack">
        <p>{t('areas.ukey2.code.does')}</p>
        {!answer && row.code_until && <p className="quiet">{t('areas.ukey2.code.anew', { time: time(row.code_until) })}</p>}
        {answer && (
          <>
            <QrCode text={scanned(answer.code)} label={t('areas.ukey2.code.of', { name: row.name })} />
            <CodeLink href={answer.code} label={t('areas.ukey2.actions.code')} />
            <p className="quiet">{t('areas.ukey2.code.made', { time: time(answer.until) })}</p>
          </>
        )}
        {request.problem && (
          <p className="field-issue" role="alert">
            {sayProblem(request.problem)}
          </p>
        )}
      </div>
    </Modal>
  );
}
