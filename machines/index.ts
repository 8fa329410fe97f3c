import type { AnyStateMachine } from 'xstate';
import { alertMachine } from './alert.machine.ts';
import { alertsMachine } from './alerts.machine.ts';
import { appMachine } from './app.machine.ts';
import { consoleMachine } from './console.machine.ts';
import { editorMachine } from './editor.machine.ts';
import { jobMachine } from './job.machine.ts';
import { listMachine } from './list.machine.ts';
import { pickerMachine } from './picker.machine.ts';
import { requestMachine } from './request.machine.ts';
import { sessionMachine } from './session.machine.ts';
import { workspaceMachine } from './workspace.machine.ts';

/** Every machine, for tests that hold for all of them. */
export const allMachines: readonly AnyStateMachine[] = [
  appMachine,
  sessionMachine,
  alertsMachine,
  alertMachine,
  consoleMachine,
  workspaceMachine,
  listMachine,
  editorMachine,
  pickerMachine,
  jobMachine,
  requestMachine,
];
