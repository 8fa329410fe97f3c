import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { mayMoveTask } from '#src/views/devices/task-moves.ts';
import { uuid } from '#tests/support/people.ts';
import { openPage, rowsAnswer } from './support/area-page.ts';

describe('a task', () => {
  it('is stopped and tried again only where its life lets it', () => {
    const may = (move: 'task.stop' | 'task.retry') =>
      (['new', 'queued', 'started', 'waiting', 'completed', 'error', 'stopped'] as const).filter((status) => mayMoveTask(status, move));
    expect(may('task.stop')).toEqual(['new', 'queued', 'started', 'waiting']);
    expect(may('task.retry')).toEqual(['error']);
  });

  it('says in words why it failed, and what is not known in the words of the device', async () => {
    const failed = (number: number, error: string) => ({
      ...Object.fromEntries(['created_at', 'updated_at', 'queued_at', 'started_at', 'finished_at'].map((at) => [at, '2026-01-02T03:04:05.000Z'])),
      id: uuid(number),
      version: 1,
      kind: 'init',
      device: { id: uuid(60), name: 'Lobby' },
      status: 'error',
      attempts: 3,
      error,
      user: null,
    });
    await openPage('/devices/tasks', { 'GET /device-tasks': () => rowsAnswer([failed(61, 'not_reached'), failed(62, 'E42: no flash')]) });
    expect(await screen.findByText('Device cannot be reached')).toBeDefined();
    expect(screen.getByText('E42: no flash')).toBeDefined();
  });
});
