import type { AnyStateMachine } from 'xstate';
import { alertMachine } from './alerts/alert.machine.ts';
import { alertsMachine } from './alerts/alerts.machine.ts';
import { appPromotionMachine } from './app-promotion.machine.ts';
import { appMachine } from './app.machine.ts';
import { conversationMachine } from './conversations/conversation.machine.ts';
import { conversationsMachine } from './conversations/conversations.machine.ts';
import { consoleMachine } from './console/console.machine.ts';
import { deviceSearchMachine } from './device-search.machine.ts';
import { reservationMoveMachine } from './reservation-move.machine.ts';
import { systemWatchMachine } from './system-watch.machine.ts';
import { editorMachine } from './editor/editor.machine.ts';
import { enrolmentMachine } from './enrolment.machine.ts';
import { formMachine } from './form/form.machine.ts';
import { jobMachine } from './job.machine.ts';
import { licenceMachine } from './licence/licence.machine.ts';
import { licenceLifeMachine } from './lifecycles/licence-life.machine.ts';
import { listMachine } from './list/list.machine.ts';
import { guestMachine } from './guest.machine.ts';
import { paletteMachine } from './palette/palette.machine.ts';
import { pickerMachine } from './picker.machine.ts';
import { previewMachine } from './preview.machine.ts';
import { savedViewsMachine } from './saved-views.machine.ts';
import { realtimeMachine } from './realtime/realtime.machine.ts';
import { sessionMachine } from './session/session.machine.ts';
import { workspaceMachine } from './workspace/workspace.machine.ts';
import { announceMachine } from './lifecycles/announce.machine.ts';
import { emergencyAlertMachine } from './lifecycles/emergency-alert.machine.ts';
import { emergencyMachine } from './emergency/emergency.machine.ts';
import { alarmMachine } from './lifecycles/alarm.machine.ts';
import { deviceTaskMachine } from './lifecycles/device-task.machine.ts';
import { elevatorCarMachine } from './lifecycles/elevator-car.machine.ts';
import { identifierMachine } from './lifecycles/identifier.machine.ts';
import { reservationMachine } from './lifecycles/reservation.machine.ts';
import { alarmsMachine } from './alarms/alarms.machine.ts';
import { notificationsMachine } from './notifications/notifications.machine.ts';
import { openAlarmMachine } from './alarms/open-alarm.machine.ts';
import { soundsMachine } from './sounds.machine.ts';
import { callMachine } from './phone/call/call.machine.ts';
import { contactsMachine } from './phone/contacts/contacts.machine.ts';
import { doorMachine } from './phone/door.machine.ts';
import { interceptionMachine } from './phone/interception.machine.ts';
import { keypadMachine } from './phone/keypad.machine.ts';
import { mediaWatchMachine } from './phone/call/media-watch.machine.ts';
import { phoneMachine } from './phone/phone.machine.ts';
import { recentsMachine } from './phone/recents/recents.machine.ts';
import { registrationMachine } from './phone/registration.machine.ts';
import { ringerMachine } from './phone/ringer.machine.ts';
import { selfTestMachine } from './phone/self-test.machine.ts';
import { tabsMachine } from './phone/tabs.machine.ts';
import { waitingCallsMachine } from './phone/waiting-calls.machine.ts';

/** Every machine, for tests that hold for all of them. */
export const allMachines: readonly AnyStateMachine[] = [
  appMachine,
  sessionMachine,
  alertsMachine,
  alertMachine,
  consoleMachine,
  appPromotionMachine,
  previewMachine,
  savedViewsMachine,
  conversationsMachine,
  conversationMachine,
  realtimeMachine,
  workspaceMachine,
  listMachine,
  editorMachine,
  pickerMachine,
  paletteMachine,
  guestMachine,
  jobMachine,
  formMachine,
  deviceSearchMachine,
  enrolmentMachine,
  systemWatchMachine,
  reservationMoveMachine,
  deviceTaskMachine,
  identifierMachine,
  elevatorCarMachine,
  alarmMachine,
  announceMachine,
  emergencyAlertMachine,
  emergencyMachine,
  reservationMachine,
  licenceMachine,
  licenceLifeMachine,
  alarmsMachine,
  notificationsMachine,
  openAlarmMachine,
  soundsMachine,
  callMachine,
  contactsMachine,
  doorMachine,
  interceptionMachine,
  keypadMachine,
  mediaWatchMachine,
  phoneMachine,
  recentsMachine,
  registrationMachine,
  ringerMachine,
  selfTestMachine,
  tabsMachine,
  waitingCallsMachine,
];
