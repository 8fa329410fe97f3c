import { may } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { actorOf } from '../profile-of.ts';

/** May this person take alarms on and process them? */
export const mayProcess = (profile: Profile): boolean => may(actorOf(profile), 'edit', 'device-alarms');
