import { maySwitch } from '#machines/lifecycles/licence-life.machine.ts';
import type { Licence } from '#models/licences.ts';
import { countedFeatures } from '#models/seats.ts';
import { Button } from '#src/components/button.tsx';
import { LicenceDay, usePeriodText } from '#src/components/licence-day.tsx';
import { useText } from '#src/components/text.ts';
import { useConfirm } from '../confirm.ts';
import { useServices } from '../system.ts';
import type { Licences } from './use-overview.ts';

const tones = { active: 'tag-good', ending: 'tag-warn', disabled: '' } as const;
const icons = { basic: 'pi-verified', extension: 'pi-plus-circle', device: 'pi-tablet' } as const;

/** The state of what a licence gives; of one that gives nothing, why. */
function StateChip({ licence: { state, status, is_trusted } }: { licence: Licence }) {
  const { t } = useText();
  if (!is_trusted) return <span className="tag tag-bad">{t('areas.licenses.not_trusted')}</span>;
  if (status === 'expired')
    return <span className="tag tag-bad">{t(state === 'ending' ? 'areas.licenses.in_grace' : 'areas.licenses.statuses.expired')}</span>;
  return (
    <span className={`tag ${tones[state]}`}>
      {state === 'disabled' ? t(`areas.licenses.statuses.${status}`) : t(`list.licences.states.${state}`)}
    </span>
  );
}

function Counts({ licence: { features, type } }: { licence: Licence }) {
  const { t } = useText();
  if (type === 'device') return <span>{t('areas.licenses.gives_devices')}</span>;
  const parts = countedFeatures.flatMap((feature) => {
    const { is_enabled, license_count: count } = features[feature];
    if (!is_enabled && !count) return [];
    return [`${t(`list.licences.counted.${feature}`)}: ${count ?? t('list.licences.unlimited')}`];
  });
  return <span>{parts.join(' · ')}</span>;
}

function Acts({ licence, licences }: { licence: Licence; licences: Licences }) {
  const { t } = useText();
  const confirm = useConfirm();
  const { now } = useServices();
  const { id, is_enabled, period, grace_days: graceDays, reminder } = licence;
  const name = { name: t(`list.licences.types.${licence.type}`) };
  const facts = { period, graceDays, notifyBefore: reminder.notify_before, isEnabled: is_enabled, at: Math.floor(now() / 1_000) };
  const ask = async (act: 'remove' | 'switch_off'): Promise<void> => {
    const sure = await confirm({
      title: { key: `areas.licenses.${act}_title`, params: name },
      text: { key: `areas.licenses.${act}_question` },
      approve: { key: `areas.licenses.${act}` },
      danger: true,
    });
    if (!sure) return;
    if (act === 'remove') licences.remove(id);
    else licences.setEnabled(id, false);
  };
  return (
    <span className="licence-acts">
      {maySwitch(facts, !is_enabled) && (
        <Button
          small
          tone="quiet"
          label={t(is_enabled ? 'areas.licenses.switch_off' : 'areas.licenses.switch_on')}
          disabled={licences.busy}
          onClick={() => (is_enabled ? void ask('switch_off') : licences.setEnabled(id, true))}
        />
      )}
      <Button small tone="danger-quiet" label={t('areas.licenses.remove')} disabled={licences.busy} onClick={() => void ask('remove')} />
    </span>
  );
}

/** One licence: its type and state, its time, what it counts, and what can be done with it. */
export function LicenceLine({ licence, licences, mayManage }: { licence: Licence; licences: Licences; mayManage: boolean }) {
  const { t } = useText();
  const periodText = usePeriodText();
  const { number, type, period, source, issued_at } = licence;
  return (
    <li className="licence-line">
      <i className={`pi ${icons[type]}`} aria-hidden="true" />
      <div className="licence-about">
        <span className="licence-name">
          {t(`list.licences.types.${type}`)} <StateChip licence={licence} />
        </span>
        <span className="licence-period">{periodText(period)}</span>
        <span className="quiet small">
          <Counts licence={licence} />
        </span>
        <span className="quiet small">
          {t('areas.licenses.number', { number: number.slice(0, 8).toUpperCase() })} · {t(`areas.licenses.sources.${source}`)} ·{' '}
          {t('areas.licenses.issued')} <LicenceDay at={issued_at} />
        </span>
      </div>
      {mayManage && <Acts licence={licence} licences={licences} />}
    </li>
  );
}
