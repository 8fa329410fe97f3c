import { useId, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** A phone without a key: it takes one with an activation code; at readers its owner presents it from then on. */
export function MobileKeyCard() {
  const { t } = useText();
  const [titleId, codeId] = [useId(), useId()];
  const [code, type] = useState('');
  const request = useRequest('activateUkey2', { done: () => type('') });
  return (
    <section className="card" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.mobile_key.title')}</h2>
      </header>
      <form
        className="simulator-line simulator-inset"
        onSubmit={(event) => {
          event.preventDefault();
          request.run({ body: { code: code.trim(), phone: t('simulator.mobile_key.phone') } });
        }}
      >
        <label htmlFor={codeId}>{t('simulator.mobile_key.code')}</label>
        <TextInput
          id={codeId}
          value={code}
          maxLength={50}
          autoComplete="off"
          placeholder="XXXX-XXXX-XXXX"
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit" tone="plain" label={t('simulator.mobile_key.activate')} loading={request.running} disabled={code.trim() === ''} />
      </form>
      <p className="quiet small simulator-inset" role={request.problem ? 'alert' : 'status'}>
        {request.problem ? (
          <ProblemText problem={request.problem} />
        ) : request.answer ? (
          t('simulator.mobile_key.holds', { name: request.answer.name })
        ) : (
          t('simulator.mobile_key.says')
        )}
      </p>
    </section>
  );
}
