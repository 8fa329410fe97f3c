import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type LicenceSettings, licenceSettings } from '../licences.ts';

/** As it was typed: an empty input is no limit, what is no number stays for the contract to refuse. */
const limitTyped = (text: string): unknown => (text.trim() === '' ? null : /^\d+$/.test(text.trim()) ? Number(text) : text);

/** What new top groups start with: days and quantity of their basic licence. */
export const licenceSettingsForm = defineForm({
  name: 'licence-settings',
  call: 'licenceSettings',
  start: ({ basic_period_days, basic_quantity }: LicenceSettings): Record<keyof LicenceSettings, string> => ({
    basic_period_days: basic_period_days?.toString() ?? '',
    basic_quantity: basic_quantity?.toString() ?? '',
  }),
  read: (draft) => {
    const read = licenceSettings.safeParse({
      basic_period_days: limitTyped(draft.basic_period_days),
      basic_quantity: limitTyped(draft.basic_quantity),
    });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'areas.licenses.settings_saved',
  announces: ['problems'],
});
