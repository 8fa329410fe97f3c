import { useMemo, useSyncExternalStore } from 'react';
import { type AllNotificationSettings, alarmTypes, lookOf, type NoticeChoices, noticeWays, type NotificationType } from '#models/notifications.ts';
import { Button } from '#src/components/button.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useFabs } from '../shell/fabs.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useServices, useSounds } from '../system.ts';
import { ClosedPage } from './closed-page.tsx';
import { useNoticeSettings } from './use-settings.ts';
import './notifications.css';

const groups: readonly { key: string; types: readonly NotificationType[] }[] = [
  { key: 'alarms', types: alarmTypes },
  { key: 'identifiers', types: ['user_used_identifier_on_device', 'user_used_revoked_identifier'] },
  {
    key: 'communication',
    types: ['call_missed', 'announce_received', 'announce_status_changed', 'conversation_received', 'conversation_message_received'],
  },
  { key: 'reservations', types: ['reservation_reminder', 'reservation_changed', 'reservation_canceled'] },
  {
    key: 'service',
    types: ['sip_reboot_started', 'sip_reboot_completed', 'device_broker_settings_sent', 'integration_stopped', 'broker_certificate_ending'],
  },
];
type Acs = AllNotificationSettings['acs'];
type Change = (type: NotificationType, choices: NoticeChoices) => void;

/** One class with its ways; what is not shown is told in no other way either, and alarms sound by themselves. */
function ClassRow({ type, choices, onChange }: { type: NotificationType; choices: NoticeChoices; onChange: Change }) {
  const { t } = useText();
  const name = t(`notifications.classes.${type}`);
  return (
    <tr>
      <th scope="row">{name}</th>
      {noticeWays.map((way) => (
        <td key={way} data-way={t(`notifications.settings.ways.${way}`)}>
          {way === 'sound' && lookOf(type).sound === null ? (
            <span className="quiet" aria-hidden="true">
              —
            </span>
          ) : (
            <input
              type="checkbox"
              className="check"
              aria-label={t('notifications.settings.choose', { way: t(`notifications.settings.ways.${way}`), class: name })}
              checked={choices[way] && choices.show}
              disabled={way !== 'show' && !choices.show}
              onChange={({ target }) => onChange(type, { ...choices, [way]: target.checked })}
            />
          )}
        </td>
      ))}
    </tr>
  );
}

function Classes({ acs, onChange }: { acs: Acs; onChange: Change }) {
  const { t } = useText();
  return (
    <table className="inbox-settings">
      <thead>
        <tr>
          <th scope="col">{t('notifications.settings.class')}</th>
          {noticeWays.map((way) => (
            <th key={way} scope="col" title={t(`notifications.settings.hints.${way}`)}>
              {t(`notifications.settings.ways.${way}`)}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ key, types }) => (
        <tbody key={key}>
          <tr className="inbox-group">
            <th scope="rowgroup" colSpan={noticeWays.length + 1}>
              {t(`notifications.settings.groups.${key}`)}
            </th>
          </tr>
          {types.map((type) => (
            <ClassRow key={type} type={type} choices={acs[type]} onChange={onChange} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Whether this browser may show notifications outside of the page, and whether this console can be heard. */
function Here() {
  const { t } = useText();
  const { desktop } = useServices();
  const sounds = useSounds();
  const permission = useSyncExternalStore(desktop.follow, desktop.get);
  return (
    <aside className="card inbox-here">
      <p className="quiet">{t(`notifications.settings.permission.${permission}`)}</p>
      {permission === 'default' && (
        <Button tone="plain" icon="pi-desktop" label={t('notifications.settings.ask')} onClick={() => void desktop.ask()} />
      )}
      <Button
        tone="plain"
        icon="pi-volume-up"
        label={t('notifications.settings.try_sound')}
        onClick={() => sounds?.send({ type: 'sound.play', sound: 'message' })}
      />
    </aside>
  );
}

/** How one is told of each class: in the bell, by a sound, by a message, on the desktop. */
export function NotificationSettingsPage() {
  const { t } = useText();
  const { acs, problem, dirty, saving, load, change, save, forget } = useNoticeSettings();
  usePageTitle(t('notifications.settings.title'));
  useFabs(
    useMemo(
      () => [
        { key: 'reset', label: t('notifications.settings.reset'), order: 1, hidden: !dirty, disabled: saving, onPress: forget },
        {
          key: 'save',
          label: t('notifications.settings.save'),
          icon: 'pi-check' as const,
          order: 2,
          tone: 'primary' as const,
          hidden: !dirty,
          loading: saving,
          onPress: save,
        },
      ],
      [t, dirty, saving, save, forget],
    ),
  );
  return (
    <div className="inbox-settings-page">
      <section className="card">
        <p className="inbox-lead quiet">{t('notifications.settings.lead')}</p>
        {problem && !acs ? (
          <Failure problem={problem} onRetry={load} />
        ) : acs ? (
          <Classes acs={acs} onChange={change} />
        ) : (
          <SkeletonLines lines={12} label={t('interface.loading')} />
        )}
      </section>
      <Here />
      <ClosedPage />
    </div>
  );
}
