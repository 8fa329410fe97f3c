import { type ReactNode, useId, useState } from 'react';
import { calls } from '#models/api.ts';
import { type Issue, toIssues } from '#models/issues.ts';
import type { NumberRange } from '#models/sip-numbers.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useWorkspace } from '#src/views/system.ts';
import './numbers.css';

interface Typed {
  from: string;
  count: string;
  name: string;
  is_reserved: boolean;
}
const bodyOf = ({ from, count, name, is_reserved }: Typed) => ({
  from: from.trim(),
  count: /^\d+$/.test(count.trim()) ? Number(count) : Number.NaN,
  name: name.trim() || null,
  is_reserved,
});

const issuesOf = (typed: Typed): Issue[] => {
  const result = calls.generateNumbers.body.safeParse(bodyOf(typed));
  return result.success ? [] : toIssues(result.error);
};

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

/** Makes numbers one after the other: the range, what it comes to, then the work itself as a job. */
export default function GenerateNumbers({ onClose }: { onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const workspace = useWorkspace();
  const [typed, setTyped] = useState<Typed>({ from: '', count: '10', name: '', is_reserved: false });
  const [tried, setTried] = useState(false);
  const preview = useRequest('previewNumbers');
  const start = useRequest('generateNumbers', {
    done: (job) => {
      workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'sip-numbers', job } });
      onClose();
    },
  });
  const issues = issuesOf(typed);
  const { answer: range } = preview;
  const problem = start.problem ?? preview.problem;
  const look = () => {
    setTried(true);
    const { from, count } = bodyOf(typed);
    if (issues.length === 0) preview.run({ body: { from, count } });
  };
  const field = (key: 'from' | 'count' | 'name', required: boolean): ReactNode => {
    const found = tried ? issues.find(({ path }) => path[0] === key) : undefined;
    const issue = found && sayIssue(words, found);
    const hint = t(`areas.sip-numbers.generate.hints.${key}`);
    return (
      <FieldFrame id={`${id}-${key}`} path={key} label={t(`areas.sip-numbers.generate.${key}`)} hint={hint} issue={issue} required={required}>
        <TextInput
          id={`${id}-${key}`}
          value={typed[key]}
          inputMode={key === 'name' ? 'text' : 'numeric'}
          autoComplete="off"
          invalid={issue !== undefined}
          aria-describedby={describedBy(`${id}-${key}`, hint, issue)}
          onChange={(event) => setTyped({ ...typed, [key]: event.target.value })}
        />
      </FieldFrame>
    );
  };
  return (
    <Modal
      title={t('areas.sip-numbers.generate.title')}
      onDismiss={start.running ? undefined : onClose}
      footer={
        <>
          {range && <Button tone="quiet" className="foot-apart" icon="pi-arrow-left" label={t('list.filters.back')} onClick={preview.reset} />}
          <Button tone="plain" label={t('list.cancel')} disabled={start.running} onClick={onClose} />
          {range ? (
            <Button
              disabled={range.free === 0}
              loading={start.running}
              label={t('areas.sip-numbers.generate.create', { count: range.free })}
              onClick={() => start.run({ body: bodyOf(typed) })}
            />
          ) : (
            <Button label={t('areas.sip-numbers.generate.look')} loading={preview.running} onClick={look} />
          )}
        </>
      }
    >
      {problem && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={problem} />
          </div>
        </div>
      )}
      {range ? (
        <Preview range={range} />
      ) : (
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            look();
          }}
        >
          <div className="range-fields">
            {field('from', true)}
            {field('count', true)}
          </div>
          {field('name', false)}
          <label className="field-flag">
            <input
              type="checkbox"
              className="check"
              checked={typed.is_reserved}
              onChange={(event) => setTyped({ ...typed, is_reserved: event.target.checked })}
            />
            <span>{t('areas.sip-numbers.generate.reserved')}</span>
          </label>
        </form>
      )}
    </Modal>
  );
}
