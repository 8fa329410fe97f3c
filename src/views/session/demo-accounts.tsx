import { useEffect } from 'react';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

interface DemoAccountsProps {
  busy: boolean;
  onChoose: (login: string) => void;
}

/** The people of the demo: one press signs in as each. Outside the demo there are none. */
export default function DemoAccounts({ busy, onChoose }: DemoAccountsProps) {
  const { t } = useText();
  const { answer, run } = useRequest('demoAccounts');
  useEffect(() => run({}), [run]);
  if (!answer?.length) return null;
  return (
    <section className="session-demo" aria-labelledby="demo-title">
      <h2 id="demo-title">{t('interface.login.demo.title')}</h2>
      <ul>
        {answer.map(({ login, name }) => (
          <li key={login}>
            <button type="button" className="session-choice" disabled={busy} onClick={() => onChoose(login)}>
              <span>{name}</span>
              <span className="quiet small">{t(`interface.login.demo.${login}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
