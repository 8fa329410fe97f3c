import { useMemo } from 'react';
import { hasPermission } from '#models/permissions.ts';
import type { Delivery } from '#models/integration-calls.ts';
import type { Integration } from '#models/integrations.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useLiveRows } from '#src/views/area/use-live-rows.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { firstRows } from '#src/views/home/use-rows.ts';
import { StateTag } from '#src/views/integrations/state-tag.tsx';
import { useErrorText } from '#src/views/integrations/error-text.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import '#src/views/integrations/integrations.css';

function LogLine({ delivery }: { delivery: Delivery }) {
  const { t } = useText();
  const errorText = useErrorText();
  const { event, status, error, delivered_at: delivered, created_at: created, attempts } = delivery;
  return (
    <li className="delivery">
      <span className="delivery-event">{event}</span>
      <span className={`tag ${delivered ? 'tag-good' : error ? 'tag-bad' : 'tag-warn'}`}>
        {delivered
          ? `${t('areas.integrations.log.delivered')} · ${status}`
          : error
            ? errorText(status === null ? error : String(status))
            : t('areas.integrations.log.waiting')}
      </span>
      <span className="quiet small">
        <When at={delivered ?? created} />
        {attempts > 1 && ` · ${t('areas.integrations.log.tried', { count: attempts })}`}
      </span>
    </li>
  );
}

/** What was sent lately and how it was answered; read anew whenever the webhook's standing changes. */
function Log({ id, stamp }: { id: string; stamp: string }) {
  const { t } = useText();
  const { answer, problem } = useReading('integrationDeliveries', { params: { id } }, { again: stamp });
  return (
    <div className="deliveries">
      <h3>{t('areas.integrations.log.title')}</h3>
      {problem && <ProblemNote problem={problem} />}
      {answer?.length === 0 && <p className="quiet small">{t('areas.integrations.log.empty')}</p>}
      <ul className="delivery-lines">
        {answer?.map((delivery) => (
          <LogLine key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </div>
  );
}

/** What is wrong, in a sentence, and the way on. */
function Trouble({ row }: { row: Integration }) {
  const { t } = useText();
  const errorText = useErrorText();
  const resume = useRequest('resumeIntegration');
  if (row.state !== 'failing' && row.state !== 'stopped') return null;
  return (
    <div className="integration-trouble" role="status">
      <p>
        {row.state === 'stopped' ? t('areas.integrations.states.stopped') : t('areas.integrations.states.failing_plain')}{' '}
        {row.state === 'failing' && row.failing_since && <When at={row.failing_since} />}
      </p>
      {row.last_error && <p className="small">{errorText(row.last_error)}</p>}
      <Button
        small
        tone="plain"
        label={t(row.state === 'stopped' ? 'areas.integrations.resume' : 'areas.integrations.retry')}
        loading={resume.running}
        onClick={() => resume.run({ params: { id: row.id } })}
      />
      {resume.problem && <ProblemNote problem={resume.problem} />}
    </div>
  );
}

function Tools({ row }: { row: Integration }) {
  const { t } = useText();
  const test = useRequest('testIntegration');
  const { answer, problem, running } = test;
  return (
    <div className="integration-test">
      <Button
        small
        tone="plain"
        icon="pi-bolt"
        label={t('areas.integrations.test')}
        loading={running}
        onClick={() => test.run({ params: { id: row.id } })}
      />
      {problem && <ProblemNote problem={problem} />}
      {answer?.picture && (
        <img className="camera-still" src={answer.picture} alt={t('areas.integrations.picture', { name: row.cameras[0]?.display_name ?? '' })} />
      )}
      {answer && row.type === 'webhook' && <p className="quiet small">{t('areas.integrations.test_sent')}</p>}
    </div>
  );
}

function Certificate({ row: { certificate_info: info } }: { row: Integration }) {
  const { t } = useText();
  if (!info) return null;
  return (
    <dl className="facts">
      <div className="fact">
        <dt>{t('areas.integrations.fields.certificate')}</dt>
        <dd>
          {info.subject}
          <span className="cell-sub">
            {t('areas.integrations.fields.certificate_info.valid_to')} <When at={info.valid_to} />
          </span>
        </dd>
      </div>
    </dl>
  );
}

/** The integration as it stands this moment; the row that is edited stays as it was. */
function Standing({ row }: { row: Integration }) {
  const { t } = useText();
  const query = useMemo(() => firstRows(1, [{ field: 'name', rule: 'equals', value: row.name }]), [row.name]);
  const { rows } = useLiveRows<Integration>('integrations', query);
  const now = rows.find(({ id }) => id === row.id) ?? row;
  const mayTest = now.state !== 'off' && now.state !== 'stopped';
  return (
    <div className="integration-standing">
      <p className="integration-state">
        <StateTag state={now.state} />
        {now.waiting_count > 0 && (
          <span className="quiet small">
            {t('areas.integrations.fields.waiting_count')}: {now.waiting_count}
          </span>
        )}
      </p>
      <Trouble row={now} />
      {mayTest && <Tools row={now} />}
      <Certificate row={now} />
      {now.type === 'webhook' && <Log id={now.id} stamp={`${now.waiting_count} ${now.state} ${rows.length > 0 ? JSON.stringify(rows[0]) : ''}`} />}
    </div>
  );
}

/** Beside the form: whether it works, a test, what was sent. */
export function IntegrationAside({ row }: PieceProps<Integration>) {
  const actor = actorOf(useProfile());
  const mayEdit = hasPermission(
    actor,
    'can_change_project_settings',
    'can_manage_own_group_integrations',
    'can_edit_descendant_groups',
    'can_edit_all_groups',
  );
  return row && mayEdit ? <Standing row={row} /> : null;
}
