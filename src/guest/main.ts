import { createActor, fromPromise } from 'xstate';
import { type GuestOpening, guestMachine } from '#machines/guest.machine.ts';
import type { GuestPage } from '#models/guest-access.ts';
import { keyInAddress } from '#models/guest-address.ts';
import '../styles/tokens.css';
import './guest.css';
import { openDoor, readPage } from './requests.ts';
import { drawGuest } from './view.ts';
import { visitorLocale, wordsIn } from './texts.ts';

const root = document.getElementById('guest');
if (!root) throw new Error('the page has no place for the guest');
const key = keyInAddress(location.pathname) ?? '';
const words = wordsIn(visitorLocale(navigator.languages));
document.documentElement.lang = words.locale;
document.title = words.t('guest.title');

const actor = createActor(
  guestMachine.provide({
    actors: {
      readPage: fromPromise<GuestPage>(() => readPage(key)),
      openDoor: fromPromise<GuestOpening, { device: string }>(({ input }) => openDoor(key, input.device)),
    },
  }),
);
actor.subscribe(drawGuest(root, words, (event) => actor.send(event)));
actor.start();
