import { forwardRules } from '#models/forward-rules.ts';
import { defineResource } from './define-resource.ts';
import { WhenCell } from './forward-rules/cells.tsx';

export default defineResource({
  model: forwardRules,
  icon: 'pi-directions',
  columns: [
    'name',
    { key: 'redirect_if_no_answer', cell: WhenCell, width: '24%' },
    { key: 'redirect_if_error', width: '18%' },
    'groups_count',
    'updated_at',
    { key: 'created_at', extra: true },
  ],
  form: [
    { section: 'general', fields: [{ key: 'name', wide: true }] },
    {
      section: 'when',
      fields: [
        { key: 'redirect_if_no_answer.is_immediately', wide: true },
        { key: 'redirect_if_no_answer.timeout', show: ({ draft }) => !draft.redirect_if_no_answer.is_immediately },
        { key: 'redirect_if_error', wide: true },
      ],
    },
  ],
  facts: ['groups_count'],
});
