import { type ReactNode, useEffect, useState } from 'react';
import type { Amenity } from '#models/amenities.ts';
import type { CalendarFeed } from '#models/calendar-feed-calls.ts';
import { Button } from '#src/components/button.tsx';
import { CodeLink } from '#src/components/code-link.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '#src/views/area/use-request.ts';
import { useAlerts } from '#src/views/system.ts';

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="fact">
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** The address, this once: to be copied, or handed to the calendar of this device. */
function Address({ url }: { url: string }) {
  const { t } = useText();
  return (
    <div className="stack">
      <p role="status">{t('areas.amenity-reservations.feed.once')}</p>
      <CodeLink href={url} label={t('areas.amenity-reservations.feed.address')} />
      <a className="self-start" href={url.replace(/^https?:/, 'webcal:')}>
        <i className="pi pi-calendar" aria-hidden="true" /> {t('areas.amenity-reservations.feed.app')}
      </a>
    </div>
  );
}

/** That there is an address, since when, and whether a calendar uses it. */
function Standing({ feed }: { feed: CalendarFeed }) {
  const { t } = useText();
  return (
    <>
      <p>{t('areas.amenity-reservations.feed.exists')}</p>
      <dl className="facts">
        <Fact label={t('areas.amenity-reservations.feed.created')}>
          <When at={feed.created_at} />
        </Fact>
        <Fact label={t('areas.amenity-reservations.feed.read')}>
          {feed.read_at ? <When at={feed.read_at} /> : t('areas.amenity-reservations.feed.never')}
        </Fact>
      </dl>
    </>
  );
}

/** How reservations get into the calendar of a phone: one's own, or those of an amenity. */
export function CalendarFeedDialog({ amenity, onClose }: { amenity?: { id: string; name: string } | undefined; onClose: () => void }) {
  const { t } = useText();
  const alerts = useAlerts();
  const id = amenity?.id ?? null;
  const query = id === null ? {} : { amenity: id };
  const [url, show] = useState<string>();
  const [known, learn] = useState<CalendarFeed | null>();
  const read = useRequest('calendarFeed');
  const renew = useRequest('renewCalendarFeed', {
    done: ({ feed, secret_url }) => {
      show(secret_url);
      learn(feed);
    },
  });
  const revoke = useRequest('revokeCalendarFeed', {
    done: () => {
      show(undefined);
      learn(null);
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'areas.amenity-reservations.feed.revoked' } });
    },
  });
  const { run } = read;
  useEffect(() => run({ query: id === null ? {} : { amenity: id } }), [run, id]);
  const feed = known === undefined ? read.answer?.feed : known;
  return (
    <Modal
      title={t('areas.amenity-reservations.feed.title')}
      onDismiss={onClose}
      footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}
    >
      <div className="stack">
        <p>{t(`areas.amenity-reservations.feed.${amenity ? 'of_amenity' : 'own'}`, { name: amenity?.name })}</p>
        <p className="quiet">{t('areas.amenity-reservations.feed.secret')}</p>
        <ProblemNote problem={read.problem ?? renew.problem ?? revoke.problem} />
        {feed === undefined && !read.problem && <SkeletonLines label={t('list.loading')} />}
        {url ? <Address url={url} /> : feed && <Standing feed={feed} />}
        {feed !== undefined && (
          <div className="row">
            {!url && (
              <Button
                icon="pi-link"
                tone={feed ? 'plain' : 'primary'}
                label={t(`areas.amenity-reservations.feed.${feed ? 'renew' : 'create'}`)}
                loading={renew.running}
                onClick={() => renew.run({ body: { amenity: id } })}
              />
            )}
            {feed && (
              <Button
                tone="danger-plain"
                label={t('areas.amenity-reservations.feed.revoke')}
                loading={revoke.running}
                onClick={() => revoke.run({ query })}
              />
            )}
          </div>
        )}
      </div>
    </Modal>
  );
}

/** As an action of an amenity. */
export default function AmenityFeedDialog({ row, close }: { row: Amenity; close: () => void }) {
  return <CalendarFeedDialog amenity={row} onClose={close} />;
}
