import type { Identifier } from '#models/identifiers.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

const callOf = {
  revoke: 'revokeIdentifier',
  restore: 'restoreIdentifier',
  lost: 'loseIdentifier',
  found: 'findIdentifier',
} as const;
type Named = Pick<Identifier, 'id' | 'name'>;

function LifeDialog({ step, row, close, reload }: ActionProps<Named> & { step: keyof typeof callOf }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const request = useRequest(callOf[step], {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t(`areas.identifiers.${step}.title`, { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            tone={step === 'revoke' || step === 'lost' ? 'danger' : 'primary'}
            label={t(`areas.identifiers.actions.${step}`)}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <p>{t(`areas.identifiers.${step}.does`)}</p>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}

/** Takes the right away, saying what that means. */
export const RevokeDialog = (props: ActionProps<Named>) => <LifeDialog step="revoke" {...props} />;
/** Gives it back. */
export const RestoreDialog = (props: ActionProps<Named>) => <LifeDialog step="restore" {...props} />;
/** Bars what was lost, everywhere at once. */
export const LostDialog = (props: ActionProps<Named>) => <LifeDialog step="lost" {...props} />;
/** What was lost is there again. */
export const FoundDialog = (props: ActionProps<Named>) => <LifeDialog step="found" {...props} />;
