import { useId, useState } from 'react';
import { hasPermission } from '#models/permissions.ts';
import { type IssuerMode, type LicenceAct, licenceActs, type SimulatorState } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { CloudPart, LicenceFilePart } from './vendor-parts.tsx';

/** The project's licence, for those who manage it: about to end, ended, or good again; and the vendor it comes from. */
export function LicenceCard({ state, adopt }: { state: IssuerMode; adopt: (state: SimulatorState) => void }) {
  const { t } = useText();
  const titleId = useId();
  const stage = useRequest('simulatorLicence');
  const [last, remember] = useState<LicenceAct | null>(null);
  const profile = useProfile();
  if (!hasPermission(actorOf(profile), 'can_manage_licenses')) return null;
  return (
    <section className="card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.licence_title')}</h2>
      </header>
      <div className="simulator-acts simulator-inset">
        {licenceActs.map((act) => (
          <Button
            key={act}
            small
            tone="plain"
            label={t(`simulator.licence.${act}`)}
            disabled={stage.running}
            onClick={() => {
              remember(act);
              stage.run({ body: { act } });
            }}
          />
        ))}
      </div>
      <p className="quiet small simulator-inset" role={stage.problem ? 'alert' : 'status'}>
        {stage.problem ? (
          <ProblemText problem={stage.problem} />
        ) : (
          t(stage.done && last ? `simulator.steps.licence_${last}` : 'simulator.licence_says')
        )}
      </p>
      <CloudPart mode={state} adopt={adopt} />
      <LicenceFilePart />
    </section>
  );
}
