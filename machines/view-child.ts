import type { ListQuery } from '#models/query.ts';
import type { AreaName } from '#models/areas.ts';
import type { PaletteInput } from './palette/palette.machine.ts';
import type { JobRequest } from './job-request.ts';
import type { PickerRequest } from './picker.machine.ts';
import type { EditorInput } from './editor/editor.machine.ts';
import type { FormEvent, FormInput } from './form/form.machine.ts';

/** What a view may have an actor for, besides the pages: a form or a button with a call, rows it shows by itself, a search for devices, a card that is enrolled, a reservation that is moved, the command palette. */
export type ViewChild =
  | { src: 'form'; input: FormInput }
  | { src: 'list'; input: { area: AreaName; query: ListQuery } }
  | { src: 'deviceSearch' | 'enrolment' | 'systemWatch' | 'reservationMove'; input?: undefined }
  | { src: 'palette'; input: PaletteInput };
/** A child of the workspace whose code comes when it is first wanted. */
export type LaterChild = { id: string } & (
  | Exclude<ViewChild, { src: 'form' | 'list' }>
  | { src: 'editor'; input: EditorInput }
  | { src: 'picker'; input: PickerRequest }
  | { src: 'job'; input: { request: JobRequest } }
);
export type OpenForm = { type: 'child.open'; id: string } & Extract<ViewChild, { src: 'form' }>;
/** What a view tells of the actor that stands as long as it does; one that is open already stays as it is. */
export type ViewCommand = { type: 'child.close'; id: string } | { type: 'child.notify'; id: string; event: FormEvent };
