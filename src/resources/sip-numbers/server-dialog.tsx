import { type ReactNode, useEffect, useId, useState } from 'react';
import { calls } from '#models/api.ts';
import { toIssues } from '#models/issues.ts';
import type { PhoneServer } from '#models/phone-server.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';

type Typed = Record<'host' | 'port' | 'realm', string> & { secure: boolean };
const typedOf = (server: PhoneServer): Typed => ({ ...server, port: String(server.port), realm: server.realm ?? '' });
const bodyOf = ({ host, port, realm, secure }: Typed) => ({
  server: { host: host.trim(), port: /^\d+$/.test(port.trim()) ? Number(port) : Number.NaN, realm: realm.trim() || null, secure },
});

/** Host, port, realm and transport of another server, with what is wrong in them. */
function ServerFields({ typed, change, tried }: { typed: Typed; change: (typed: Typed) => void; tried: boolean }) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const checked = calls.setPhoneServer.body.safeParse(bodyOf(typed));
  const issues = tried && !checked.success ? toIssues(checked.error) : [];
  const field = (key: 'host' | 'port' | 'realm'): ReactNode => {
    const found = issues.find(({ path }) => path[1] === key);
    const issue = found && sayIssue(words, found);
    const hint = t(`areas.sip-numbers.server.hints.${key}`);
    return (
      <FieldFrame id={`${id}-${key}`} path={key} label={t(`areas.sip-numbers.server.${key}`)} hint={hint} issue={issue} required={key !== 'realm'}>
        <TextInput
          id={`${id}-${key}`}
          value={typed[key]}
          inputMode={key === 'port' ? 'numeric' : 'url'}
          autoComplete="off"
          invalid={issue !== undefined}
          aria-describedby={describedBy(`${id}-${key}`, hint, issue)}
          onChange={(event) => change({ ...typed, [key]: event.target.value })}
        />
      </FieldFrame>
    );
  };
  return (
    <>
      {field('host')}
      {field('port')}
      {field('realm')}
      <label className="field-flag">
        <input type="checkbox" className="check" checked={typed.secure} onChange={(event) => change({ ...typed, secure: event.target.checked })} />
        <span>{t('areas.sip-numbers.server.secure')}</span>
      </label>
      <p className="quiet small">{t('areas.sip-numbers.server.hints.secure')}</p>
    </>
  );
}

/** With which SIP server the web phones of the project register: the console's own, or somebody else's. */
export default function PhoneServerDialog({ mayChange, onClose }: { mayChange: boolean; onClose: () => void }) {
  const { t } = useText();
  const [isOther, setOther] = useState(false);
  const [typed, setTyped] = useState<Typed>({ host: '', port: '7443', realm: '', secure: true });
  const [tried, setTried] = useState(false);
  const read = useRequest('phoneServer', {
    done: ({ server }) => {
      setOther(server !== null);
      if (server) setTyped(typedOf(server));
    },
  });
  const save = useRequest('setPhoneServer', { done: onClose });
  const { run } = read;
  useEffect(() => run({}), [run]);
  const submit = (): void => {
    setTried(true);
    if (!isOther) return save.run({ body: { server: null } });
    const body = calls.setPhoneServer.body.safeParse(bodyOf(typed));
    if (body.success) save.run({ body: body.data });
  };
  const problem = save.problem ?? read.problem;
  const choice = (other: boolean): ReactNode => (
    <label className="field-flag">
      <input type="radio" name="which" checked={isOther === other} onChange={() => setOther(other)} />
      <span>{t(`areas.sip-numbers.server.${other ? 'other' : 'own'}`)}</span>
    </label>
  );
  return (
    <Modal
      title={t('areas.sip-numbers.server.title')}
      onDismiss={save.running ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={save.running} onClick={onClose} />
          {mayChange && <Button label={t('areas.sip-numbers.server.save')} disabled={!read.done} loading={save.running} onClick={submit} />}
        </>
      }
    >
      {problem && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={problem} />
          </div>
        </div>
      )}
      {read.done ? (
        <fieldset className="field-block stack" disabled={!mayChange} aria-label={t('areas.sip-numbers.server.which')}>
          {choice(false)}
          {choice(true)}
          {isOther && <ServerFields typed={typed} change={setTyped} tried={tried} />}
          <p className="quiet small">{t('areas.sip-numbers.server.note')}</p>
        </fieldset>
      ) : (
        !problem && <SkeletonLines label={t('areas.sip-numbers.server.title')} />
      )}
    </Modal>
  );
}
