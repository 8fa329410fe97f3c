import { describe, expect, it } from 'vitest';
import { ConfigError, helpText, loadConfig, printable } from '#server/config.ts';

const tls = { DOORWARD_TLS_CERT: '/c.pem', DOORWARD_TLS_KEY: '/k.pem' };

describe('settings', () => {
  it('have defaults that only this machine can reach', () => {
    expect(loadConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      data: './data',
      demo: true,
      databaseUrl: null,
      publicUrl: 'http://localhost:8080',
      appUrl: null,
      trustedProxies: false,
    });
    expect(loadConfig({ DOORWARD_PORT: '', DOORWARD_DEMO: 'off' })).toMatchObject({ port: 8080, demo: false });
  });

  it.each([
    [{ DOORWARD_PORT: 'eighty' }, 'The setting DOORWARD_PORT is not a number.'],
    [{ DOORWARD_PORT: '70000' }, 'The setting DOORWARD_PORT is above 65535.'],
    [{ DOORWARD_PORT: '80.5' }, 'The setting DOORWARD_PORT is not a whole number.'],
    [{ DOORWARD_DEMO: 'maybe' }, 'The setting DOORWARD_DEMO is not one of on, off.'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'The setting DATABASE_URL is not an address that begins with postgres:// or postgresql://.'],
    [{ DOORWARD_APP_URL: 'javascript:alert(1)' }, 'The setting DOORWARD_APP_URL is not an address that begins with http:// or https://.'],
    [{ DOORWARD_APP_URL: `https://app.example/${'x'.repeat(300)}` }, 'The setting DOORWARD_APP_URL is longer than 300 characters.'],
    [{ DOORWARD_SECRET: 'short' }, 'The setting DOORWARD_SECRET is shorter than 32 characters.'],
    [{ DOORWARD_TLS_CERT: '/c.pem' }, 'The setting DOORWARD_TLS_KEY is missing: certificate and key go together.'],
  ])('a wrong one is named: %j', (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(new ConfigError(sentence));
  });

  it('let others in only where something encrypts', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'door.example.org']) {
      expect(() => loadConfig({ DOORWARD_HOST: host })).toThrow(ConfigError);
      expect(() => loadConfig({ DOORWARD_HOST: host, DOORWARD_PUBLIC_URL: 'http://door.example.org' })).toThrow(ConfigError);
      expect(loadConfig({ DOORWARD_HOST: host, ...tls }).trustedProxies).toBe(false);
      expect(loadConfig({ DOORWARD_HOST: host, DOORWARD_PUBLIC_URL: 'https://door.example.org/' })).toMatchObject({
        publicUrl: 'https://door.example.org',
        trustedProxies: 'loopback,linklocal,uniquelocal',
      });
    }
    for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', '::1']) expect(loadConfig({ DOORWARD_HOST: host }).host).toBe(host);
  });

  it('are printed without their secrets, and all listed by --help', () => {
    const config = loadConfig({
      DATABASE_URL: 'postgres://me:hidden@db/x',
      DOORWARD_SECRET: 'hidden'.repeat(6),
      DOORWARD_MAIL_URL: 'smtp://me:hidden@mail',
      DOORWARD_METRICS_TOKEN: 'hidden-hidden-hidden',
    });
    expect(JSON.stringify(printable(config))).not.toContain('hidden');
    expect(JSON.stringify(printable(config))).toContain('postgres://***@db/x');
    for (const name of ['DOORWARD_PORT', 'DATABASE_URL', 'DOORWARD_LOG', 'DOORWARD_MAIL_URL']) expect(helpText()).toContain(name);
  });
});
