import { numberRangeForm, rangeOf } from '#models/forms/number-range.ts';
import type { NumberRange } from '#models/sip-numbers.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useWorkspace } from '#src/views/system.ts';
import { type FormOf, issueOf, useForm } from '#src/views/use-form.ts';
import { useSubmit } from '#src/views/use-submit.ts';
import './numbers.css';

/** What the range comes to: how many will be made, and which are taken already or cannot be used. */
function Preview({ range }: { range: NumberRange }) {
  const { t } = useText();
  return (
    <div className="stack">
      <p>
        {t('areas.sip-numbers.generate.range', { first: range.first, last: range.last })}{' '}
        {t('areas.sip-numbers.generate.free', { count: range.free })}
      </p>
      {range.taken.length + range.unusable > 0 && (
        <div className="notice notice-warn">
          <i className="pi pi-info-circle" aria-hidden="true" />
          <div>
            {range.taken.length > 0 && (
              <>
                <strong>{t('areas.sip-numbers.generate.taken', { count: range.taken.length })}</strong>
                <p className="range-taken">{range.taken.join(', ')}</p>
              </>
            )}
            {range.unusable > 0 && <strong>{t('areas.sip-numbers.generate.unusable', { count: range.unusable })}</strong>}
          </div>
        </div>
      )}
      <p className="quiet">{t('areas.sip-numbers.generate.passwords')}</p>
    </div>
  );
}

/** The first number, how many, what they are called. */
function RangeFields({ form }: { form: FormOf<typeof numberRangeForm> }) {
  const { t } = useText();
  const { draft, issues, change } = form;
  const submit = useSubmit(form);
  const field = (key: 'from' | 'count' | 'name') => (
    <LineField
      field={key}
      label={t(`areas.sip-numbers.generate.${key}`)}
      hint={t(`areas.sip-numbers.generate.hints.${key}`)}
      value={draft[key]}
      issue={issueOf(issues, key)}
      required={key !== 'name'}
      inputMode={key === 'name' ? 'text' : 'numeric'}
      onChange={(value) => change({ [key]: value })}
    />
  );
  return (
    <form className="stack" id="number-range" {...submit}>
      <div className="range-fields">
        {field('from')}
        {field('count')}
      </div>
      {field('name')}
      <label className="field-flag">
        <input type="checkbox" className="check" checked={draft.is_reserved} onChange={(event) => change({ is_reserved: event.target.checked })} />
        <span>{t('areas.sip-numbers.generate.reserved')}</span>
      </label>
    </form>
  );
}

/** Makes numbers one after the other: the range, what it comes to, then the work itself as a job. */
export default function GenerateNumbers({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const workspace = useWorkspace();
  const form = useForm(numberRangeForm, null);
  const start = useRequest('generateNumbers', {
    done: (job) => {
      workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'sip-numbers', job } });
      onClose();
    },
  });
  const { answer: range } = form;
  return (
    <Modal
      title={t('areas.sip-numbers.generate.title')}
      onDismiss={start.running ? undefined : onClose}
      footer={
        <>
          {range && <Button tone="quiet" className="foot-apart" icon="pi-arrow-left" label={t('list.filters.back')} onClick={form.reset} />}
          <Button tone="plain" label={t('list.cancel')} disabled={start.running} onClick={onClose} />
          {range ? (
            <Button
              disabled={range.free === 0}
              loading={start.running}
              label={t('areas.sip-numbers.generate.create', { count: range.free })}
              onClick={() => start.run({ body: rangeOf(form.draft) })}
            />
          ) : (
            <Button label={t('areas.sip-numbers.generate.look')} loading={form.running} type="submit" form="number-range" />
          )}
        </>
      }
    >
      <ProblemNote problem={start.problem ?? form.problem} />
      {range ? <Preview range={range} /> : <RangeFields form={form} />}
    </Modal>
  );
}
