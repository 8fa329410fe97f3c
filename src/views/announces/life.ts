import { mayHappenToAnnounce } from '#machines/lifecycles/announce.machine.ts';
import type { AnnounceStatus } from '#models/announces.ts';

/** Whether an announcement that stands so may be sent, or withdrawn: what its life refuses is not offered. */
export const mayMoveAnnounce = (status: AnnounceStatus, step: 'start' | 'stop' | 'change'): boolean =>
  mayHappenToAnnounce(status, `announce.${step}`);

/** What has gone out has responses. */
export const hasGoneOut = (status: AnnounceStatus): boolean => status === 'started' || status === 'stopped' || status === 'expired';
