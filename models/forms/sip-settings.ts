import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { type ShownSip, sipNetwork, sipSettings } from '../sip-settings.ts';
import { asTyped, countTyped, limitTyped, textTyped } from './typed.ts';

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
/** What is wrong with one line stands at the whole of them. */
function atField(issue: Issue): Issue {
  const line = issue.path.findIndex((part) => /^\d+$/.test(String(part)));
  return line < 0 ? issue : { ...issue, path: issue.path.slice(0, line) };
}

/** How calls of a project go, as it is typed: nodes stand one a line. */
export const sipCallsForm = defineForm({
  name: 'sip-calls',
  call: 'setSipSettings',
  start: ({ early_media, nodes, auto_forward }: ShownSip) => ({
    early_media,
    nodes: nodes.join('\n'),
    enabled: auto_forward.enabled,
    device_protocol: auto_forward.device_protocol as string,
  }),
  read: ({ early_media, nodes, enabled, device_protocol }) => {
    const read = sipSettings.safeParse({ early_media, nodes: linesOf(nodes), auto_forward: { enabled, device_protocol } });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error).map(atField) };
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});

/** How the server is reached by SIP, as it is typed; what is left empty is as the server was started. */
export const sipNetworkForm = defineForm({
  name: 'sip-network',
  call: 'setSipSettings',
  start: ({ network: { port, internal_ip, external_ip, rtp, local_networks } }: ShownSip) => ({
    port: asTyped(port),
    internal_ip: internal_ip ?? '',
    external_ip: external_ip ?? '',
    min: asTyped(rtp?.min),
    max: asTyped(rtp?.max),
    local_networks: local_networks.join('\n'),
  }),
  read: (draft) => {
    const { min, max } = draft;
    const read = sipNetwork.safeParse({
      port: limitTyped(draft.port),
      internal_ip: textTyped(draft.internal_ip),
      external_ip: textTyped(draft.external_ip),
      rtp: `${min}${max}`.trim() === '' ? null : { min: countTyped(min), max: countTyped(max) },
      local_networks: linesOf(draft.local_networks),
    });
    return read.success ? { input: { body: { network: read.data } } } : { issues: toIssues(read.error).map(atField) };
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'areas.project-settings.saved',
});
