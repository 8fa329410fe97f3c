import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useSearchParams } from 'react-router-dom';
import type { PresentedCard } from '#models/enrolment.ts';
import { isNumbered, storedNumber } from '#models/identifier-value.ts';
import { may } from '#models/permissions.ts';
import { isId } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { maySee } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { KnownCard } from '#src/views/identifiers/known-card.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import './identifiers.css';

const EnrolDialog = lazyPart(() => import('#src/views/identifiers/enrol-dialog.tsx').then(({ EnrolDialog: dialog }) => ({ default: dialog })));

/** The card of an access event that the address names: its number goes into the form. */
function useCardOfEvent({ draft, change }: Pick<PieceProps, 'draft' | 'change'>) {
  const [params] = useSearchParams();
  const event = params.get('event');
  const isEmpty = draft['value'] === '';
  const take = ({ type, value }: PresentedCard) => {
    if (!isEmpty) return;
    change('type', type);
    change('value', value);
  };
  const { run, answer, problem } = useRequest('unknownCard', { done: take });
  useEffect(() => {
    if (event !== null && isId(event)) run({ params: { id: event } });
  }, [run, event]);
  return { answer, problem };
}

/** So long nothing is typed before a number is looked up, ms. */
const pause = 500;

/** Whether the number in the form is somebody's already: said before it is saved. */
function useKnownNumber({ type, value }: PieceProps['draft'], isAsked: boolean): PresentedCard | null {
  const number = isAsked && typeof value === 'string' ? storedNumber(value, 'hex') : null;
  const kind: PresentedCard['type'] | null = type === 'card' || type === 'ukey' ? type : null;
  const question = number === null || kind === null ? null : { body: { type: kind, value: number } };
  return useReading('lookUpCard', question, { pause }).answer;
}

/** How the number of a card comes into the form of a new identifier: read at a reader, or off the log. */
export function CardLead({ draft, change, mode }: PieceProps) {
  const { t } = useText();
  const profile = useProfile();
  const [reading, setReading] = useState(false);
  const { answer, problem } = useCardOfEvent({ draft, change });
  const isAdding = mode === 'add' && may(actorOf(profile), 'create', 'identifiers') && isNumbered(draft['type']);
  const typed = useKnownNumber(draft, isAdding);
  if (!isAdding) return null;
  const known = typed ?? answer;
  const { owner } = draft;
  const to = typeof owner === 'string' ? owner : ((owner as { id: string } | null)?.id ?? null);
  const take = ({ type, value }: PresentedCard) => {
    change('type', type);
    change('value', value);
    setReading(false);
  };
  return (
    <div className="card-lead">
      <ProblemNote problem={problem} />
      {known && <KnownCard card={known} to={to} />}
      {maySee(profile, 'devices') && (
        <p className="card-lead-line">
          <span className="quiet">{t('areas.identifiers.enrol.lead')}</span>
          <Button tone="plain" small icon="pi-id-card" label={t('areas.identifiers.enrol.open')} onClick={() => setReading(true)} />
        </p>
      )}
      {reading && (
        <Suspense>
          <EnrolDialog to={to} onCard={take} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </div>
  );
}
