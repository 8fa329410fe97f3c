import { schedules } from '#models/schedules.ts';
import { defineResource } from './define-resource.ts';
import { HoursCell } from './schedules/cells.tsx';
import { ScheduleEffect } from './schedules/effect-piece.tsx';
import { ScheduleStrip } from './schedules/strip.tsx';

const byWeekday: readonly string[] = ['never', 'weekly', 'every_two_weeks'];

export default defineResource({
  model: schedules,
  icon: 'pi-calendar',
  columns: [
    'name',
    { key: 'days', cell: HoursCell, width: '44%' },
    'rules_count',
    'updated_at',
    { key: 'description', extra: true },
    { key: 'repeat_mode', extra: true },
    { key: 'is_all_day', extra: true },
    { key: 'holiday_mode', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    { section: 'general', fields: ['name', { key: 'description', wide: true }] },
    {
      section: 'hours',
      fields: [
        { key: 'is_all_day', wide: true },
        { key: 'from', show: ({ draft }) => !draft.is_all_day },
        { key: 'to', show: ({ draft }) => !draft.is_all_day },
      ],
    },
    {
      section: 'days',
      fields: [
        { key: 'repeat_mode', wide: true },
        { key: 'days', wide: true, show: ({ draft }) => byWeekday.includes(draft.repeat_mode) },
        'valid_from',
        'valid_to',
      ],
    },
    {
      section: 'holidays',
      fields: [
        { key: 'holiday_mode', wide: true },
        { key: 'holiday_from', show: ({ draft }) => draft.holiday_mode === 'own_hours' },
        { key: 'holiday_to', show: ({ draft }) => draft.holiday_mode === 'own_hours' },
      ],
    },
    { section: 'strip', piece: ScheduleStrip },
    { section: 'effect', piece: ScheduleEffect, show: ({ row, mode }) => mode !== 'view' && row !== null && row.rules_count > 0 },
  ],
  facts: ['rules_count'],
});
