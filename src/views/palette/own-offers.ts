import { areaOf } from '#models/areas.ts';
import { useMemo } from 'react';
import type { Offer } from '#machines/palette/offers.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { locales } from '#models/constants.ts';
import { may, mayAct } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { type Text, useText } from '#src/components/text.ts';
import { maySee, useAreas } from '../area/areas.tsx';
import type { AreaEntry } from '../area/resource.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { visibleMenu } from '../shell/menu.ts';
import { usePhone, useServices } from '../system.ts';

/** What a person can do from the palette besides adding rows; `target` of the offer. */
export type PaletteAct =
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'on_duty'
  | 'off_duty'
  | 'phone'
  | 'keys'
  | `theme:${string}`
  | `locale:${string}`
  | `add:${string}`;

type Words = Pick<Text, 't'>;
const offer = (kind: 'act' | 'screen', target: string, title: string, detail: string | null = null, words = detail ?? ''): Offer => ({
  kind,
  target,
  title,
  detail,
  words,
});

/** Screens by the very menu the person has, and those that stand below a button. */
function screens(profile: Profile, paths: ReadonlySet<string>, { t }: Words): Offer[] {
  const listed = visibleMenu(profile, paths).flatMap(({ key, items }) =>
    items.map((item) => offer('screen', item.path, t(`interface.menu.${item.key}`), t(`interface.menu.${key}`))),
  );
  const unlisted = (['group-types', 'markers'] as const)
    .filter((area) => paths.has(`/${area}`) && maySee(profile, area))
    .map((area) => offer('screen', `/${area}`, t(`interface.menu.${area}`)));
  const own = [
    offer('screen', '/profile', t('interface.person.profile')),
    offer('screen', '/notifications/settings', t('notifications.settings.title')),
  ];
  return [...listed, ...unlisted, ...own];
}

/** Areas whose rows the person may add: those of the menu, and those without an entry of their own. */
function additions(profile: Profile, paths: ReadonlySet<string>, areas: readonly AreaEntry[], { t }: Words): Offer[] {
  const shown = new Set(visibleMenu(profile, paths).flatMap(({ items }) => items.map(({ key }) => key)));
  return areas
    .filter(({ area, menu }) => !areaOf(area).readOnly && (menu === null || shown.has(menu)) && may(actorOf(profile), 'create', area))
    .map(({ area }) => offer('act', `add:${area}`, t(`shell.palette.add.${area}`)));
}

function phoneActs(phone: PhoneActor | undefined, { t }: Words): Offer[] {
  if (!phone) return [];
  const snapshot = phone.getSnapshot();
  return [
    ...(snapshot.can({ type: 'phone.register' }) ? [offer('act', 'on_duty', t('shell.palette.acts.on_duty'))] : []),
    ...(snapshot.can({ type: 'phone.unregister' }) ? [offer('act', 'off_duty', t('shell.palette.acts.off_duty'))] : []),
    offer('act', 'phone', t('shell.palette.acts.phone')),
  ];
}

function ofConsole({ t }: Words): Offer[] {
  const theme = t('interface.theme.label');
  const language = t('interface.language');
  return [
    offer('act', 'keys', t('shell.keys.title')),
    ...(['system', 'light', 'dark'] as const).map((one) => offer('act', `theme:${one}`, `${theme}: ${t(`interface.theme.${one}`)}`)),
    ...locales.map((one) => offer('act', `locale:${one}`, `${language}: ${t(`interface.languages.${one}`)}`)),
    offer('act', 'sign_out', t('interface.person.sign_out')),
    offer('act', 'sign_out_everywhere', t('interface.person.sign_out_everywhere')),
  ];
}

/** Everything the palette offers by itself: only what this person may see and do. */
export function useOwnOffers(): { own: readonly Offer[]; doorWords: string } {
  const words = useText();
  const profile = useProfile();
  const areas = useAreas();
  const { paths } = useServices();
  const phone = usePhone();
  return useMemo(
    () => ({
      own: [...additions(profile, paths, areas, words), ...phoneActs(phone, words), ...ofConsole(words), ...screens(profile, paths, words)],
      doorWords: mayAct(actorOf(profile), 'haveDoors') ? words.t('shell.palette.door.words') : '',
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- words change with the language alone
    [profile, paths, areas, phone, words.locale],
  );
}
