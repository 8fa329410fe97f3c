import { type ComponentType } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { ChoiceField } from './choice-field.tsx';
import { ColorField } from './color-field.tsx';
import { DateField } from './date-field.tsx';
import type { FieldProps } from './field-props.ts';
import { FlagField } from './flag-field.tsx';
import { LicenceTypesField } from './licence-types-field.tsx';
import { LicencesField } from './licences-field.tsx';
import { MomentField } from './moment-field.tsx';
import { NotifyField } from './notify-field.tsx';
import { PasswordField } from './password-field.tsx';
import { PeriodField } from './period-field.tsx';
import { RefField } from './ref-field.tsx';
import { TextField } from './text-field.tsx';
import { TimeField } from './time-field.tsx';
import { WeekdaysField } from './weekdays-field.tsx';

/** Queues and lists of numbers come with the forms that have them. */
const QueuesField = lazyPart(() => import('./queues-field.tsx').then(({ QueuesField: view }) => ({ default: view })));
const PhonesField = lazyPart(() => import('./phones-field.tsx').then(({ PhonesField: view }) => ({ default: view })));
/** The permission tree knows the whole catalogue and its words; it comes when a role is opened. */
const PermissionsField = lazyPart(() => import('./permissions-field.tsx'));

interface Widget {
  view: ComponentType<FieldProps>;
  /** Takes the whole line of the form. */
  wide?: boolean;
  /** Draws its label itself. */
  bare?: boolean;
  /** Draws its read-only state itself; all others are shown as text. */
  reads?: boolean;
}

const widgets: Record<string, Widget> = {
  text: { view: TextField },
  email: { view: TextField },
  phone: { view: TextField },
  number: { view: TextField },
  flag: { view: FlagField, bare: true, reads: true },
  choice: { view: ChoiceField },
  moment: { view: MomentField },
  color: { view: ColorField },
  password: { view: PasswordField },
  ref: { view: RefField },
  refs: { view: RefField },
  licences: { view: LicencesField, wide: true, bare: true, reads: true },
  'licence-types': { view: LicenceTypesField, wide: true, bare: true, reads: true },
  period: { view: PeriodField, reads: true },
  notify: { view: NotifyField, wide: true, bare: true, reads: true },
  queues: { view: QueuesField, wide: true, reads: true },
  phones: { view: PhonesField },
  date: { view: DateField },
  'time-of-day': { view: TimeField },
  weekdays: { view: WeekdaysField, wide: true, bare: true, reads: true },
  permissions: { view: PermissionsField, wide: true, bare: true, reads: true },
};

/** The widget for a kind of value; what the model names no kind for is text. */
export const widgetFor = (kind: string): Widget => widgets[kind] ?? { view: TextField };
