import type { Announce } from '#models/announces.ts';
import { announces } from '#models/announces.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { hasGoneOut, mayMoveAnnounce } from '#src/views/announces/life.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { AnnounceAside } from './announces/aside.tsx';
import { ReachLine } from './announces/audience.tsx';
import { AudienceCell, ReadCell, SentCell, StatusCell, TitleCell } from './announces/cells.tsx';
import { AnswersField, ChannelsField } from './announces/fields.tsx';
import { defineResource } from './define-resource.ts';

const BodyField = lazyPart(() => import('./announces/body-field.tsx'));
const dialogs = () => import('./announces/dialogs.tsx');
const StartAnnounce = lazyPart(() => dialogs().then(({ StartAnnounce: dialog }) => ({ default: dialog })));
const StopAnnounce = lazyPart(() => dialogs().then(({ StopAnnounce: dialog }) => ({ default: dialog })));

const maySend = (row: Announce, profile: Profile, step: 'start' | 'stop'): boolean =>
  mayMoveAnnounce(row.status, step) && hasPermission(actorOf(profile), 'can_send_announces');
/** What has gone out stays as people read it. */
const isOut = ({ row }: { row: Announce | null }): boolean => row !== null && !mayMoveAnnounce(row.status, 'change');
const isPoll = ({ draft }: { draft: { type?: string } }): boolean => draft.type === 'poll';

export default defineResource({
  model: announces,
  icon: 'pi-megaphone',
  columns: [
    { key: 'title', cell: TitleCell, shows: ['type'], width: '26%', tall: true },
    { key: 'status', cell: StatusCell, width: '13%' },
    { key: 'domains', cell: AudienceCell, shows: ['roles', 'markers', 'users'], width: '20%', tall: true },
    { key: 'seen_count', cell: ReadCell, shows: ['recipients_count', 'answers_count', 'failed_count'], width: '17%', tall: true },
    { key: 'started_at', cell: SentCell },
    { key: 'execute_at', extra: true },
    { key: 'ends_at', extra: true },
    { key: 'updated_at', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'type', locked: isOut, wide: true },
        { key: 'title', locked: isOut, wide: true },
        { key: 'body', widget: BodyField, reads: true, locked: isOut, wide: true },
      ],
    },
    {
      section: 'poll',
      show: isPoll,
      fields: [
        { key: 'answers', widget: AnswersField, reads: true, locked: isOut, wide: true },
        { key: 'custom_answer', locked: isOut, wide: true },
      ],
    },
    {
      section: 'audience',
      fields: [
        { key: 'domains', locked: isOut, wide: true },
        { key: 'users', locked: isOut, wide: true },
        { key: 'roles', locked: isOut },
        { key: 'markers', locked: isOut },
      ],
      piece: ReachLine,
    },
    {
      section: 'sending',
      fields: [
        { key: 'send_via', widget: ChannelsField, reads: true, locked: isOut, wide: true },
        { key: 'execute_at', locked: isOut },
        { key: 'ends_at', locked: isOut },
      ],
    },
  ],
  actions: [
    { key: 'start', icon: 'pi-send', show: (row, profile) => maySend(row, profile, 'start'), dialog: StartAnnounce },
    { key: 'stop', icon: 'pi-stop-circle', show: (row, profile) => maySend(row, profile, 'stop'), dialog: StopAnnounce },
    {
      key: 'responses',
      icon: 'pi-reply',
      show: ({ status }) => hasGoneOut(status),
      to: ({ id }) => `/announces/response?${new URLSearchParams({ id })}`,
    },
  ],
  subject: ({ id, created_by, domains }) => ({ id, created_by, domains: domains.map((group) => group.id) }),
  copies: true,
  slots: { aside: AnnounceAside },
});
