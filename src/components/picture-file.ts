import { constants } from '#models/constants.ts';
import type { Issue } from '#models/issues.ts';

/** The kinds of pictures the server takes; what is none is told by its bytes there. */
export const pictureTypes = 'image/png,image/jpeg,image/webp';

/** What is wrong with a chosen file before it is sent: its size, in kB (spec A5). */
export const fileIssue = ({ size }: Pick<File, 'size'>): Pick<Issue, 'rule' | 'params'> | undefined =>
  size > constants.uploadLimitBytes ? { rule: 'max_file_size', params: { size: constants.uploadLimitBytes / 1_024 } } : undefined;
