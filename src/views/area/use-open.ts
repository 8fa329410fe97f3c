import { useCallback } from 'react';
import { fetchPart } from '#src/components/lazy-part.ts';
import { useAlerts, useWorkspace } from '#src/views/system.ts';
import { usePages } from '../shell/page-reports.ts';
import { loadedResource, loadResource } from './loaded.ts';
import type { AreaEntry, Mode } from './resource.ts';

/** The address of an area's editor, without a place in the stack: what a new tab opens. */
export const editorPath = ({ path }: AreaEntry, mode: Mode, id?: string): string => {
  if (mode === 'add' || id === undefined) return `${path}/add`;
  return mode === 'edit' ? `${path}/${id}/edit` : `${path}/${id}`;
};

/** The address of a new row that begins as a copy of another. */
export const copyPath = ({ path }: AreaEntry, id: string, preset: Record<string, string>): string =>
  `${path}/add?${new URLSearchParams({ copy: id, ...preset }).toString()}`;

/** The address of a row's form, filled with the version of an entry of the audit trail. */
export const versionPath = (entry: AreaEntry, id: string, event: string): string => `${editorPath(entry, 'edit', id)}?version=${event}`;

/** Opens the editor of an area as a dialog, once the area has come. */
export function useOpenDialog(): (entry: AreaEntry, row: { mode: Mode; id?: string; preset?: Record<string, string> }) => void {
  const alerts = useAlerts();
  const workspace = useWorkspace();
  return useCallback(
    (entry, row) => {
      const open = () => workspace.send({ type: 'editor.open', area: entry.area, ...row });
      if (loadedResource(entry.area)) return open();
      const missing = () => alerts.send({ type: 'alert.show', alert: { kind: 'error', key: 'interface.failed.chunk_lead' } });
      void fetchPart(() => loadResource(entry)).then(open, missing);
    },
    [alerts, workspace],
  );
}

/** Opens the editor of an area: as a page on top of this one, or as a dialog where the area's editor is one. */
export function useOpen(entry: AreaEntry): (mode: Mode, id?: string, preset?: Record<string, string>) => void {
  const pages = usePages();
  const openDialog = useOpenDialog();
  return useCallback(
    (mode, id, preset) => {
      if (entry.editor === 'page') pages.open(`${editorPath(entry, mode, id)}?${new URLSearchParams(preset).toString()}`);
      else openDialog(entry, { mode, ...(id !== undefined && { id }), ...(preset && { preset }) });
    },
    [entry, pages, openDialog],
  );
}
