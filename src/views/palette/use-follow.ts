import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Offer } from '#machines/palette/offers.ts';
import { locales } from '#models/constants.ts';
import { useAreas } from '../area/areas.tsx';
import { useOpenDialog } from '../area/use-open.ts';
import { usePages } from '../shell/page-reports.ts';
import { useSignOut } from '../shell/sign-out.ts';
import { usePhone, useServices } from '../system.ts';
import type { PaletteAct } from './own-offers.ts';

/** Adds a row of an area, as the button above its list does. */
function useAdd(): (area: string) => void {
  const areas = useAreas();
  const pages = usePages();
  const openDialog = useOpenDialog();
  return useCallback(
    (name) => {
      const entry = areas.find(({ area }) => area === name);
      if (!entry) return;
      if (entry.editor === 'page') pages.open(`${entry.path}/add`);
      else openDialog(entry, { mode: 'add' });
    },
    [areas, pages, openDialog],
  );
}

/** Does what was picked. */
function useAct(onKeys: () => void): (act: PaletteAct) => void {
  const phone = usePhone();
  const { phoneDesk, theme, changeLanguage } = useServices();
  const signOut = useSignOut();
  const add = useAdd();
  return useCallback(
    (act) => {
      const [name, value = ''] = act.split(':');
      const themes = { system: 'system', light: 'light', dark: 'dark' } as const;
      if (name === 'add') add(value);
      else if (name === 'theme') theme.set(themes[value as keyof typeof themes] ?? 'system');
      else if (name === 'locale') void changeLanguage(locales.find((one) => one === value) ?? locales[0]);
      else if (act === 'sign_out' || act === 'sign_out_everywhere') void signOut(act === 'sign_out_everywhere');
      else if (act === 'on_duty') phone?.send({ type: 'phone.register' });
      else if (act === 'off_duty') phone?.send({ type: 'phone.unregister' });
      else if (act === 'phone') phoneDesk.set({ ...phoneDesk.get(), isOpen: !phoneDesk.get().isOpen });
      else onKeys();
    },
    [phone, phoneDesk, theme, changeLanguage, signOut, add, onKeys],
  );
}

/** Follows what was picked in the palette: goes to the screen or the row, or does what was chosen. */
export function useFollow(onKeys: () => void): (offer: Offer) => void {
  const navigate = useNavigate();
  const pages = usePages();
  const areas = useAreas();
  const act = useAct(onKeys);
  return useCallback(
    ({ kind, target }) => {
      if (kind === 'act') return act(target as PaletteAct);
      if (kind === 'screen') return void navigate(target);
      const entry = areas.find(({ area }) => area === kind);
      if (entry) pages.open(`${entry.path}/${target}`);
    },
    [navigate, pages, areas, act],
  );
}
