import type { Plugin } from 'vite';
import { keyInAddress } from '../models/guest-address.ts';

/** Serves the page of guests while one develops; the platform serves the built one. */
export const guestPage = (): Plugin => ({
  name: 'guest-page',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (keyInAddress(request.url ?? '') !== null) request.url = '/src/guest/index.html';
      next();
    });
  },
});
