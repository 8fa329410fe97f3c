import type { Http } from './http.ts';
import type { KeyValueStore } from './storage.ts';

/** Whether the offer of the mobile app was closed since the person signed in: a reload or another tab does not make it anew. */
export interface PromotionStore {
  wasClosed: () => boolean;
  saveClosed: () => void;
  /** On signing in. */
  forget: () => void;
}

const key = 'appPromotionClosed';

/** Opens what is kept of the offer in this browser, for whoever `person` says is signed in. */
export const openPromotion = (storage: KeyValueStore, person: () => string | null): PromotionStore => ({
  wasClosed: () => storage.read(key) === person(),
  saveClosed: () => storage.write(key, person()),
  forget: () => storage.remove(key),
});

/** The person does not want the offer again, wherever they sign in (clause AUTH-16). */
export const switchOffPromotion = (http: Http, signal: AbortSignal): Promise<void> =>
  http.data<void>({ method: 'PATCH', path: '/profile/app-popup', body: { is_app_popup_active: false }, signal });
