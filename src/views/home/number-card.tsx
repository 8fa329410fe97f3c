import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { HomeFrame } from './home-card.tsx';

/** The number one is called by; no card for who has none. */
export function NumberCard() {
  const { t } = useText();
  const number = useProfile().profile.sip_number;
  if (!number) return null;
  return (
    <HomeFrame title={t('home.numbers.title')} icon="pi-hashtag" lines={1}>
      <div className="home-row">
        <span className="home-what">
          <span>{number.name || t('home.numbers.own')}</span>
        </span>
        <b className="home-aside">{number.number}</b>
      </div>
    </HomeFrame>
  );
}
