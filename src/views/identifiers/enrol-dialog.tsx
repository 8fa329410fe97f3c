import { useSelector } from '@xstate/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { EnrolmentActor } from '#machines/enrolment.machine.ts';
import type { CardReader, PresentedCard } from '#models/enrolment.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useEnrolment } from '../view-child.ts';
import { Countdown } from './countdown.tsx';
import { KnownCard } from './known-card.tsx';
import { ReaderChoice } from './reader-choice.tsx';
import './enrol.css';

interface EnrolDialogProps {
  /** Whom the card is meant for, if that is known. */
  to: string | null;
  /** Told of a card that nobody has. */
  onCard: (card: PresentedCard) => void;
  onClose: () => void;
}

/** Why a reader could not be told to wait; of one that waits already, for whom. */
function EnrolProblem({ problem }: { problem: Problem }) {
  const { t } = useText();
  const { name } = (problem.data ?? {}) as { name?: unknown };
  const isNamed = problem.code === 'reader_busy' && typeof name === 'string';
  return <div>{isNamed ? t('areas.identifiers.enrol.busy', { name }) : <ProblemText problem={problem} />}</div>;
}

function Notice({ tone, icon, children }: { tone: 'warn' | 'bad'; icon: `pi-${string}`; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role="alert">
      <i className={`pi ${icon}`} aria-hidden="true" />
      {children}
    </div>
  );
}

/** How the enrolment stands, in what its view draws. */
function useStage(actor: EnrolmentActor | undefined) {
  const context = useSelector(actor, (snapshot) => snapshot?.context);
  const is = useSelector(actor, (snapshot) => (['arming', 'waiting', 'read', 'silent', 'failed'] as const).find((tag) => snapshot?.hasTag(tag)));
  return { is, card: context?.card ?? null, problem: context?.problem ?? null, seconds: context?.seconds ?? 0 };
}

/** Hands over a card that nobody has, once. */
function useHandOver(card: PresentedCard | null, onCard: (card: PresentedCard) => void): void {
  const onCardNow = useRef(onCard);
  useEffect(() => {
    onCardNow.current = onCard;
  });
  useEffect(() => {
    if (card && !card.known) onCardNow.current(card);
  }, [card]);
}

/** Waits at a reader for the next card: a reader is chosen, seconds run, and the card's number comes back. */
export function EnrolDialog({ to, onCard, onClose }: EnrolDialogProps) {
  const { t } = useText();
  const actor = useEnrolment();
  const { is, card, problem, seconds } = useStage(actor);
  const { answer: readers, problem: unread, run } = useRequest('cardReaders');
  const [chosen, choose] = useState<CardReader>();
  useEffect(() => run({}), [run]);
  useHandOver(is === 'read' ? card : null, onCard);
  const reader = chosen ?? readers?.find(({ last, online }) => last && online !== false);
  const begin = () => reader && actor?.send({ type: 'enrolment.begin', device: reader.id });
  const cancel = () => actor?.send({ type: 'enrolment.cancel' });
  const choosing = is !== 'waiting' && is !== 'read';
  return (
    <Modal
      title={t('areas.identifiers.enrol.title')}
      onDismiss={onClose}
      footer={
        <>
          {/* What was pressed goes with its stage: without a focus the keyboard would reach nothing. */}
          <Button
            key={is === 'waiting' ? 'give-up' : 'close'}
            tone="plain"
            autoFocus={is === 'waiting'}
            label={t('list.cancel')}
            onClick={is === 'waiting' ? cancel : onClose}
          />
          {is === 'read' && <Button autoFocus icon="pi-replay" label={t('areas.identifiers.enrol.another')} onClick={begin} />}
          {choosing && (
            <Button
              autoFocus={is === 'silent' || is === 'failed'}
              icon="pi-id-card"
              label={t(is === 'silent' ? 'areas.identifiers.enrol.again' : 'areas.identifiers.enrol.wait')}
              loading={is === 'arming'}
              disabled={!reader}
              onClick={begin}
            />
          )}
        </>
      }
    >
      {is === 'silent' && (
        <Notice tone="warn" icon="pi-clock">
          <div>{t('areas.identifiers.enrol.silent')}</div>
        </Notice>
      )}
      {is === 'failed' && problem && (
        <Notice tone="bad" icon="pi-exclamation-circle">
          <EnrolProblem problem={problem} />
        </Notice>
      )}
      {choosing && unread && <Failure problem={unread} onRetry={() => run({})} />}
      {choosing && !readers && !unread && <SkeletonLines lines={5} label={t('list.loading')} />}
      {choosing && readers && <ReaderChoice readers={readers} chosen={reader} locked={is === 'arming'} onChoose={choose} />}
      {is === 'waiting' && <Countdown seconds={seconds} reader={reader?.name ?? ''} />}
      {is === 'read' && card?.known && <KnownCard card={card} to={to} />}
    </Modal>
  );
}
