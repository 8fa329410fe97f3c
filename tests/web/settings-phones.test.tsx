import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';

const form = async (name: string) => within(await screen.findByRole('form', { name }));

describe('mobile apps', () => {
  it('keep the stored key where none is typed, and need one before it is asked for', async () => {
    const page = await openPage('/general-settings/mobile', {
      'GET /project-settings/mobile-sdk': () => ({ body: { data: { enabled: false, has_api_key: false } } }),
      'GET /project-settings/push-server': () => ({ body: { data: { enabled: true, url: 'https://push.example.org/', has_token: true } } }),
      'PATCH /project-settings/mobile-sdk': () => ({ body: { data: { enabled: true, has_api_key: true } } }),
      'PATCH /project-settings/push-server': ({ body }) => ({
        body: { data: { enabled: true, ...(body as object), token: undefined, has_token: true } },
      }),
    });
    const sdk = await form('Mobile SDK');
    await page.user.click(sdk.getByRole('checkbox'));
    await page.user.click(sdk.getByRole('button', { name: 'Save' }));
    expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')).toEqual([]);
    await fill(page.user, sdk.getByLabelText(/^API key/), 'The-Key-Of-Our-Apps');
    await page.user.click(sdk.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/mobile-sdk')[0]?.body).toEqual({ enabled: true, api_key: 'The-Key-Of-Our-Apps' });
    await waitFor(() => expect(sdk.getByLabelText<HTMLInputElement>(/^API key/).value).toBe(''));
    const push = await form('Push server');
    await fill(page.user, push.getByRole('textbox', { name: /^Address/ }), 'https://elsewhere.example/');
    await page.user.click(push.getByRole('button', { name: 'Save' }));
    expect(descriptionOf(push.getByLabelText('Token')).join(' ')).toContain('Enter it again');
  });
});

describe('SIP', () => {
  const sip = {
    server: null,
    early_media: true,
    nodes: [],
    auto_forward: { enabled: false, device_protocol: 'all' },
    network: { port: null, internal_ip: null, external_ip: null, rtp: null, local_networks: [] },
    fixed: ['rtp'],
    is_operator: true,
    port: 8443,
    udp: null,
    internal_ip: null,
    external_ip: null,
    rtp: { min: 40_000, max: 40_099 },
    needs_restart: false,
    refused_port: null,
  };
  const patched = 'PATCH /project-settings/sip';
  const open = (more: object = {}) =>
    openPage('/general-settings/sip', {
      'GET /project-settings/sip': () => ({ body: { data: { ...sip, ...more } } }),
      [patched]: ({ body }: { body: unknown }) => ({ body: { data: { ...sip, ...(body as object), needs_restart: true } } }),
    });

  it('is set for the project: nodes one a line, monitors that ring first', async () => {
    const page = await open();
    const calls = await form('Calls');
    await page.user.click(calls.getByRole('checkbox', { name: /automatically/ }));
    await page.user.selectOptions(calls.getByRole('combobox', { name: 'Monitors' }), 'mqtt');
    const nodes = calls.getByRole('textbox', { name: /^SIP nodes/ });
    await fill(page.user, nodes, 'two words');
    await page.user.click(calls.getByRole('button', { name: 'Save' }));
    expect(descriptionOf(nodes).join(' ')).toMatch(/host name/);
    await fill(page.user, nodes, 'sip2.example.org\n10.0.0.7:9443');
    await page.user.click(calls.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(page.server.asked('PATCH', '/project-settings/sip')).toHaveLength(1));
    expect(page.server.asked('PATCH', '/project-settings/sip')[0]?.body).toEqual({
      early_media: true,
      nodes: ['sip2.example.org', '10.0.0.7:9443'],
      auto_forward: { enabled: true, device_protocol: 'mqtt' },
    });
  });

  it('has a network that the environment may fix, and that waits for a restart', async () => {
    const page = await open();
    const network = await form('Network');
    expect(network.getByRole<HTMLInputElement>('textbox', { name: /^First media port/ }).disabled).toBe(true);
    await fill(page.user, network.getByRole('textbox', { name: /^External address/ }), '203.0.113.9');
    await page.user.click(network.getByRole('button', { name: 'Save' }));
    await within(await screen.findByRole('form', { name: 'Network' })).findByText(/Restart SIP/);
    expect(page.server.asked('PATCH', '/project-settings/sip')[0]?.body).toEqual({
      network: { port: null, internal_ip: null, external_ip: '203.0.113.9', rtp: null, local_networks: [] },
    });
  });

  it('says that the port that was set could not be opened, and which one is in use', async () => {
    await open({ network: { ...sip.network, port: 443 }, needs_restart: true, refused_port: 443 });
    const network = await form('Network');
    network.getByText(/^Port 443 could not be opened, so port 8443 is in use\./);
    expect(network.queryByText(/for the changes to take effect/)).toBeNull();
  });

  it('shows people of other projects the network, and lets them change nothing of it', async () => {
    await open({ is_operator: false });
    await form('Calls');
    expect(screen.queryByRole('form', { name: 'Network' })).toBeNull();
    screen.getByText('40000–40099');
  });
});
