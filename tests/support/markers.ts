import type { Row } from '#machines/rows.ts';
import { uuid } from './people.ts';

/** A stored marker for tests of editors: the smallest area there is. */
export const urgent: Row = {
  id: uuid(1),
  version: 1,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  name: 'Urgent',
  color: '#ff0000',
};
/** The same after somebody else gave it another name. */
export const renamed: Row = { ...urgent, version: 2, name: 'Very urgent' };
/** The same after somebody else gave it another colour. */
export const recoloured: Row = { ...urgent, version: 2, color: '#00ff00' };
