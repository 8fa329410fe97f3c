import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PresentedCard } from '#models/enrolment.ts';
import { isNumbered } from '#models/identifier-value.ts';
import { may } from '#models/permissions.ts';
import { isId } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { maySee } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { KnownCard } from '#src/views/identifiers/known-card.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import './identifiers.css';

const EnrolDialog = lazy(() => import('#src/views/identifiers/enrol-dialog.tsx').then(({ EnrolDialog: dialog }) => ({ default: dialog })));

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

/** How the number of a card comes into the form of a new identifier: read at a reader, or off the log. */
export function CardLead({ draft, change, mode }: PieceProps) {
  const { t } = useText();
  const profile = useProfile();
  const [reading, setReading] = useState(false);
  const { answer, problem } = useCardOfEvent({ draft, change });
  if (mode !== 'add' || !may(actorOf(profile), 'create', 'identifiers') || !isNumbered(draft['type'])) return null;
  const take = ({ type, value }: PresentedCard) => {
    change('type', type);
    change('value', value);
    setReading(false);
  };
  return (
    <div className="card-lead">
      <ProblemNote problem={problem} />
      {answer && <KnownCard card={answer} />}
      {maySee(profile, 'devices') && (
        <p className="card-lead-line">
          <span className="quiet">{t('areas.identifiers.enrol.lead')}</span>
          <Button tone="plain" small icon="pi-id-card" label={t('areas.identifiers.enrol.open')} onClick={() => setReading(true)} />
        </p>
      )}
      {reading && (
        <Suspense>
          <EnrolDialog onCard={take} onClose={() => setReading(false)} />
        </Suspense>
      )}
    </div>
  );
}
