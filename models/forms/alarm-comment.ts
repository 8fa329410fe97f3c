import { defineDraft } from '../define-form.ts';
import { alarmComment } from '../device-alarms.ts';
import { toIssues } from '../issues.ts';

/** What an alarm was and what was done; nothing to say is no comment. */
export const alarmCommentForm = defineDraft({
  name: 'alarm-comment',
  start: () => ({ comment: '' }),
  read: ({ comment }) => {
    const read = alarmComment.safeParse(comment.trim() || null);
    return read.success ? { value: read.data } : { issues: toIssues(read.error).map((issue) => ({ ...issue, path: ['comment'] })) };
  },
});
