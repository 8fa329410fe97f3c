import type { Plugin } from 'vite';

/** The address of a guest's page: a key of 128 bits. The server has the same. */
const address = /^\/guest-access\/[\w-]{22}(?:\?|$)/;

/** Serves the page of guests while one develops; the platform serves the built one. */
export const guestPage = (): Plugin => ({
  name: 'guest-page',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (address.test(request.url ?? '')) request.url = '/src/guest/index.html';
      next();
    });
  },
});
