import { useId, useState } from 'react';
import { type IssuerMode, issuerModes, type LicenceFileKind, licenceFileKinds, type SimulatorState } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** How the vendor's cloud answers whoever fetches licences from it. */
export function CloudPart({ mode, adopt }: { mode: IssuerMode; adopt: (state: SimulatorState) => void }) {
  const { t } = useText();
  const id = useId();
  const stage = useRequest('simulatorCloud', { done: adopt });
  return (
    <div className="simulator-inset simulator-line">
      <label htmlFor={id}>{t('simulator.cloud_title')}</label>
      <select
        id={id}
        className="plain-select"
        value={mode}
        disabled={stage.running}
        onChange={({ target }) => {
          const chosen = issuerModes.find((each) => each === target.value);
          if (chosen) stage.run({ body: { mode: chosen } });
        }}
      >
        {issuerModes.map((each) => (
          <option key={each} value={each}>
            {t(`simulator.cloud.${each}`)}
          </option>
        ))}
      </select>
      {stage.problem && (
        <p className="field-issue" role="alert">
          <ProblemText problem={stage.problem} />
        </p>
      )}
    </div>
  );
}

/** A licence file from the vendor, to be added by hand: a good one, or one that is refused. */
export function LicenceFilePart() {
  const { t } = useText();
  const id = useId();
  const [kind, choose] = useState<LicenceFileKind>('ok');
  const made = useRequest('simulatorLicenceFile');
  const file = made.done ? made.answer : null;
  return (
    <div className="simulator-inset simulator-line">
      <label htmlFor={id}>{t('simulator.file_title')}</label>
      <select
        id={id}
        className="plain-select"
        value={kind}
        onChange={({ target }) => {
          made.reset();
          choose(licenceFileKinds.find((each) => each === target.value) ?? 'ok');
        }}
      >
        {licenceFileKinds.map((each) => (
          <option key={each} value={each}>
            {t(`simulator.file.${each}`)}
          </option>
        ))}
      </select>
      {file === null ? (
        <Button tone="plain" label={t('simulator.make_file')} loading={made.running} onClick={() => made.run({ body: { kind } })} />
      ) : (
        <a
          className="p-button p-component p-button-outlined"
          href={`data:application/octet-stream,${encodeURIComponent(file)}`}
          download={`licence-${kind}.lic`}
        >
          <span className="p-button-label">{t('simulator.save_file')}</span>
        </a>
      )}
      {made.problem && (
        <p className="field-issue" role="alert">
          <ProblemText problem={made.problem} />
        </p>
      )}
    </div>
  );
}
