import type { PlayedAlert, ShownMessage } from '#models/simulator.ts';
import { AlertScreen } from './alert-screen.ts';
import { MessageBoard } from './message-board.ts';

/** What a device is told to show: an emergency alert over everything, announcements until they are taken off. */
export class Screen {
  readonly #alerts = new AlertScreen();
  readonly #board = new MessageBoard();

  /** The emergency alert it plays now. */
  get alert(): PlayedAlert | null {
    return this.#alerts.shown(Date.now());
  }
  /** The announcements on it. */
  get messages(): ShownMessage[] {
    return this.#board.shown(Date.now());
  }

  /** Answers whether it understood what it was told. */
  handle(kind: string, body: Record<string, unknown>): boolean {
    switch (kind) {
      case 'play_alert':
        return this.#alerts.play(body, Date.now());
      case 'stop_alert':
        this.#alerts.stop(body);
        return true;
      case 'show_message':
        return this.#board.show(body);
      case 'hide_message':
        this.#board.hide(body);
        return true;
      default:
        return false;
    }
  }
}
