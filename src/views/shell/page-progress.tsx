import { useEffect, useState } from 'react';
import { useNavigation } from 'react-router-dom';
import { useText } from '#src/components/text.ts';

/** In ms: code that has been fetched before comes sooner, and says nothing. */
const saidAfter = 400;

/** Says that the page somebody went to is still on its way: until it is there, the one before it stays. */
export function PageProgress() {
  const { t } = useText();
  const isLoading = useNavigation().state === 'loading';
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), saidAfter);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return (
    <span role="status" className={isSlow ? 'page-progress page-slow' : 'page-progress'}>
      {isSlow && <span className="unseen">{t('interface.loading')}</span>}
    </span>
  );
}
